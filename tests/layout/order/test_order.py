"""Reading order: columns, bands, cards, and independence from the order in which boxes arrive."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typeset import rules

from docparse.layout.ocr.region import Region
from docparse.layout.order.reading_order import ranked, reading_order
from docparse.layout.reader import PageReader
from docparse.layout.stages import STAGES
from docparse.layout.stages.page import proofs_together, tagged_order
from docparse.pdf import open_document
from docparse.settings import Settings
from docparse.types import Block, Box, Category, Span

COORDINATES = st.integers(0, 60)


@st.composite
def boxes(draw):
    x, y = draw(COORDINATES) * 10, draw(COORDINATES) * 12
    return Box(x, y, x + draw(st.integers(1, 30)) * 10, y + draw(st.integers(1, 10)) * 12)


@given(st.lists(boxes(), max_size=14), st.lists(boxes(), max_size=6), st.randoms(use_true_random=False), st.booleans())
def test_every_box_is_read_once_in_an_order_that_does_not_depend_on_theirs(items, frames, random, rtl):
    assert sorted(reading_order(items, frames=frames)) == list(range(len(items)))
    shuffled = list(items)
    random.shuffle(shuffled)
    first = [items[i] for i in reading_order(items, rtl=rtl)]
    assert first == [shuffled[i] for i in reading_order(shuffled, rtl=rtl)]


@given(st.lists(st.integers(1, 6), min_size=1, max_size=4), st.integers(12, 40))
def test_columns_are_read_one_after_the_other_however_many_paragraphs_each_has(heights, gutter):
    page = [
        Box(x, top, x + 150, top + 600 / paragraphs - 9)
        for x, paragraphs in ((c * (150 + gutter), paragraphs) for c, paragraphs in enumerate(heights))
        for top in (100 + p * 600 / paragraphs for p in range(paragraphs))
    ]
    assert reading_order(page) == list(range(len(page)))


def order(names, boxes, **more):
    return "".join(names[i] for i in reading_order([Box(*box) for box in boxes], **more))


TWO_CARDS = [(0, 0, 140, 100), (160, 0, 300, 90), (0, 140, 140, 300), (160, 140, 300, 290)]
FILLED = [*((0, y0, 140, y1) for y0, y1 in ((0, 100), (125, 240), (265, 340))),
          *((160, y0, 300, y1) for y0, y1 in ((0, 100), (125, 228), (253, 300)))]  # fmt: skip
TWO_COLUMNS = [(0, 0, 140, 100), (160, 0, 300, 100), (0, 112, 140, 300), (160, 112, 300, 290)]
HEADED = [(0, 0, 140, 12), (0, 14, 140, 60), (160, 0, 300, 12), (160, 14, 300, 70),
          (0, 82, 140, 94), (0, 96, 140, 160), (160, 82, 300, 94), (160, 96, 300, 150)]  # fmt: skip
FRAMED = [(0, 0, 420, 30), (10, 60, 180, 70), (10, 90, 190, 200), (230, 60, 390, 70), (230, 90, 400, 140),
          (10, 232, 180, 242), (230, 232, 390, 262)]  # fmt: skip
CARDS = [Box(0, 50, 200, 210), Box(220, 50, 420, 210), Box(0, 222, 200, 300), Box(220, 222, 420, 300)]
SIDES = [(0, 0, 420, 30), (0, 50, 200, 400), (220, 50, 420, 400)]
TITLED = [(120, 0, 200, 12), (160, 30, 300, 50), (0, 45, 60, 60), (0, 70, 140, 200), (160, 60, 300, 210)]
PAGES = {  # names in the order of their boxes, boxes, what else is known, names as they are read
    "a title over two columns and a table under them": (
        "tcabwed", [(50, 20, 450, 60), (260, 80, 450, 300), (50, 80, 240, 180), (50, 190, 240, 300),
                    (50, 330, 450, 420), (260, 440, 450, 600), (50, 440, 240, 600)], {}, "tabcwde"),
    "a line across the gutter over columns that begin at two heights": ("tcabd", TITLED, {}, "tabcd"),
    "questions with white between them on both sides of a stroke": (
        "tabcde", [(100, 0, 320, 20), (0, 40, 180, 60), (0, 100, 180, 120), (0, 200, 180, 220),
                   (220, 70, 400, 90), (220, 150, 400, 170)], {"strokes": rules((200, 30, 200, 230))}, "tabcde"),
    "a short last column": ("abc", [(0, 0, 200, 300), (0, 310, 200, 600), (220, 0, 420, 120)], {}, "abc"),
    "a centred heading over short paragraphs": (
        "hpq", [(230, 50, 380, 70), (80, 100, 220, 110), (80, 130, 220, 140)], {}, "hpq"),
    "a heading in the middle of the gutter": (
        "hlr", [(220, 0, 280, 12), (0, 30, 140, 160), (360, 30, 500, 160)], {"headings": [True, False, False]}, "hlr"),
    "rows of cards": (
        "abcdef", [(c * 160, r * 200, c * 160 + 140, r * 200 + 120) for r in (0, 1) for c in (0, 1, 2)], {}, "abcdef"),
    "left to right": ("tlr", SIDES, {}, "tlr"),
    "right to left": ("tlr", SIDES, {"rtl": True}, "trl"),
    "authors side by side over columns": (
        "abcd", [(170, 110, 279, 135), (293, 110, 427, 135), (54, 147, 287, 700), (309, 147, 542, 700)],
        {"em": 10.7}, "abcd"),
    "rows of ragged columns": (
        "acbd", [(61, 149, 209, 167), (317, 143, 537, 177), (48, 185, 299, 234), (341, 189, 479, 234)],
        {"em": 10}, "abcd"),
    "an employer and a job, a place and a time at the right edge, and a short item under them": (
        "ejpti", [(0, 0, 120, 10), (0, 14, 90, 24), (350, 0, 420, 10), (320, 14, 420, 24), (10, 28, 200, 38)],
        {}, "ejpti"),
    "a letterhead with lines at either side": (
        "habct", [(0, 0, 80, 12), (0, 14, 90, 60), (200, 0, 300, 60), (0, 72, 90, 90), (0, 100, 300, 200)], {},
        "habct"),
    "the headings of two columns that are far apart": (
        "hkab", [(0, 0, 80, 12), (200, 0, 300, 12), (0, 20, 90, 60), (0, 70, 90, 90)],
        {"headings": [True, True, False, False]}, "habk"),
    "a heading at the top of the second column": (
        "rlabc", [(160, 0, 220, 12), (0, 14, 60, 26), (0, 30, 140, 200), (160, 16, 300, 100), (160, 110, 300, 190)],
        {"headings": [True, True, False, False, False]}, "larbc"),
    "cards in rows": ("abcd", TWO_CARDS, {}, "abcd"),
    "cards and a line down their gutter": ("abcd", TWO_CARDS, {"strokes": rules((150, -10, 150, 310))}, "acbd"),
    "columns that reach over the line between them": (
        "abcd", [(0, 0, 153, 100), (147, 0, 300, 100), (0, 112, 153, 300), (147, 112, 300, 290)],
        {"strokes": rules((150, 0, 150, 300))}, "acbd"),
    "columns": ("abcd", TWO_COLUMNS, {}, "acbd"),
    "cards whose numbers rise down the columns": ("abcd", TWO_CARDS, {"numbers": [1, 3, 2, 4]}, "acbd"),
    "cards whose numbers rise from row to row": ("abcd", TWO_CARDS, {"numbers": [1, 2, 3, 4]}, "abcd"),
    "columns and a line across their gutter": ("abcd", TWO_COLUMNS, {"strokes": rules((0, 106, 300, 106))}, "abcd"),
    "cards are read whole": ("tabcdef", FRAMED, {"frames": CARDS}, "tabcdef"),
    "cards that fill columns": ("abcdef", FILLED, {"frames": [Box(*box).padded(5) for box in FILLED]}, "abcdef"),
    "cards in rows, some of them lower": ("abcd", TWO_CARDS, {"frames": [Box(*box) for box in TWO_CARDS]}, "abcd"),
    "a sidebar close beside a column that ends below it": (
        "abcs", [(0, 0, 198, 100), (0, 105, 198, 196), (0, 205, 198, 300), (205, 10, 295, 190)],
        {"frames": [Box(200, 0, 300, 200)]}, "abcs"),
    "words on a picture": (
        "pxab", [(0, 0, 200, 300), (220, 20, 400, 100), (20, 50, 180, 60), (20, 200, 180, 210)], {}, "pabx"),
    "headings side by side begin a row of cards": (
        "abcdefgh", HEADED, {"headings": [True, False] * 4}, "abcdefgh"),
    "headings of two columns at one height by chance": (
        "abcdefgh", [(x0, y0 - 8 * (y0 > 70), x1, y1 - 8 * (y0 > 70)) for x0, y0, x1, y1 in HEADED],
        {"headings": [True, False] * 4}, "abefcdgh"),
    "columns without headings": ("abcdefgh", HEADED, {}, "abefcdgh"),
    "dates beside what they belong to, under headings": (
        "hdabecgfi",
        [(0, 0, 60, 12), (0, 20, 50, 30), (80, 20, 300, 32), (80, 34, 300, 60), (0, 70, 50, 80), (80, 70, 300, 95),
         (0, 110, 60, 122), (0, 130, 50, 140), (80, 130, 300, 150)],
        {"headings": [True, *[False] * 5, True, False, False]}, "hdabecgfi"),
    "headings beside what they head": (
        "hkcabd",
        [(0, 0, 120, 10), (0, 70, 110, 80), (0, 95, 120, 105), (200, 0, 360, 60), (200, 82, 300, 90),
         (200, 95, 360, 120)],
        {"headings": [True] * 3 + [False] * 3}, "hakbcd"),
    "dots close together on two axes, with what stands between them": (
        "abcdefg",
        [(3, 0, 5, 1), (257, 0, 259, 1), (0, 2, 3, 4), (254, 2, 257, 4), (85, 11, 86, 13), (125, 12, 127, 14),
         (12, 15, 265, 17)], {}, "acbefdg"),
    "short lines beside text that begins elsewhere": (
        "acbd", [(0, 0, 50, 10), (0, 40, 50, 50), (80, 0, 300, 30), (80, 45, 300, 90)], {}, "acbd"),
    "a row of figures over two columns": (
        "abcdhefg",
        [(0, 0, 40, 20), (90, 0, 130, 20), (180, 0, 220, 20), (270, 0, 310, 20), (0, 32, 120, 44),
         (0, 50, 140, 100), (0, 112, 140, 160), (180, 50, 320, 160)],
        {"headings": [*[False] * 4, True, *[False] * 3]}, "abcdhefg"),
    "a letterhead of two sides far over an address and what is beside it": (
        "abcd", [(0, 0, 120, 20), (400, 0, 520, 40), (0, 85, 120, 130), (400, 85, 520, 130)], {}, "abcd"),
    "a heading under columns goes with what follows across them": (
        "acht", [(0, 0, 140, 60), (160, 0, 300, 60), (0, 70, 90, 82), (0, 90, 300, 140)],
        {"headings": [False, False, True, False]}, "acht"),
}  # fmt: skip


@pytest.mark.parametrize("names, boxes, known, expected", PAGES.values(), ids=PAGES)
def test_a_page_is_read_as_a_reader_would(names, boxes, known, expected):
    assert order(names, boxes, **known) == expected


NAMES = [(80, 40, 140, 50), (340, 40, 400, 50)]
ADDRESSES = [(20, 52, 200, 90), (300, 52, 440, 90)]
PAPER = [(20, 0, 460, 24), *NAMES, *ADDRESSES, (10, 102, 230, 200), (250, 102, 470, 160), (250, 172, 470, 300)]


def test_authors_centred_over_both_columns_are_read_before_them():
    titled = [True, True, *[False] * 6]
    assert order("tabcdxyz", PAPER, headings=titled) == "tacbdxyz"
    rows = [*PAPER[:5], *((x0, y0 + 66, x1, y1 + 66) for x0, y0, x1, y1 in (*NAMES, *ADDRESSES)),
            *((x0, y0 + 66, x1, y1 + 66) for x0, y0, x1, y1 in PAPER[5:])]  # fmt: skip
    assert order("tabcdefghxyz", rows, headings=[*titled, *[False] * 4]) == "tacbdegfhxyz"


def test_what_names_have_in_common_stands_between_them_and_is_read_after_them():
    boxes = [(0, 0, 400, 20), (20, 40, 180, 52), (230, 40, 380, 52), (189, 62, 221, 90), (0, 120, 400, 200)]
    assert order("tabcd", boxes) == "tabcd"
    assert order("tabcd", [*boxes[:3], (40, 62, 140, 90), boxes[4]]) == "tacbd"


def test_what_heads_the_text_of_a_column_or_begins_at_its_margin_is_no_author():
    heads = [True, True, True, *[False] * 5]
    columns = [(x0, y0 - 46, x1, y1 - 46) for x0, y0, x1, y1 in PAPER[5:]]
    assert order("tabxyz", [PAPER[0], *NAMES, *columns], headings=heads[:6]) == "taxbyz"
    text = [(10, 52, 230, 90), (250, 52, 470, 90)]
    assert order("tabcdxyz", [*PAPER[:3], *text, *PAPER[5:]], headings=heads) == "tacxbdyz"


def test_an_interlocked_newspaper_page_follows_breuels_rules():
    """No straight cut divides this page; each headline still precedes the columns under it."""
    page = [(0, 0, 300, 40), (0, 50, 140, 300), (160, 50, 300, 200), (160, 210, 460, 250),
            (160, 260, 300, 400), (320, 260, 460, 400), (320, 0, 460, 200), (0, 310, 140, 400)]  # fmt: skip
    found = order("AabBcdse", page)
    for sequence in ("Aae", "AbBcd", "sB"):
        assert sorted(sequence, key=found.index) == list(sequence)


def test_a_detector_that_orders_its_regions_is_followed():
    boxes = [Box(0, 0, 100, 50), Box(0, 60, 100, 90), Box(0, 100, 100, 150), Box(0, 160, 100, 170)]
    regions = [
        Region(category=Category.TEXT, box=Box(0, 0, 100, 55), order=1),
        Region(category=Category.TEXT, box=Box(0, 95, 100, 155), order=0),
    ]
    assert ranked(boxes, [0, 1, 2, 3], regions) == [2, 3, 0, 1]  # the others stay behind the box they followed
    assert ranked(boxes, [0, 1, 2, 3], []) == [0, 1, 2, 3]


@pytest.mark.parametrize(
    "boxes, named",
    [
        ([(50, 100, 500, 110), (50, 120, 200, 130), (250, 140, 350, 200), (50, 210, 500, 220)], [0, 1, None, 2]),
        ([(50, 100, 200, 110), (50, 150, 200, 160), (300, 100, 450, 110), (300, 170, 450, 200)], [0, 1, 2, None]),
    ],
    ids=["where none stands right over it", "in its column"],
)
def test_what_a_tree_does_not_name_follows_the_last_line_above_it(boxes, named):
    places = [None if place is None else (place, 0) for place in named]
    assert tagged_order([Box(*box) for box in boxes], places, range(4)) == [0, 1, 2, 3]


def test_the_box_that_ends_a_proof_is_read_behind_what_stands_beside_or_over_it():
    def block(words, *box):
        return Block(category=Category.TEXT, box=Box(*box), spans=(Span(words),), font_size=10)

    column = [block("text", 50, 100, 300, 110), block("display", 100, 120, 200, 130), block("more", 50, 140, 250, 150)]
    other = block("the column on the left", -300, 100, 0, 128)
    for top, behind in ((120, 1), (132, 1), (155, 2)):
        mark = block("□", 290, top, 300, top + 10)
        units = proofs_together([[0], [1], [2], [3], [4]], [*column, other, mark])
        assert [unit for unit in units if 4 in unit] == [[behind, 4]]


WIDE = """#set page(width: 420pt, height: 300pt, margin: 30pt, columns: 2)
= Left
#lorem(30)

#box(width: 160pt, box(width: 330pt, raw(block: true, "a = 1\nb = f(names=1, that_run_over_the_gutter=2)\nc = 3")))

#lorem(12) last.
#colbreak()
The first of all words that stand in the column on the right.
"""


def test_code_that_runs_over_the_gutter_stays_in_the_column_in_which_it_begins(typst_pdf):
    with open_document(typst_pdf(WIDE, "wide-code"), name="page") as document:
        page = PageReader(Settings()).read(
            document.page(1), stages=[each for each in STAGES if each.name != "structure"]
        )
    text = " ".join(block.text for block in page.page.blocks)
    assert text.index("Left") < text.index("that_run_over") < text.index("last.") < text.index("The first of all")
