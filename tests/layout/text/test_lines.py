"""Lines: words on one baseline, never across a gutter, whatever order the words come in."""

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typeset import line, numbered, row, rules, word

from docparse.layout.text.line_finding import NOISY_SPACING, lines_of
from docparse.layout.text.lines import Line, snapped, steadied
from docparse.layout.text.markers import is_marker
from docparse.layout.text.marks import in_pills
from docparse.layout.text.wording import is_rtl


def typeset(rows, x=50, top=100, **more):
    return [word for r, text in enumerate(rows) for word in row(text, x, top + 12 * r, **more)]


def texts(words):
    return [line.text for line in lines_of(numbered(words))]


LEFT, RIGHT = "aaaaaa bbbbbb cccccc", "dddddd eeeeee ffffff"
ROWS = st.lists(
    st.lists(st.text("abcdefgh", min_size=1, max_size=7), min_size=1, max_size=6).map(" ".join), min_size=1, max_size=6
)


@given(ROWS, st.randoms(use_true_random=False))
def test_rows_come_back_as_lines_in_any_input_order(page, random):
    words = numbered(typeset(page))
    random.shuffle(words)
    assert [line.text for line in lines_of(words)] == page


@given(ROWS, ROWS)
def test_two_columns_never_share_a_line(left, right):
    assert sorted(texts(typeset(left) + typeset(right, x=350))) == sorted(left + right)


HEADLINE = [word("behind", 80, 110, 24, width=70), word("pictures", 156, 110, 24, width=90),
            *typeset(["words of the text under it"] * 9, top=200)]  # fmt: skip
PAIR = [*row(LEFT, 50), *row(RIGHT, 156)]
STROKES = {  # words, a stroke down between two of them, and whether it cuts the first line in two
    "past other lines, too short": (PAIR, (152, 90, 120), False),
    "past other lines": (PAIR, (152, 90, 150), True),
    "beside a headline": (HEADLINE, (153, 80, 140), False),
    "far past a headline": (HEADLINE, (153, 80, 200), True),
    "down the page": ([*PAIR, *typeset(["words"] * 30, top=160)], (152, 60, 500), True),
    "shining through a word": (
        [word("behind", 130, 88, width=40), *PAIR, *typeset(["words"] * 30, top=160)], (152, 60, 500), False),
}  # fmt: skip


@pytest.mark.parametrize("words, stroke, cut", STROKES.values(), ids=STROKES)
def test_a_stroke_cuts_lines_that_it_reaches_past_and_none_that_it_runs_through(words, stroke, cut):
    x, top, foot = stroke
    found = [line.text for line in lines_of(numbered(words), strokes=rules((x, top, x, foot)))]
    assert (("behind" if words is HEADLINE else LEFT) in found) == cut


def test_numbers_of_sources_in_pills_cut_no_lines_though_the_file_has_them_behind_all_text():
    text = [*row("of the cells", 60), *row("as shown", 150), *row("before, and", 60, 114), *row("so on.", 130, 114)]
    pills = [(x, y, x + 12, y + 12) for x, y in ((119, 89), (135, 89), (116, 103))]
    numbers = [word(text, x0 + 4.5, y0 + 8, 6) for text, (x0, y0, _, _) in zip("123", pills, strict=True)]
    found = in_pills(numbered([*text, *numbers]), np.array(pills, np.float32))
    assert [line.text for line in lines_of(found)] == ["of the cells 1 2 as shown", "before, and 3 so on."]


NO_PILLS = {  # words and coloured boxes
    "boxes with much white, and with more than a word": (
        [word("1", 66, 98, 6), word("2", 90, 98, 6), word("3", 94, 98, 6)], [(50, 89, 82, 101), (86, 89, 100, 101)]),
    "a word without a size": (
        [word("1", 66, 98, 6), msgspec.structs.replace(word("2", 90, 98, 6), size=0.0)], [(86, 89, 97, 101)]),
    "numbers in cells that are as large as their row": (
        [*row("Total", 60), word("1", 124), word("2", 140)], [(120, 90, 133, 104), (136, 90, 149, 104)]),
}  # fmt: skip


@pytest.mark.parametrize("words, boxes", NO_PILLS.values(), ids=NO_PILLS)
def test_other_coloured_boxes_are_no_pills(words, boxes):
    assert in_pills(numbered(words), rules(*boxes)) == numbered(words)


def test_very_many_small_panels_are_looked_at_each_with_the_words_of_its_height():
    words = numbered(word("ab", 50 + 25 * (i % 20), 60 + 10 * (i // 20), 8) for i in range(1200))
    places = np.random.default_rng(0).uniform(50, 550, (100_000, 2))
    assert len(in_pills(words, np.concatenate([places, places + 2], axis=1).astype(np.float32))) == len(words)


@given(st.randoms(use_true_random=False), st.integers(3, 9))
def test_spaces_over_each_other_are_no_gutter_where_all_are_as_wide(rng, rows):
    """In a scan of typewriter type, whose letters stand under each other, nothing tells that it is some."""
    lengths = [[rng.randint(2, 8) for _ in range(9)] for _ in range(rows)]
    words, expected = [], []
    for r, counts in enumerate(lengths):
        column, line = 0, []
        for count in counts:
            line.append("x" * count)
            words.append(word(line[-1], 50 + 6 * column, 100 + 14 * r, width=6 * count - 0.8))
            column += count + 1
        expected.append(" ".join(line))
    assert texts(words) == expected


TIGHT = [
    "opened the lantern of the annual", "market. The reliable syllabus is", "improved the bridges of the town",
    "narrow engine, and no vineyards", "measured 58 of these before then", "harbours. The modern valley here",
]  # fmt: skip
TIGHT_BESIDE = [
    "followed the treaty of the north", "reliable bridges, and each canal", "courtyard measured 722 valley ox",
    "before 1963. The public harbours", "delayed the museum of the county", "public council on its way to it",
]  # fmt: skip


def columns_by_row(right=158):
    """Two columns of seven lines with a gutter of an em between them, stored row by row."""
    return [word for r in range(7) for text, x in ((LEFT, 50), (RIGHT, right)) for word in row(text, x, 100 + 12 * r)]


NARROW = ["aaaa bbbb cccc dddd", "eeee ffff gggg hhhh", "iiii jjjj kkkk llll", "mmmm nnnn oooo pppp"]


def narrow_gutter():
    """Columns whose gutter is hardly more than a space."""
    for r, text in enumerate(NARROW):
        left = row(text, 50, 100 + 12 * r)
        yield from left + row(text.upper(), left[-1].box.x1 + 8, 100 + 12 * r)


WIDE = "narrow spaces in every line but one"
LABELS = ("Section 8.12", "1.1.", "Exhibit F-1", "Anlage 3", "Article IV.", "Level 2.")
COLUMN = ["some text of the left column", "and more text of this column", "the end of this left column"]
TALE = typeset(["nce upon a time there", "was a line of text and", "then there was another"], x=76)


def would(again):
    """A large I before lines one of which begins with a word that comes again."""
    said = [row("would say upon a", 80, 100), row("time there was an", 80, 112), row(f"end and {again} be", 50, 124)]
    return [word("I", 50, 112, 36, width=26), *(each for line in said for each in line)]


def ringed(mono):
    """Items behind the ring that word processors make of a letter."""
    return [w for k in range(4) for w in (
        word("o", 50, 100 + 12 * k, width=6, mono=mono), *row("an item of the list", 68, 100 + 12 * k))]  # fmt: skip


def titled(label):
    """Four lines that begin with the name of a part, far before its title."""
    for r in range(4):
        name = row(label, 50, 100 + 14 * r)
        yield from name + row("Existing indebtedness", name[-1].box.x1 + 22, 100 + 14 * r)


def clauses(number):
    for r in range(7):
        yield from [word(number, 50, 100 + 12 * r, width=20), *row(LEFT, 82, 100 + 12 * r)]


def spaced(end, space):
    """A line with a gap of 1.7 em behind its first word."""
    words, x = [], 50
    for text, gap in ((f"negligence{end}", 17), ("With", space), ("this", space), ("in", space), ("mind", 0)):
        words.append(word(text, x, 100, 10, width=6 * len(text)))
        x += 6 * len(text) + gap
    return words


def stretched(*below):
    """A line of two pieces with white of 3 em between them, under a full one."""
    full = row(PROSE, 50, 88)
    return [*full, word("Perak", 50, 100, width=30), word("Wingfoot", 110, 100, width=full[-1].box.x1 - 110), *below]


def gapped(y):
    """A line with white of an em and a half behind its sentence."""
    words = row("aaaaaa bbbbbb cccccc.", 50, y)
    return [*words, word("dddd", words[-1].box.x1 + 15, y)]


PROSE = "a line of prose that fills the measure"
NOTE = row("Projects whose cost exceeded it", 56, 104.5, 8)
QUOTED = [word(text, x, 100, width=18) for text, x in (("say", 50), ("yes", 80), ("now", 108))]
PAGES = {  # words in their order, and the lines that they make
    "two spaces behind a sentence in a stretched line": (spaced(".", 5.4), ["negligence. With this in mind"]),
    "as much behind a comma": (spaced(",", 5.4), ["negligence,", "With this in mind"]),
    "as much in a line of narrow spaces": (spaced(".", 2.8), ["negligence.", "With this in mind"]),
    "the bold number of a section a tab before its title": (
        [word("3", 50, 100, bold=True), word("Results", 78, 100, bold=True)], ["3 Results"]),
    "the same as OCR measures them": (
        [word("3", 50, 100, 9.6, bold=True), word("Results", 78, 100, 10.4, bold=True)], ["3 Results"]),
    "a bold number before another": ([word("3", 50, 100, bold=True), word("2010", 78, 100, bold=True)], ["2010", "3"]),
    "the number of a section in large type a tab before its title": (
        [word("3", 50, 100, 12), word("Results", 83, 100, 12), *row(PROSE, 50, 130)], ["3 Results", PROSE]),
    "a plain number a tab before a word": ([word("3", 50, 100), word("Results", 78, 100)], ["3", "Results"]),
    "the number of a bold heading far before it": (
        [word("2.1", 50, bold=True), *row("Funds of it", 88, bold=True)], ["2.1 Funds of it"]),
    "the same with figures of which OCR tells no weight": (
        [word("2.1", 50, font=""), *row("Funds of it", 88, bold=True, font="")], ["2.1 Funds of it"]),
    "one figure of which it tells none": (
        [word("2", 50, font=""), *row("Funds of it", 88, bold=True, font="")], ["2", "Funds of it"]),
    "a plain number far before a bold line": (
        [word("2.1", 50, font="Serif"), *row("Funds of it", 88, bold=True, font="Serif")], ["2.1", "Funds of it"]),
    "a plain number far before a line": ([word("2.1", 50), *row("Funds of it", 88)], ["2.1", "Funds of it"]),
    "columns of stretched lines whose gutter is hardly wider than some spaces": (
        [w for r, pair in enumerate(zip(TIGHT, TIGHT_BESIDE, strict=True))
         for x, text in zip((50, 224), pair, strict=True) for w in row(text, x, 100 + 12 * r, right=x + 165)],
        [*TIGHT, *TIGHT_BESIDE]),
    "quotation marks of another font, stored behind the words": (
        [*QUOTED, word("“", 75, 100, width=5), word("”", 98, 100, width=5)], ["say “yes” now"]),
    "a quotation mark on a word": ([*QUOTED, word("“", 82, 100, width=5)], ["say yes now", "“"]),
    "the raised mark of a note": ([word("7", 50, 100, 6, width=3), *NOTE], ["7 Projects whose cost exceeded it"]),
    "the raised mark of a note a tab before it": (
        [word("7", 44, 101, 5), *NOTE], ["7 Projects whose cost exceeded it"]),
    "a small number of a line a tab before it": (
        [word("7", 44, 104.5, 5), *NOTE], ["7", "Projects whose cost exceeded it"]),
    "a mark that is raised too far": ([word("7", 50, 96, 6, width=3), *NOTE], ["7", "Projects whose cost exceeded it"]),
    "the white of a justified line": (stretched(*row(PROSE, 50, 112)), [PROSE, "Perak Wingfoot", PROSE]),
    "the white of a justified line far over a full one": (
        [w for w in stretched() if w.baseline > 90] + row(PROSE, 50, 160), ["Perak Wingfoot", PROSE]),
    "titles of columns under a line in smaller type": (
        [*(w for w in stretched() if w.baseline < 90),
         word("Friday", 50, 130, 18, width=50), word("Saturday", 154, 130, 18, width=row(PROSE, 50)[-1].box.x1 - 154)],
        [PROSE, "Friday", "Saturday"]),
    "a blank over a gutter": (
        [w for r, text in enumerate(("x=", "left", "left", "left", "left"))
           for w in (word(text, 50, 100 + 12 * r, width=40), word("____" if r == 0 else "right", 97, 100 + 12 * r))],
        ["x= ____", *["left", "right"] * 4]),
    "white over a gutter": (stretched(*row("Selangor", 112, 112)), [PROSE, "Perak", "Wingfoot", "Selangor"]),
    "white over an indented line whose box touches": (
        stretched(*row("Selangor", 78, 112)), [PROSE, "Perak", "Wingfoot", "Selangor"]),
    "columns with a narrow gutter": (
        list(narrow_gutter()), [*NARROW, *map(str.upper, NARROW)]),
    "a justified line with wide spaces": (
        [*row(WIDE, 50), *row("wide gaps here", 50, 112, space=14), *row(WIDE, 50, 124)],
        [WIDE, "wide gaps here", WIDE]),
    "columns over the number of their page": (
        [*columns_by_row(155), word("2", 148, 190, width=5)], [*[LEFT, RIGHT] * 7, "2"]),
    "a headline over columns": (
        [word("Headline", 50, 85, 30, width=200), *columns_by_row()], ["Headline", *[LEFT, RIGHT] * 7]),
    "small print close to large words": (
        [word("Instructions", 50, 100, 18, width=80), word("deduction", 134, 100, 9.5)], ["Instructions deduction"]),
    "small print far from large words": (
        [word("Instructions", 50, 100, 18, width=80), word("deduction", 144, 100, 9.5)],
        ["Instructions", "deduction"]),
    **{f"{number} hanging before clauses": (list(clauses(number)), [f"{number} {LEFT}"] * 7)
       for number in ("1", "12", "7.4.2")},
    "typewriter type with spaces over each other": (
        [word(text, 50 + 6 * x, 100 + 12 * r, width=6 * len(text), mono=True)
         for r in range(5) for text, x in (("Term", 0), (f"{r}:", 5), ("means", 8), (f"{r}", 14))],
        [f"Term {r}: means {r}" for r in range(5)]),
    "brackets for an answer, at the end of a row and inside of it": (
        [each for r in range(5) for each in (
            *row("What is true", 50, 100 + 20 * r), word("(", 250, 100 + 20 * r), word(")", 280, 100 + 20 * r),
            *row("and (", 50, 110 + 20 * r), *row(") too", 110, 110 + 20 * r))],
        ["What is true ( )", "and ( ) too"] * 5),
    "brackets for an answer at the end of a row, beside another column": (
        [each for r in range(5) for each in (
            *row("What is true", 50, 100 + 20 * r), *row("( )", 250, 100 + 20 * r),
            *row("the next column", 290, 100 + 20 * r))],
        ["What is true ( )", "the next column"] * 5),
    "a stretched line among short ones beside another column": (
        [*(w for r in range(6) if r != 3 for w in row("aaaaaa bb", 50, 100 + 12 * r)), *gapped(136),
         *(w for r in range(6) for w in row(RIGHT, 300, 100 + 12 * r))],
        ["aaaaaa bb"] * 5 + ["aaaaaa bbbbbb cccccc. dddd"] + [RIGHT] * 6),
    "a stretched line between questions and their answers": (
        [*row("aaaaaa bb", 50, 100), *row("( )", 250, 100), *gapped(112),
         *row("aaaaaa", 50, 124), *row("( )", 250, 124),
         *(w for k, x in enumerate((50, 160, 210)) for w in row(f"({'ABC'[k]}) ff", x, 136))],
        ["aaaaaa bb ( )", "aaaaaa bbbbbb cccccc. dddd", "aaaaaa ( )", "(A) ff", "(B) ff", "(C) ff"]),
    "values close to their labels": (
        [each for r in range(4) for each in (
            word("Subject:", 50, 100 + 14 * r, width=40), word("Physics", 97, 100 + 14 * r, width=35))],
        ["Subject: Physics"] * 4),
    "a superscript": ([word("x", 50), word("2", 55, 96.5, 6.5, glued=True), word("end", 63)], ["x2 end"]),
    "markers far from their items": (
        [word("•", 50), word("item", 78), word("•", 50, 112), word("other", 78, 112)], ["• item", "• other"]),
    "dots drawn as a rule": (typeset([". . . . . . . . .", "text stays"]), ["text stays"]),
    "a title at a tab stop, 4.2 em behind the name of its part": (
        row("ITEM 4.", 50, 100) + row("Existing indebtedness", 50 + 33 + 42, 100), ["ITEM 4. Existing indebtedness"]),
    **{f"{label} far from its title": (list(titled(label)), [f"{label} Existing indebtedness"] * 4)
       for label in LABELS},
    "Chinese markers far from their items, brackets in a font of their own": (
        [each for r, text in enumerate("甲乙丙丁") for each in (
            word("(", 50, 100 + 14 * r), word("一二三四"[r], 55, 100 + 14 * r, width=10, glued=True),
            word(")", 65, 100 + 14 * r, glued=True), word(8 * text, 86, 100 + 14 * r, width=80))],
        [f"({number}) {8 * text}" for number, text in zip("一二三四", "甲乙丙丁", strict=True)]),
    "an index stored before its letter": (
        numbered([*row("with speed", 50), word("0", 104, 103, 6, width=4, glued=True), word("v", 99, width=5),
                  *row("from there", 115)]),
        ["with speed v0 from there"]),
    "one line that OCR took across the gutter": (
        [*columns_by_row()[:2], word("merged", 116, columns_by_row()[2].baseline, width=72), *columns_by_row()[4:]],
        ["aaaaaa bbbbbb merged eeeeee ffffff", *[LEFT, RIGHT] * 6]),
    "a gutter of an em beside an indent that makes it wider": (
        [*columns_by_row(155.5)[:21], word("indent", 160, 136), *columns_by_row(155.5)[24:]],
        ["indent", LEFT, *[LEFT, RIGHT] * 6]),
    "the short last line of a paragraph, right beside the gutter": (
        [*columns_by_row(155)[:18], *row("aaaaaa bbbbbb.", 50, 136), *columns_by_row(155)[21:]],
        [*[LEFT, RIGHT] * 3, "aaaaaa bbbbbb.", RIGHT, *[LEFT, RIGHT] * 3]),
    "an equation number at the end of a column": (
        [*typeset(COLUMN), word("(1)", 165, 136), *row("words on the right", 200, 136),
         *typeset(["words on the right"] * 3, x=225)], [*COLUMN, "(1)", *["words on the right"] * 4]),
    "a letter of a large title": (
        [word("Appendix", 50, 100, 34, width=150), word("A", 210, 100, 34, width=24), *typeset(COLUMN, top=140)],
        ["Appendix A", *COLUMN]),
    "right to left": ([word("שלום", 120), word("עולם", 90)], ["שלום עולם"]),
    "a marker to the right of its item": ([word("•", 160), word("שלום", 100), word("עולם", 70)], ["• שלום עולם"]),
    "a right-to-left line with more Latin letters": (
        [word("של", 200), word("Windows", 125), word("Server", 163), word("גם", 112)], ["של Windows Server גם"]),
    "a sign to the left of its number": ([word("32", 120), word("₪", 104)], ["32 ₪"]),
    **{f"a drop cap {where}": (
        words, [f"{cap}nce upon a time there", "was a line of text and", "then there was another"])
       for where, cap, words in (
           ("before its paragraph", "O", [word("O", 50, 124, 34, width=24), *TALE]),
           ("behind its paragraph", "O", [*TALE, word("O", 50, 124, 34, width=24)]),
           ("as wide as the box that it is printed on", "O", [word("O", 50, 124, 34, width=30.6), *TALE]),
           ("behind a quotation mark", "“O", [word("“O", 50, 124, 34, width=20), *TALE]),
           ("of little width", "O", [word("O", 50, 124, 34, width=7), *TALE]))},
    "a Chinese drop cap": (
        [word("要", 50, 122, 30, width=24), *typeset(["知道针对攻击者的反击", "活动需要所有重要元素"], x=76)],
        ["要知道针对攻击者的反击", "活动需要所有重要元素"]),
    "a large letter before a word of the page": (
        would("would"), ["I would say upon a", "time there was an", "end and would be"]),
    "a large letter before what is no word": (
        would("could"), ["Iwould say upon a", "time there was an", "end and could be"]),
    "a superscript behind the subscript of a symbol": (
        [word("NH", 50), word("4", 60, 102.8, 8, glued=True), word("+", 64.4, 95.9, 8)], ["NH4 +"]),
    "the end of a paragraph beside an indented line, over the lines of two columns": (
        [*row("the end of a paragraph", 50, 100, right=200), *row("Another paragraph begins", 238, 100, right=360),
         *row("words of the left column", 50, 112, right=200), *row("words of the right one", 217, 112, right=360)],
        ["the end of a paragraph", "Another paragraph begins", "words of the left column", "words of the right one"]),
    **{f"a bullet {gap} behind a word": (
        [word("Home", 50, width=30), word("•", 80 + gap, width=4), word("About", 92 + gap, width=30)], expected)
       for gap, expected in ((15, ["Home", "• About"]), (9, ["Home • About"]))},
    "the ring of word processors": (ringed(True), ["o an item of the list"] * 4),
    "a letter before items": (ringed(False), ["o", "an item of the list"] * 4),
    "a stretched Thai line": ([word("การท่องเที่ยว", 50), word("พร้อมทั้ง", 160)], ["การท่องเที่ยว พร้อมทั้ง"]),
}  # fmt: skip


@pytest.mark.parametrize("words, lines", PAGES.values(), ids=PAGES)
def test_words_on_one_baseline_are_a_line_unless_a_gutter_parts_them(words, lines):
    assert sorted(texts(words)) == sorted(lines)


@pytest.mark.parametrize("names, size", [(["eth_getBlockByNumber"], 12), (["eth_getBlockByNumber"] * 5, 11)])
def test_a_line_has_the_size_of_its_text_and_not_of_the_names_in_code(names, size):
    coded = [word(name, 200, size=11, mono=True) for name in names]
    assert Line((word("Adds", 60, size=12), word("property to", 100, size=12), *coded)).size == size


def test_a_script_that_is_stored_in_the_middle_of_a_word_behind_it_stands_where_it_is_drawn():
    pieces = [word("FD", 60), word("is", 78), word("assi", 92), word("3", 70.5, 102.5, 6), word("gned", 112)]
    [found] = lines_of(numbered(pieces))
    assert [w.text for w in found.words] == ["FD", "3", "is", "assi", "gned"]
    assert [w.glued for w in found.words] == [False, True, False, False, True]


@pytest.mark.parametrize("math, size", [(True, 10), (False, 7)])
def test_a_line_of_letters_with_many_scripts_has_the_size_of_the_letters(math, size):
    scripts = [word(text, x, 96, 7, math=math, glued=True) for text, x in (("model", 65), ("×", 83), ("d", 87))]
    line = Line((word("R", 60, 100, math=math), *scripts, word(",", 92, 100)))
    assert (line.size, line.baseline) == (size, 100 if math else 96)


def formula(x, size=12):
    signs = [("𝛼", True), ("=", False), ("𝛽𝛾", True), ("+", False), ("𝛿", True)]
    return [word(text, x + 20 * k, size=size, math=math) for k, (text, math) in enumerate(signs)]


@pytest.mark.parametrize("text, size", [("其中", 10), ("where", 10), ("max", 12), ("", 12)])
def test_a_line_has_the_size_of_its_text_though_most_of_it_are_formulas_in_a_larger_one(text, size):
    words = [word(text, 20, size=10)] if text else []
    assert Line((*words, *formula(60))).size == size


def test_a_script_drawn_apart_goes_to_its_letter_that_is_larger_than_the_text_of_the_line():
    words = [word("集合", 20, width=20), word("𝑉", 42, size=12, width=8, math=True), word("的元素", 58, width=30)]
    [found] = lines_of(numbered([*words, word("1", 51, 102.5, 8.4)]))
    assert [w.text for w in found.words] == ["集合", "𝑉", "1", "的元素"]


def test_right_to_left_lines_know_it():
    [line] = lines_of(numbered([word("שלום", 120), word("עולם", 90)]))
    assert line.rtl and is_rtl(line.text)


def test_markers_are_told_from_words_and_numbers():
    assert all(map(is_marker, ["•", "⚫", "–", "12)", "(a)", "iv.", "[7]", "B.", "（三）", "二、", "1、", "第四章"]))
    assert not any(map(is_marker, ["a", "12", "word", "3.1", "(see", "1234.", ".", "一", "、"]))


def test_a_steadied_line_has_one_size_and_one_baseline():
    line = Line((word("noisy", 50, 100, 10.4), word("words", 90, 101, 9.1), word("measured", 130, 99.4, 10.4)))
    assert {(w.size, w.baseline) for w in steadied(line).words} == {(10.4, 99.4)}


PLAIN = [line("a" * 30, 50, 100 + 12 * k, 10) for k in range(4)]


def bold_pair(x=50, y=74, size=10.6, **style):
    """A bold heading in 11.5 points and what may be its second line."""
    return [line("A heading that", 50, 60, 11.5, bold=True), line("goes on", x, y, size, **{"bold": True} | style)]


CAPITALS = Line((word("D", 50, 80, 15.0), word("rawbacks", 60, 80, 10.5, glued=True)))
SIZES = {  # lines over plain text of 10 points, and their sizes
    "lines near the usual size": ([line("a" * 30, 50, y, size) for y, size in ((60, 10.9), (72, 9.2))], [10, 10]),
    "a large heading": ([line("Heading", 50, 60, 16)], [16]),
    "headings in bold": (
        [line("Heading", 50, y, size, bold=True) for y, size in ((60, 11.5), (160, 10.5))], [11.5, 10]),
    "a short line and a longer one": (
        [line("Short one", 50, 60, 11.5), line("A line that is longer", 50, 80, 11.5)], [10, 11.5]),
    "headings in one style, and a plain one as large": (
        [*(line("Heading", 50, 200 + 40 * k, size, italic=True) for k, size in enumerate((11.5, 11.3, 10.9, 12.9))),
         line("Heading", 50, 400, 10.9)], [11.3, 11.3, 11.3, 12.9, 10]),
    "two lines of a heading": (bold_pair(), [11.5, 11.5]),
    "a plain line under a heading": (bold_pair(bold=False), [11.5, 10]),
    "an indented line under a heading": (bold_pair(x=80), [11.5, 10]),
    "a line far under a heading": (bold_pair(y=90), [11.5, 10]),
    "a line close under a title": (
        [line("A title", 50, 40, 30, bold=True), line("a heading", 50, 80, 10.6, bold=True)], [30, 10]),
    "headings in two colours": (
        [line("A heading", 50, 60, 11.5, bold=True, tinted=True), line("of parts", 50, 74, 10.6, bold=True)],
        [11.5, 10]),
}  # fmt: skip


@pytest.mark.parametrize("heads, sizes", SIZES.values(), ids=SIZES)
def test_sizes_near_the_usual_one_are_snapped_to_it_and_those_of_headings_to_each_other(heads, sizes):
    assert [each.size for each in snapped([*heads, *PLAIN], 0.2)] == [*sizes, *[10] * 4]


def test_small_capitals_have_the_size_of_their_type():
    assert snapped([CAPITALS, *PLAIN], 0.2)[0].type_size == 15.0


def test_headings_side_by_side_are_parted_by_the_columns_under_them():
    over = [each for k in range(3) for each in row("an article that goes over both of the columns", 50, 40 + 12 * k)]
    left = row("One heading here", 50, 96, 16)
    heads = [*left, *row("Another heading", left[-1].box.x1 + 18, 96, 16)]  # as far as a line of a scan may reach
    under = [
        each
        for k in range(4)
        for x in (50, heads[3].box.x0)
        for each in row("lines of an article under it", x, 112 + 12 * k)
    ]
    assert "One heading here" in texts(numbered([*over, *heads, *under]))
    assert "One heading here Another heading" in texts(numbered([*over, *heads]))


@pytest.mark.parametrize("by_column", [True, False])
def test_headlines_side_by_side_are_apart_where_the_file_stores_one_after_the_other(by_column):
    left = [row(text, 50, 100 + 24 * k, 20, right=170) for k, text in enumerate(["One headline of", "two short lines"])]
    right = [row(text, 188, 100 + 24 * k, 20) for k, text in enumerate(["Another one", "beside it"])]
    rows = [*left, *right] if by_column else [words for pair in zip(left, right, strict=True) for words in pair]
    apart = ["One headline of", "Another one", "two short lines", "beside it"]
    assert texts(numbered([word for words in rows for word in words])) == (
        apart if by_column else ["One headline of Another one", "two short lines beside it"])  # fmt: skip


def begun(words):
    return [msgspec.structs.replace(words[0], begins=True), *words[1:]]


@pytest.mark.parametrize("size, second, parted", [(10, "beside", True), (20, "beside", False), (20, "旁边", True)])
def test_what_ocr_found_apart_in_a_headline_is_of_two_only_where_it_has_no_spaces(size, second, parted):
    """The text under it is set in columns, the second of which begins where the word does."""
    first = begun([word("Headline", 50, 100, size, width=100)])
    after = begun([word(second, 157, 100, size)])
    under = [
        each for k in range(6) for x in (50, 157) for each in begun(row("words of a column here", x, 124 + 12 * k))
    ]
    assert texts([*first, *after, *under])[:2] == (
        ["Headline", second] if parted else [f"Headline {second}", "words of a column here"])  # fmt: skip


@pytest.mark.parametrize("under, parted", [(4, True), (2, False)])
def test_a_line_beside_the_first_of_a_column_is_none_of_it_though_nothing_else_stands_in_its_own(under, parted):
    """As under a displayed formula or a picture: what OCR found apart begins where the lines under it do."""
    first = [*begun(row("The last line of a paragraph", 50)), *begun(row("and the first", 194))]
    below = [begun(row("words of the column under it", 194, 112 + 12 * k)) for k in range(under)]
    found = texts([*first, *(each for line in below for each in line)])
    assert ("and the first" in found) == parted


@pytest.mark.parametrize("before, parted", [("{}.", False), ("term{}", True)])
def test_behind_the_markers_of_items_begins_no_column(before, parted):
    """OCR found the items apart from their markers, and in one line the words that begin where these do."""
    items = [
        each
        for k in (0, 1, 3, 4)
        for each in (
            *begun([word(before.format(k), 90, 100 + 12 * k, width=32)]),
            *begun(row("words of an item", 130, 100 + 12 * k)),
        )
    ]
    across = [*begun([word("goes", 60, 124, width=66)]), *begun(row("on in the next line", 130, 124))]
    assert ("goes" in texts([*items, *across])) == parted


@pytest.mark.parametrize("rows", [{0, 1, 2, 3, 4, 5}, {0, 1, 3, 4, 5}, {0, 3}])
def test_columns_a_space_apart_are_parted_where_ocr_found_nearly_all_their_lines_apart(rows):
    """The gutters of newspapers; here and there OCR takes a word gap for the end of a line, or two lines for one."""
    lefts = ["one of the words that are here", "words in a column that is one",
             "another line that has no end", "a few more words of different",
             "lengths which keep white apart", "the last line of this one here"]  # fmt: skip
    rights = ["next to it are some others", "which begin one space later", "and of which one is set in",
              "though no white says so but", "what was found line by line", "until this is the very last"]  # fmt: skip
    words = []
    for k, (left, right) in enumerate(zip(lefts, rights, strict=True)):
        first = begun(row(left, 50, 100 + 12 * k))
        second = row(right, first[-1].box.x1 + 3, 100 + 12 * k)
        words += [*first, *(begun(second) if k in rows else second)]
    apart = {k for k in rows if len(rows) > 2}
    pairs = enumerate(zip(lefts, rights, strict=True))
    assert texts(words) == [text for k, pair in pairs for text in (pair if k in apart else [" ".join(pair)])]


def test_names_far_apart_are_no_justified_line_though_a_line_under_them_runs_from_the_first_to_the_last():
    names = [*row("Ruth Hale", 100, 100), *row("John Hill", 175, 100), *row("Ann Lee", 250, 100)]
    below = row("of the Lower Brook Archive and Mill", 90, 120, right=names[-1].box.x1)
    assert texts([*names, *below])[:3] == ["Ruth Hale", "John Hill", "Ann Lee"]
    moved = [*names[:4], *row("Ann Lee", 256, 100)]
    below = row("of the Lower Brook Archive and Mill", 90, 120, right=moved[-1].box.x1)
    assert texts([*moved, *below])[0] == "Ruth Hale John Hill Ann Lee"  # the signs between them are not known


def test_a_large_initial_of_a_name_is_part_of_the_one_line_that_it_touches():
    name, motto = row("ournal of Things", 88, 100, 20), row("a motto", 60, 130)
    assert texts(numbered([*name, word("J", 60, 120, 50, width=30), *motto]))[0] == "Journal of Things"
    assert "J" in texts(numbered([*row("of Things", 98, 100, 20), word("J", 60, 120, 50, width=30), *motto]))
    assert "J" in texts(numbered([*row("Of Things", 88, 100, 20), word("J", 60, 120, 50, width=30), *motto]))


def test_a_few_chinese_characters_are_measured_as_well_as_a_long_line():
    lines = [line("字" * 20, 50, 100 + 12 * k, 10) for k in range(4)]
    found = snapped([line("试验方法", 50, 60, 11.5), line("结论", 50, 80, 11.5), *lines], 0.2)
    assert [each.size for each in found][:2] == [11.5, 10]


def test_the_number_of_a_formula_is_none_of_an_item_in_the_next_column():
    """No text of its column is near: it stands among formulas."""
    left = [row("the text of the left column that runs from its one edge", 60, 300 + 14 * k) for k in range(5)]
    right = row("the text of the right column", left[0][-1].box.x1 + 20, 142)
    number = word("(13)", left[0][-1].box.x1 - 20, 142)
    over = row("a headline over both of the columns that is as wide as the page is", 60, 40)
    page = numbered([number, *right, *(each for part in left for each in part), *over])
    assert "(13)" in [each.text for each in lines_of(page, NOISY_SPACING)]
    page = numbered([number, *right, *(each for part in left[:3] for each in part), *over])
    assert "(13) the text of the right column" in [each.text for each in lines_of(page, NOISY_SPACING)]
