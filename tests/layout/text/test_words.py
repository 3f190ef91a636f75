"""Words from a text layer: real pages compiled for the purpose, and hand-made characters."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse.layout.text.inline import spans_of
from docparse.layout.text.word_finding import words_of
from docparse.pdf import open_document
from docparse.pdf.content import Characters, Font
from docparse.types import plain

PLAIN = Font(name="Body", size=10.0, weight=400, italic=False, mono=False, math=False, invisible=False, angle=0)
BOLD = replace(PLAIN, name="Body-Bold", weight=700)


def characters(glyphs, fonts=None, generated=""):
    """Glyphs as (character, x, width) on one baseline; characters in `generated` carry no ink."""
    return Characters(
        text="".join(glyph for glyph, _, _ in glyphs),
        box=np.array([[x, 92, x + width, 102] for _, x, width in glyphs], np.float32),
        baseline=np.full(len(glyphs), 100, np.float32),
        font=np.array(fonts or [0] * len(glyphs), np.int32),
        generated=np.array([glyph in generated and bool(generated) for glyph, _, _ in glyphs]),
        fonts=(PLAIN, BOLD),
    )


def run(text, x=0.0, width=5.0, step=None):
    return [(char, x + i * (step or width), width) for i, char in enumerate(text)]


def placed(text, *places):
    """Each character at its place, given as x and width."""
    return [(char, x, width) for char, (x, width) in zip(text, places, strict=True)]


GLYPHS = {  # glyphs, characters that pdfium saw though nothing is printed, words
    "nothing": ([], "", []),
    "spaces alone": (run("   "), "", []),
    "stored spaces": (run("two words"), "", ["two", "words"]),
    "a gap without a space": (run("two") + run("words", 18), "", ["two", "words"]),
    "a break around an accent": ([*run("Min"), ("\n", 15, 0), ("´", 16, 3), *run("ac", 15)], "\n", ["Minác"]),
    "a seen space that slanted letters reach into": (
        [*run("of"), (" ", 10, 0), *run("finite", 9.5)], " ", ["of", "finite"]),
    "a space seen behind a ligature that was cut in two": (
        [*run("Lowf"), ("i", 20, 5), (" ", 25, 0), *run("eld", 25.8)], " ", ["Lowfield"]),
    "a space seen behind two letters": (
        [*run("Lowr"), ("i", 20, 5), (" ", 25, 0), *run("eld", 25.8)], " ", ["Lowri", "eld"]),
    "a space seen before a letter that stands close": (
        [*run("sub"), (" ", 15, 0), *run("ject", 15.1), (" ", 35, 0), *run("or", 38), (" ", 48, 0), *run("so", 51)],
        " ", ["subject", "or", "so"]),
    "a gap wider than tight letters leave": (run("draw", step=4.4) + run("or", 18.8, step=4.4), "", ["draw", "or"]),
    "a narrow gap between tight letters": (run("of") + run("it", 11.3), "", ["of", "it"]),
    "letters that were seen as lines": (
        [each for x, char in zip((0, 5, 10, 21, 26), "anode", strict=True) for each in ((char, x, 5), ("\n", x, 0))],
        "\n", ["ano", "de"]),
    "a letter that was seen as a line and reaches into the one before": (
        [*run("physica", width=6, step=5), ("\n", 36, 0), ("l", 35, 6)], "\n", ["physical"]),
    "letterspacing": (run("spread", step=6.3), "", ["spread"]),
    "a short word in a line of spread letters": (
        [*run("RENT", step=6.9), (" ", 27.6, 3), *run("WEEKLY", 32.5, step=6.9)], "", ["RENT", "WEEKLY"]),
    "letters far apart before a word that is set tight": (
        [*run("RENT", step=7.5), (" ", 30, 3), *run("WEEKLY", 33)], "", ["R", "E", "N", "T", "WEEKLY"]),
    "an accent listed later": ([*run("Jan "), ("M", 20, 5), ("´", 6, 3), ("i", 25, 5)], "", ["Ján", "Mi"]),
    "a combining accent over a letter": (placed("x\u0302=", (0, 6), (1, 5), (6, 5)), "", ["x\u0302="]),
    "a dotless letter under an accent": (placed("´ı", (1, 3), (0, 5)), "", ["í"]),
    "a letter in a ring": ([*run("in "), ("◯", 15, 10), ("c", 18, 4), *run(" 1994", 25)], "", ["in", "©", "1994"]),
    "a letter beside a ring": ([("◯", 0, 10), *run("c", 10)], "", ["◯c"]),
    "joiners between letters that do not join": (
        [*run("k)"), ("\u200c", 10, 0), ("\u200d", 10, 0), *run("m", 10)], "", ["k)m"]),
    "one between Arabic letters": (
        placed("می\u200cخ", (40, 6), (35, 5), (35, 0), (29, 6)), "", ["می\u200cخ"]),
    "a ligature": (run("ﬁne"), "", ["fine"]),
    "two question marks of one glyph": (run("see⁇"), "", ["see??"]),
    "doubled quotes": (run("``so''"), "", ["“so”"]),
    "Arabic letters overlap, spaces are seen": (
        placed("اب دث", (40, 6), (35, 6), (34, 0), (29, 7), (20, 6)), " ", ["اب", "دث"]),
    "Arabic letters that would be joined and are not": (placed("ابت", (40, 6), (35, 5), (29, 5)), "", ["اب", "ت"]),
    "the stroke that stretches Arabic words": (placed("اـب", (40, 6), (34, 6), (28, 6)), "", ["اب"]),
    "Chinese that pdfium saw a space in": (placed("第 一章", (0, 10), (11, 0), (11, 10), (21, 10)), " ", ["第一章"]),
    "Chinese with half a cell between words": (
        placed("三階 大", (0, 10), (10, 10), (20, 0), (22.5, 10)), " ", ["三階", "大"]),
    "a Thai letter and its mark, which share the width of one": (
        placed("ขมูลก", (0, 6), (6, 2.6), (8.6, 2.6), (12.5, 6), (18.5, 6)), "", ["ขมูลก"]),
    "vowel signs in two glyphs": (
        run("น\u0e4d\u0e49\u0e32 क\u093e\u0947"), "", ["น\u0e49\u0e33", "क\u094b"]),
    "Chinese set apart by stored spaces": (run("目 录 第 一 页"), "", ["目录第一页"]),
    "Chinese words with a space between them": (run("目录 第一页"), "", ["目录", "第一页"]),
    "Hebrew from the right": (placed("שלום", (40, 5), (35, 5), (30, 5), (25, 5)), "", ["שלום"]),
}  # fmt: skip


@pytest.mark.parametrize("glyphs, generated, words", GLYPHS.values(), ids=GLYPHS)
def test_glyphs_are_words_as_they_are_read(glyphs, generated, words):
    assert [word.text for word in words_of(characters(glyphs, generated=generated))] == words


@pytest.mark.parametrize(
    "text, words", [("b.org/∼me", ["b.org/", "~me"]), ("X/∼me", ["X/", "∼me"])], ids=["an address", "a quotient"]
)
def test_the_tilde_of_an_address_is_one(text, words):
    glyphs = run(text)
    fonts = [int(k >= text.index("∼")) for k in range(len(text))]
    assert [word.text for word in words_of(characters(glyphs, fonts))] == words


@given(st.floats(0, 8), st.text("ABCDEFG", min_size=6, max_size=12), st.text("ABCDEFG", min_size=6, max_size=12))
def test_letters_set_apart_are_words(tracking, first, second):
    """Between words there is a space more than between letters, whether the file stores it or not."""
    glyphs, x = [], 0.0
    for char in f"{first} {second}":
        glyphs += [(char, x, 5.0)] if char != " " else []
        x += tracking + (5.0 if char != " " else 3.0)
    assert [word.text for word in words_of(characters(glyphs))] == [first, second]


@given(st.floats(11, 14), st.text("ABCDEFG", min_size=7, max_size=12))
def test_letters_further_apart_than_they_are_wide_stand_for_themselves(gap, letters):
    """The numbers over the columns of a grid are no word."""
    glyphs = [(char, k * (5.0 + gap), 5.0) for k, char in enumerate(letters)]
    assert [word.text for word in words_of(characters(glyphs))] == list(letters)


def test_a_change_of_style_parts_but_glues():
    plain, bold = words_of(characters(run("plainbold"), [0] * 5 + [1] * 4))
    assert (plain.text, plain.bold, bold.text, bold.bold, bold.glued) == ("plain", False, "bold", True, True)


@pytest.mark.parametrize(
    "lines, text",
    [
        (("정해진 ", "프로세", "스를 ", "실행"), "정해진 프로세스를 실행"),
        (("정해진", "프로세", "스를", "실행"), "정해진 프로세 스를 실행"),
    ],
    ids=["some end with stored spaces", "none do"],
)
def test_korean_lines_end_within_words_where_others_end_with_spaces(lines, text):
    glyphs = [(char, 10 * i, 10, k) for k, line in enumerate(lines) for i, char in enumerate(line)]
    page = characters([glyph[:3] for glyph in glyphs])
    below = np.array([20 * line for *_, line in glyphs], np.float32)
    words = words_of(replace(page, box=page.box + below[:, None] * [0, 1, 0, 1], baseline=page.baseline + below))
    assert plain(spans_of([[word] for word in words])) == text


@pytest.mark.parametrize("padding, words", [(6, ["run", "x.py.", "(y)"]), (9, ["run", "x.py", ".", "(", "y", ")"])])
def test_code_in_a_box_of_its_own_keeps_no_space_before_the_point_of_its_sentence(padding, words):
    """Web pages pad the box by a third of an em to two thirds."""
    glyphs, fonts, x = [], [], 0.0
    for text, font in (("run", 0), ("x.py", 2), (".", 0), ("(", 0), ("y", 2), (")", 0)):
        x += {"x.py": 10, "(": 10}.get(text, padding)
        glyphs += run(text, x)
        fonts += [font] * len(text)
        x += 5 * len(text)
    found = words_of(replace(characters(glyphs, fonts), fonts=(PLAIN, BOLD, replace(PLAIN, name="Mono", mono=True))))
    joined = ""
    for word in found:
        joined += word.text if word.glued else f" {word.text}"
    assert joined.split() == words


def test_boxes_cover_their_characters():
    first, second = words_of(characters(run("ab cd")))
    assert (first.box.x0, first.box.x1, second.box.x0, second.box.x1) == (0, 10, 15, 25)


def test_a_font_without_a_size_has_that_of_its_glyphs():
    page = replace(characters(run("word")), fonts=(replace(PLAIN, size=0.0), BOLD))
    assert words_of(page)[0].size == 10.0
    assert words_of(replace(page, box=page.box * np.array([1, 0, 1, 0], np.float32)))[0].size > 0


def test_words_of_a_real_page(typst_pdf):
    source = "Plain *bold* and _slanted_ fine words, x#super(typographic: false)[2]."
    with open_document(typst_pdf(f"#set page(width: 300pt, height: 120pt)\n{source}"), name="page") as document:
        words = {word.text: word for word in words_of(document.page(1).characters)}
    assert list(words)[:4] == ["Plain", "bold", "and", "slanted"]
    assert words["bold"].bold and not words["Plain"].bold and words["slanted"].italic
    two, x = words["2"], words["x"]
    assert two.glued and two.baseline < x.baseline and two.size < x.size
