"""Words from a text layer: real pages compiled for the purpose, and hand-made characters."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse.layout.text.words import Word, words_of
from docparse.pdf import open_document
from docparse.pdf.content import Characters, Font

PLAIN = Font(name="Body", size=10.0, weight=400, italic=False, mono=False, math=False, invisible=False, angle=0)
BOLD = Font(name="Body-Bold", size=10.0, weight=700, italic=False, mono=False, math=False, invisible=False, angle=0)


def characters(
    glyphs: list[tuple[str, float, float]], fonts: list[int] | None = None, generated: str = ""
) -> Characters:
    """Glyphs as (character, x, width) on one baseline; characters in `generated` carry no ink."""
    box = np.array([[x, 92, x + width, 102] for _, x, width in glyphs], np.float32)
    return Characters(
        text="".join(glyph for glyph, _, _ in glyphs),
        box=box,
        baseline=np.full(len(glyphs), 100, np.float32),
        font=np.array(fonts or [0] * len(glyphs), np.int32),
        generated=np.array([glyph in generated and bool(generated) for glyph, _, _ in glyphs]),
        fonts=(PLAIN, BOLD),
    )


def run(text: str, x: float = 0.0, width: float = 5.0) -> list[tuple[str, float, float]]:
    return [(char, x + i * width, width) for i, char in enumerate(text)]


def texts(words: list[Word]) -> list[str]:
    return [word.text for word in words]


def test_an_empty_text_layer_has_no_words() -> None:
    assert words_of(characters([])) == []
    assert words_of(characters(run("   "))) == []


def test_spaces_part_words() -> None:
    assert texts(words_of(characters(run("two words")))) == ["two", "words"]


def test_a_gap_parts_words_where_no_space_is_stored() -> None:
    assert texts(words_of(characters(run("two") + run("words", 18)))) == ["two", "words"]


def test_a_change_of_style_parts_but_glues() -> None:
    plain, bold = words_of(characters(run("plainbold"), [0] * 5 + [1] * 4))
    assert (plain.text, plain.bold, bold.text, bold.bold, bold.glued) == ("plain", False, "bold", True, True)


def test_a_space_that_the_library_saw_around_an_accent_is_no_space() -> None:
    glyphs = [*run("Min"), ("\n", 15, 0), ("´", 16, 3), *run("ac", 15)]
    assert texts(words_of(characters(glyphs, generated="\n"))) == ["Minác"]


def test_a_space_that_the_library_saw_is_one_although_slanted_letters_reach_into_it() -> None:
    glyphs = [*run("of"), (" ", 10, 0), *run("finite", 9.5)]
    assert texts(words_of(characters(glyphs, generated=" "))) == ["of", "finite"]


def test_a_gap_wider_than_tightly_set_letters_leave_is_a_space() -> None:
    glyphs = [(c, 4.4 * i, 5) for i, c in enumerate("draw")] + [(c, 18.8 + 4.4 * i, 5) for i, c in enumerate("or")]
    assert texts(words_of(characters(glyphs))) == ["draw", "or"]


def test_an_accent_printed_over_a_letter_is_put_on_it_even_when_it_is_listed_later() -> None:
    glyphs = [*run("Jan "), *run("Min", 20), ("´", 6, 3), ("ˇ", 36, 3), *run("ac", 35 - 5)]
    glyphs = [("J", 0, 5), ("a", 5, 5), ("n", 10, 5), (" ", 15, 4), ("M", 20, 5), ("´", 6, 3), ("i", 25, 5)]
    assert texts(words_of(characters(glyphs))) == ["Ján", "Mi"]


def test_dotless_letters_under_an_accent_get_their_plain_form() -> None:
    assert texts(words_of(characters([("´", 1, 3), ("ı", 0, 5)]))) == ["í"]


def test_ligatures_and_doubled_quotes_are_spelled_out() -> None:
    assert texts(words_of(characters(run("ﬁne")))) == ["fine"]
    assert texts(words_of(characters(run("``so''")))) == ["“so”"]


def test_boxes_cover_their_characters() -> None:
    first, second = words_of(characters(run("ab cd")))
    assert (first.box.x0, first.box.x1, second.box.x0, second.box.x1) == (0, 10, 15, 25)


def test_words_of_a_real_page(typst_pdf) -> None:
    path = typst_pdf(
        "#set page(width: 300pt, height: 120pt)\nPlain *bold* and _slanted_ fine words, x#super(typographic: false)[2]."
    )
    with open_document(path, name="page") as document:
        words = words_of(document.page(1).characters)
    by_text = {word.text: word for word in words}
    assert texts(words)[:4] == ["Plain", "bold", "and", "slanted"]
    assert by_text["bold"].bold and not by_text["Plain"].bold
    assert by_text["slanted"].italic
    assert (
        by_text["2"].glued and by_text["2"].baseline < by_text["x"].baseline and by_text["2"].size < by_text["x"].size
    )


def test_arabic_letters_overlap_and_only_the_spaces_the_library_saw_part_them() -> None:
    glyphs = [("ا", 40, 6), ("ب", 35, 6), (" ", 34, 0), ("د", 29, 7), ("ث", 20, 6)]
    assert texts(words_of(characters(glyphs, generated=" "))) == ["اب", "دث"]


def test_arabic_letters_that_would_be_joined_and_are_not_stand_in_two_words() -> None:
    assert texts(words_of(characters([("ا", 40, 6), ("ب", 35, 5), ("ت", 29, 5)]))) == ["اب", "ت"]


@pytest.mark.parametrize("places", [(40, 35, 30, 25), (25, 30, 35, 40)])
def test_right_to_left_words_begin_at_the_right_however_they_are_stored(places: tuple[int, ...]) -> None:
    letters = "שלום" if places[0] == 40 else "םולש"
    assert texts(words_of(characters([(c, x, 5) for c, x in zip(letters, places, strict=True)]))) == ["שלום"]


def test_lam_and_alef_in_one_glyph_come_in_their_order() -> None:
    glyphs = [("س", 40, 6), ("ا", 34, 3), ("ل", 37, 3), ("م", 29, 5)]
    assert texts(words_of(characters(glyphs))) == ["سلام"]


@given(st.floats(0, 8), st.text("ABCDEFG", min_size=6, max_size=12), st.text("ABCDEFG", min_size=6, max_size=12))
def test_letters_set_apart_are_words(tracking: float, first: str, second: str) -> None:
    """Between words there is a space more than between letters, whether the file stores it or not."""
    glyphs, x = [], 0.0
    for char in f"{first} {second}":
        glyphs += [(char, x, 5.0)] if char != " " else []
        x += tracking + (5.0 if char != " " else 3.0)
    assert texts(words_of(characters(glyphs))) == [first, second]


def test_the_stroke_that_stretches_arabic_words_is_no_letter() -> None:
    assert texts(words_of(characters([("ا", 40, 6), ("ـ", 34, 6), ("ب", 28, 6)]))) == ["اب"]


def test_a_narrow_gap_between_tight_letters_is_a_space_and_letterspacing_is_not() -> None:
    assert texts(words_of(characters(run("of") + run("it", 11.3)))) == ["of", "it"]
    assert texts(words_of(characters([(c, 6.3 * i, 5) for i, c in enumerate("spread")]))) == ["spread"]


def test_a_font_without_a_size_has_that_of_its_glyphs() -> None:
    page = replace(characters(run("word")), fonts=(replace(PLAIN, size=0.0), BOLD))
    (word,) = words_of(page)
    assert word.size == 10.0
    flat = replace(page, box=page.box * np.array([1, 0, 1, 0], np.float32))
    assert words_of(flat)[0].size > 0
