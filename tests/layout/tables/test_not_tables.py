"""What is set in columns or numbered, and yet is no table."""

import random

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typeset import SHEET, grids, in_columns, prose, row, rules, word

from docparse.layout.tables import find_tables
from docparse.layout.tables.candidates import with_headings
from docparse.layout.tables.ink import Ink
from docparse.layout.text.words import Word
from docparse.types import Box

COLUMNS = (("name", 60, 5.0), ("value", 300, 5.6))  # text, x, and points from line to line


@given(st.randoms(use_true_random=False), st.sampled_from([1, 2, 3]), st.booleans())
def test_prose_in_columns_is_no_table(rng, columns, framed):
    gutter = rng.uniform(14, 30)
    width = (512 - gutter * (columns - 1)) / columns
    starts = [50 + k * (width + gutter) for k in range(columns)]
    words = [word for x0 in starts for word in prose(rng, x0, x0 + width, 90, rng.randint(20, 45))]
    strokes = rules((50, 60, 562, 60), (50, 740, 562, 740)) if framed else rules()
    assert find_tables(words, strokes, SHEET) == []


BELLS = ("bells, 12–22", "casting of, 17", "hour, 13", "quarter, 19", "Bristol, 104, 140–44", "bushings, 36",
         "carriage clocks, 187", "chimes, 88n")  # fmt: skip
DIALS = ("enamel, 45", "engraved, 42, 43", "painted, 47", "one-handed, 38", "dust caps, 77", "electric clocks, 214–",
         "master and slave, 219", "synchronous, 226–8")  # fmt: skip


def down(count, pitch, *columns):
    """Lines `pitch` apart; a column is its x, and its text for each line."""
    return [word for k in range(count) for x, text in columns for word in row(text(k), x, 100 + pitch * k)]


PARTS = ["1", "2", "2.1", "2.2", "2.3", "3", "3.1", "4"]


QUESTION = [["如图，小王在江边", "D处，测得江面上", "A的俯角"], ["若DE=3米，则", "CE平行于，并且", "AB高"],
            ["长BC=10米，此时", "AB的长，大约为", "多少"], ["参考数据，如下", "sin=0.64，取整", "即可"]]  # fmt: skip


def test_white_in_chinese_sentences_that_lies_over_other_such_white_makes_no_table():
    words = [word(text, x, 100 + 24 * k, width=10.0 * len(text))
             for k, cells in enumerate(QUESTION) for x, text in zip((60, 190, 320), cells, strict=True)]  # fmt: skip
    assert find_tables(words, rules(), SHEET) == []
    entries = [msgspec.structs.replace(word, text=word.text.replace("，", "与")) for word in words]
    assert len(find_tables(entries, rules(), SHEET)) == 1


@pytest.mark.parametrize("point, tables", [(",", 0), ("", 1)])
def test_sentences_of_chinese_with_the_points_of_ascii_make_no_table(point, tables):
    cells = ([text.replace("，", f"{point} ") for text in row_of] for row_of in QUESTION)
    words = [each for k, texts in enumerate(cells) for x, text in zip((60, 190, 320), texts, strict=True)
             for each in row(text, x, 100 + 24 * k)]  # fmt: skip
    assert len(find_tables(words, rules(), SHEET)) == tables


def test_titles_that_end_in_the_first_dots_of_a_leader_are_contents_though_a_second_list_begins():
    rows = zip(
        ["一、总则..", "二、定义..", "三、范围", "四、税", "图一、地", "图二、天..", "图三、人"], "3579246", strict=True
    )
    words = [each for k, (title, page) in enumerate(rows) for each in (
        word(title, 60, 100 + 14 * k), word(page, 400, 100 + 14 * k))]  # fmt: skip
    assert find_tables(words, rules(), SHEET) == []


@pytest.mark.parametrize(
    ("sign", "found"),
    [([word("A", 40, 114), word("=", 48, 114)], 0), ([word("=", 62, 114), word("2", 68, 114)], 1)],
    ids=["before a matrix", "within a cell"],
)
def test_numbers_behind_a_sign_of_equality_are_a_matrix(sign, found):
    numbers = [each for k in range(3) for x in (74, 120, 160) for each in row(str(k + 4), x, 100 + 14 * k)]
    assert len(find_tables([*sign, *numbers], rules(), SHEET)) == found


@pytest.mark.parametrize("sign, tables", [("≤", 0), ("to", 1)])
def test_an_equation_with_its_number_in_a_box_is_no_table_though_its_fraction_has_a_bar(sign, tables):
    words = [*row("Theorem 2.", 60, 100, bold=True), *row("Let g be the gap. Then", 130, 100),
             *row("1", 285, 118), *row("4", 340, 118), *row(f"t {sign}", 255, 125), *row("log", 305, 125),
             *row("(5.2)", 440, 125), *row("g", 285, 132), *row("p", 340, 132)]  # fmt: skip
    strokes = rules((50, 85, 470, 85), (282, 122, 294, 122), (336, 122, 348, 122), (50, 145, 470, 145))
    assert len(find_tables(words, strokes, SHEET)) == tables


@pytest.mark.parametrize("bar, found", [("|", False), ("1", True)], ids=["pieces of tall bars", "numbers"])
def test_what_stands_between_tall_bars_is_no_table(bar, found):
    lines = [row(str(k + 4), x, 100 + 14 * k) for k in range(8) for x in (74, 120, 160)]
    bars = [word(bar, x, y, width=3, math=True) for x in (68, 200) for y in range(100, 200, 10)]
    assert bool(find_tables([each for line in lines for each in line] + bars, rules(), SHEET)) == found


def outline(x0, y0, x1, y1):
    return [(x0, y0, x1, y0), (x0, y1, x1, y1), (x0, y0, x0, y1), (x1, y0, x1, y1)]


BESIDE = ["19 May", "A long walk", "2 June", "Seeds", "Contact", "Tel. 0401", "garden", "club"]
CUT = ["Die Cutting", "Colour Inkjet with", "Laser Cutting", "Coated Inkjet with", "Rotary Cutting", "One Pass"]
PACKED = ["• Packing Labels", "Ribbons Too", "• Own Warehouses", "• Label Design", "• Tech Support", "• Printing"]
CODE = ["a = 1", "bb = 22", "ccc = 333", "dddd = 4444", "return 5 6"]
LEFT = ["Dr. A. Person", "12 Main Street", "Springfield 12345", "Phone 555 1234"]
RIGHT = ["Prof. B. Other", "99 Side Street", "Shelbyville 54321", "Phone 555 4321"]
CITED = "A. Author and B. Writer. A title of some length. Journal 12(3):45-67, 2010."
FRAME = [(50, 85, 560, 85), (50, 230, 560, 230), (50, 85, 50, 230), (560, 85, 560, 230)]
AXES = [(100, y, 400, y) for y in range(100, 301, 40)] + [(x, 100, x, 300) for x in range(100, 401, 50)]
SECTIONS = [(60, "1"), (90, "1.1"), (90, "1.2"), (120, "1.2.1"), (60, "2"), (90, "2.1"), (120, "2.1.1"), (90, "2.2")]
HALVES = [  # of two fractions on each of two lines, the second in tall brackets
    Word(text=text, box=Box(x, top, x + width, bottom), baseline=baseline, size=size, math=True)
    for text, x, width, top, bottom, baseline, size in (
        ("d", 194.9, 5.7, 570.4, 581.3, 579.1, 10.9), ("dx", 191.8, 11.9, 585.3, 596.2, 594, 10.9),
        ("(", 208.8, 4.9, 571.8, 595.7, 586.3, 10), ("g", 226.8, 5.2, 570.4, 581.3, 579.1, 10.9),
        ("dx", 215.2, 11.9, 585.3, 596.2, 594, 10.9), ("n", 227.1, 5.1, 584.5, 592.4, 590.8, 8),
        (")", 234.3, 4.9, 571.8, 595.7, 586.3, 10), ("d", 194.9, 5.7, 599.2, 610.1, 607.9, 10.9),
        ("dx", 191.8, 11.9, 614, 625, 622.8, 10.9), ("(", 208.8, 4.9, 600.6, 624.5, 615, 10),
        ("P", 215.3, 8.2, 599.2, 610.1, 607.9, 10.9), ("(", 223.8, 4.2, 614, 625, 622.8, 10.9))
]  # fmt: skip
FRACTION_BARS = [
    (x0, y, x1, y) for y, end in ((583.8, 232.8), (612.6, 238.6)) for x0, x1 in ((191.8, 203.7), (215.2, end))
]
PAGES = {
    "fractions under each other": (HALVES, FRACTION_BARS),
    "fractions over a row of dots": (
        [*HALVES, *(word(".", x, 640) for x in np.arange(191, 239, 3.0).tolist())], FRACTION_BARS),
    "contents": (
        [*down(12, 14, (60, lambda k: f"{k + 1} Chapter about things"), (520, lambda k: str(3 + 9 * k))),
         *(word(".", x, 100 + 14 * k) for k in range(12) for x in np.arange(230, 500, 6.0).tolist())], []),
    "contents of several levels": (
        [w for k, (x, number) in enumerate(SECTIONS) for w in (
            *row(number, x, 100 + 14 * k), *row("Chapter of things", x + 30, 100 + 14 * k),
            *row(". " * (30 if x > 60 else 0), 260, 100 + 14 * k), *row(str(3 + 9 * k), 520, 100 + 14 * k))], []),
    "contents without leaders": (
        down(12, 14, (60, lambda k: f"{k + 1}.{k % 3}"), (90, lambda k: "Chapter about things"),
             (520, lambda k: str(3 + 9 * k))), []),
    "three chapters of contents, in bold": (
        [msgspec.structs.replace(w, bold=True) for w in down(
            3, 14, (60, lambda k: f"{'ABC'[k]} Chapter about things"), (520, lambda k: str(3 + 9 * k)))], []),
    "contents whose parts have plain numbers": (
        [w for k, part in enumerate(PARTS)
         for w in (word(part, 80 if "." in part else 60, 100 + 14 * k), *row(f"Title {k}", 110, 100 + 14 * k),
                   word(str(1 + k // 2), 520, 100 + 14 * k))], []),
    "running text beside short lines": (
        [*prose(random.Random(4), 60, 240, 100, 8), *down(8, 12, (270, BESIDE.__getitem__))], []),
    "running text beside the letters of a proof": (
        [*prose(random.Random(4), 60, 300, 100, 10),
         *down(10, 12, *((x, lambda k: "ABC"[k % 3]) for x in (330, 370, 410)))], []),
    **{f"paragraphs beside their numbers from {first} on": (
        [w for k in range(4) for y in (100 + 48 * k,) for w in (
            word(f"{first[:-1]}{int(first[-1]) + k}", 60, y), word("Where", 110, y),
            *prose(random.Random(k), 140, 500, y, 1), *prose(random.Random(k), 110, 500, y + 12, 1 + k % 2))], [])
        for first in ("4.25", "12")},
    "columns of Chinese with short paragraphs": (
        [word("字" * 13 if k % 3 else "字字字字字字。", x, 100 + 15 * k, width=130.0 if k % 3 else 70.0)
         for k in range(1, 13) for x in (60, 220, 380)] +
        [word("字" * 8, x, 98, width=80.0, bold=True) for x in (60, 220, 380)], []),
    "columns of text between lines": (
        [w for k in range(3) for x in (58 + 170 * k,)
         for w in (word("Title", x, 86), *prose(random.Random(k), x, x + 154, 105, 13))],
        [(50, 90, 560, 90), (50, 280, 560, 280), *((x, 90, x, 280) for x in (50, 220, 390, 560))]),
    "frames beside and above each other": (
        [*prose(random.Random(1), 60, 280, 110, 6), *prose(random.Random(2), 330, 550, 110, 6),
         *prose(random.Random(3), 60, 400, 240, 6)],
        [*outline(50, 90, 290, 200), *outline(320, 90, 560, 200), *outline(50, 220, 410, 330), (40, 80, 40, 340),
         (40, 90, 50, 90), (290, 90, 320, 90), (40, 220, 50, 220)]),
    "the columns of an index": (down(8, 12, (60, BELLS.__getitem__), (210, DIALS.__getitem__)), []),
    "a numbered list": (down(9, 14, (60, lambda k: f"{k + 1}."), (80, lambda k: "an item 12 34")), []),
    "a bibliography": (
        [*down(10, 26, (60, lambda k: f"[{k + 1}]"), (85, lambda k: CITED)),
         *(w for k in range(10) for w in row("Publisher, Town. doi 10.1000/182.", 85, 112 + 26 * k))], []),
    "code": ([w for k, text in enumerate(CODE) for w in row(text, 60, 100 + 12 * k, space=20, mono=True)], []),
    "items of two lists, one without bullets": (down(6, 14, (60, CUT.__getitem__), (250, PACKED.__getitem__)), []),
    "addresses": (down(4, 12, (60, LEFT.__getitem__), (330, RIGHT.__getitem__)), []),
    "answers to choose from": (
        [w for k in range(4) for w in in_columns(
            [["Which one is it", "", "( )"], ["A. all of it", "B. some of it", "C. none"]],
            [60, 190, 320], 100 + 28 * k, 14) if w.text], []),
    "answers to choose from, one under the other": (
        in_columns([["A. movl", "$34, (%eax)"], ["B. movl", "(%eax), %ebx"], ["C. movl", "$23, 10(%edx)"],
                    ["D. movl", "(%eax), 8(%ecx)"]], [60, 150], 100, 14), []),
    "equations whose signs stand under each other": (
        in_columns([[f"f(e{k})", "= -e1", "+ e2", "- 3e3"] for k in range(4)], [60, 130, 200, 260], 100, 14), []),
    "a formula by cases under a running head": (
        [*in_columns([["COUNTING", "ALGORITHMS"]], [60, 190], 80, 14, bold=True),
         *in_columns([["m(y) = k", "if", "y > 0"], ["= L", "if", "y = 0"], ["2", "if", "less"]],
                     [60, 190, 260], 100, 14)], []),
    "a matrix over questions, whose brackets no font tells": (
        [*in_columns([["", "1", "0", "0", "1"], ["", "0", "1", "0", "1"], ["", "0", "0", "1", "0"]],
                     [100, 130, 160, 190, 220], 100, 14),
         word("G", 105, 117), word("=", 113, 117, width=6), word("\ufffd", 121, 117, width=5),
         *in_columns([["1.", "Write down all words"], ["2.", "Which is least"]], [100, 130], 142, 14)], []),
    "sentences with gaps to fill in": (
        in_columns([[f"The {name} of the town is", "( )"] for name in ("oldest", "newest", "tallest", "best")],
                   [60, 400], 100, 14), []),
    "authors side by side over their mail addresses": (
        in_columns([["University of the North", "Institute of the South"], ["Dept. of Mills", "Mill Research Center"],
                    ["Northport 1200", "Southport 3400"], ["{ann,joe}@north.edu", "ben@south.org"]],
                   [60, 330], 100, 12), []),
    "equations one under the other": (
        [w for k in range(4) for x, over, under in ((70, "d", "dt"), (110, "h", "2m"), (150, "1", "r"))
         for w in (*row(over, x, 100 + 40 * k, math=True), *row(under, x, 114 + 40 * k, math=True))],
        [(x, 108 + 40 * k, x + 14, 108 + 40 * k) for k in range(4) for x in (68, 108, 148)]),
    "fractions under one bar, of whose signs OCR makes letters": (
        [*row("1", 70, 120), *row("1", 130, 120), *row("1", 190, 120), *row("t", 100, 129), *row("t", 160, 129)],
        [(60, 110, 200, 110), *((x, 128, x + 24, 128) for x in (60, 120, 176)), (84, 128, 120, 128),
         (144, 128, 176, 128)]),
    "a frame around text": (prose(random.Random(1), 60, 550, 100, 10), FRAME),
    "the grid of a plot": (
        [*row("loss", 240, 135), *row("0.5 curve", 300, 215), *row("epoch", 350, 290)], AXES),
    "items with bullets": (
        down(4, 14, (63, lambda k: "•"), (173, lambda k: f"{('first', 'second', 'third', 'fourth')[k]} item")), []),
}  # fmt: skip


@pytest.mark.parametrize("words, strokes", PAGES.values(), ids=PAGES)
def test_other_things_in_columns_are_no_tables(words, strokes):
    assert find_tables(words, rules(*strokes), SHEET) == []


@pytest.mark.parametrize("strokes", [[(58, y, 300, y) for y in (86, 104, 148)], []], ids=["ruled", "not ruled"])
def test_the_caption_and_the_notes_stay_outside(strokes):
    rows = [["Name", "Speed", "Cost"], ["Alpha", "12.5", "30"], ["Beta", "13.5", "31"], ["Gamma", "14.5", "32"]]
    words = down(4, 14, *((60 + 100 * c, lambda k, c=c: rows[k][c]) for c in range(3)))
    words += row("Table 1: Speeds and costs of things.", 60, 76)
    words += row("Note: all of them measured twice in 2020.", 60, 164)
    assert grids(words, rules(*strokes)) == [rows]


def test_a_long_page_whose_columns_step_down_unlike_is_cut_as_often_as_it_needs():
    words, top = [], 20.0
    for _ in range(1100):
        words.append(word("a title over both", 60, top, size=4, width=400))
        words += [word(text, x, top + 6 + pitch * k, size=4) for k in range(4) for text, x, pitch in COLUMNS]
        top += 32
    assert find_tables(words, rules(), Box(0, 0, 600, top)) == []


@pytest.mark.parametrize("right", range(150, 260, 10))
def test_a_line_over_a_table_is_a_heading_whole_or_not_at_all(right):
    words = [w for y, texts in ((100, ("alarms, 14, 88", "day, length of, 3–6, 40")), (112, ("almanacs", "Delft")))
             for x, text in zip((60, 180), texts, strict=True) for w in row(text, x, y)]  # fmt: skip
    ink = Ink.of(words)
    box = with_headings(ink, Box(60, 104, right, 114), SHEET, 10, 2, [])
    assert box.y0 == 104 or box.x1 >= max(word.box.x1 for word in words)


REAL = {
    "keywords, some of which begin cases": [
        ["Word", "Kind", "Since"], ["loop", "for", "C78"], ["test", "if", "C78"], ["jump", "goto", "C78"],
        ["choice", "when", "none"]],
    "values and their limits": [["HDL", "1.4", ">1.0"], ["LDL", "3.1", "<3.4"], ["TG", "1.1", "<1.7"],
                                ["CK", "90", "<190"]],
    "lettered rows": [["A. Quality", "good", "Anna"], ["B. Price", "fair", "Ben"], ["C. Colour", "poor", "Cid"],
                      ["D. Weight", "good", "Dora"]],
    "costs behind signs of equality": [[f"{name} cost", "= 300"] for name in ("Rent", "Food", "Fuel", "Total")],
    "tasks with boxes": [[name, "[ ]"] for name in ("Sweep", "Paint", "Mend", "Oil")],
}  # fmt: skip


@pytest.mark.parametrize("cells", REAL.values(), ids=REAL)
def test_tables_without_rules_that_look_like_formulas_or_answers_are_tables(cells):
    assert len(find_tables(in_columns(cells, [60, 190, 260], 100, 14), rules(), SHEET)) == 1
