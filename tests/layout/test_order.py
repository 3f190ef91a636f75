"""Reading order: columns, bands, cards, and independence from the order in which boxes arrive."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from docparse.layout.ocr.region import Region
from docparse.layout.order import ranked, reading_order
from docparse.types import Box, Category

coordinates = st.integers(0, 60)


@st.composite
def boxes(draw: st.DrawFn) -> Box:
    x, y = draw(coordinates) * 10, draw(coordinates) * 12
    return Box(x, y, x + draw(st.integers(1, 30)) * 10, y + draw(st.integers(1, 10)) * 12)


def labels(layout: dict[str, Box], **kwargs) -> str:
    names = list(layout)
    return "".join(names[i] for i in reading_order(list(layout.values()), **kwargs))


def column(x: float, *rows: tuple[float, float], width: float = 200) -> list[Box]:
    return [Box(x, top, x + width, bottom) for top, bottom in rows]


@given(st.lists(boxes(), max_size=14), st.randoms(use_true_random=False), st.booleans())
def test_any_input_order_gives_the_same_sequence_of_boxes(items: list[Box], random, rtl: bool) -> None:
    shuffled = list(items)
    random.shuffle(shuffled)
    first = [items[i] for i in reading_order(items, rtl=rtl)]
    assert first == [shuffled[i] for i in reading_order(shuffled, rtl=rtl)]


@given(st.lists(boxes(), max_size=14))
def test_every_box_is_read_once(items: list[Box]) -> None:
    assert sorted(reading_order(items)) == list(range(len(items)))


@given(st.lists(st.integers(1, 6), min_size=1, max_size=4), st.integers(12, 40))
def test_columns_are_read_one_after_the_other_however_many_paragraphs_each_has(heights: list[int], gutter: int) -> None:
    page, expected = [], []
    for c, paragraphs in enumerate(heights):
        for p in range(paragraphs):
            top = 100 + p * 600 / paragraphs
            page.append(Box(c * (150 + gutter), top, c * (150 + gutter) + 150, top + 600 / paragraphs - 9))
            expected.append(page[-1])
    assert [page[i] for i in reading_order(page)] == expected


def test_a_title_over_two_columns_and_a_table_under_them() -> None:
    layout = {
        "t": Box(50, 20, 450, 60),
        "c": Box(260, 80, 450, 300),
        "a": Box(50, 80, 240, 180),
        "b": Box(50, 190, 240, 300),
        "w": Box(50, 330, 450, 420),
        "e": Box(260, 440, 450, 600),
        "d": Box(50, 440, 240, 600),
    }
    assert labels(layout) == "tabcwde"


def test_a_short_last_column_does_not_break_the_order() -> None:
    layout = {"a": Box(0, 0, 200, 300), "b": Box(0, 310, 200, 600), "c": Box(220, 0, 420, 120)}
    assert labels(layout) == "abc"


def test_a_centred_heading_over_left_aligned_short_paragraphs_comes_first() -> None:
    layout = {"h": Box(230, 50, 380, 70), "p": Box(80, 100, 220, 110), "q": Box(80, 130, 220, 140)}
    assert labels(layout) == "hpq"


def test_rows_of_cards_are_read_row_by_row() -> None:
    cards = {}
    for r, row in enumerate(("abc", "def")):
        for c, name in enumerate(row):
            cards[name] = Box(c * 160, r * 200, c * 160 + 140, r * 200 + 120)
    assert labels(cards) == "abcdef"


def test_right_to_left_pages_read_the_right_column_first() -> None:
    layout = {"t": Box(0, 0, 420, 30), "l": Box(0, 50, 200, 400), "r": Box(220, 50, 420, 400)}
    assert labels(layout, rtl=True) == "trl"
    assert labels(layout) == "tlr"


def test_authors_side_by_side_over_columns_are_read_before_them() -> None:
    authors = {"a": Box(170, 110, 279, 135), "b": Box(293, 110, 427, 135)}
    columns = {"c": Box(54, 147, 287, 700), "d": Box(309, 147, 542, 700)}
    assert labels(authors | columns, em=10.7) == "abcd"


def test_rows_of_ragged_columns_are_columns() -> None:
    rows = {"a": Box(61, 149, 209, 167), "c": Box(317, 143, 537, 177), "b": Box(48, 185, 299, 234)}
    assert labels(rows | {"d": Box(341, 189, 479, 234)}, em=10) == "abcd"


def test_a_line_drawn_down_the_gutter_keeps_the_columns_together() -> None:
    cards = {
        "a": Box(0, 0, 140, 100),
        "b": Box(160, 0, 300, 90),
        "c": Box(0, 140, 140, 300),
        "d": Box(160, 140, 300, 290),
    }
    assert labels(cards) == "abcd"
    assert labels(cards, strokes=np.array([[150, -10, 150, 310]], np.float32)) == "acbd"


def test_a_line_drawn_across_the_gutter_parts_the_columns() -> None:
    layout = {
        "a": Box(0, 0, 140, 100),
        "b": Box(160, 0, 300, 100),
        "c": Box(0, 112, 140, 300),
        "d": Box(160, 112, 300, 290),
    }
    assert labels(layout) == "acbd"
    assert labels(layout, strokes=np.array([[0, 106, 300, 106]], np.float32)) == "abcd"


def test_an_interlocked_newspaper_page_follows_breuels_rules() -> None:
    """No straight cut divides this page; each headline still precedes the columns under it."""
    layout = {
        "A": Box(0, 0, 300, 40),
        "a": Box(0, 50, 140, 300),
        "b": Box(160, 50, 300, 200),
        "B": Box(160, 210, 460, 250),
        "c": Box(160, 260, 300, 400),
        "d": Box(320, 260, 460, 400),
        "s": Box(320, 0, 460, 200),
        "e": Box(0, 310, 140, 400),
    }
    order = labels(layout)
    assert order.index("A") < order.index("a") < order.index("e")
    assert order.index("A") < order.index("b") < order.index("B") < order.index("c") < order.index("d")
    assert order.index("s") < order.index("B")


def test_a_detector_that_orders_its_regions_is_followed() -> None:
    boxes = [Box(0, 0, 100, 50), Box(0, 60, 100, 90), Box(0, 100, 100, 150), Box(0, 160, 100, 170)]
    regions = [
        Region(category=Category.TEXT, box=Box(0, 0, 100, 55), order=1),
        Region(category=Category.TEXT, box=Box(0, 95, 100, 155), order=0),
    ]
    assert ranked(boxes, [0, 1, 2, 3], regions) == [2, 3, 0, 1]  # the others stay behind the box they followed
    assert ranked(boxes, [0, 1, 2, 3], []) == [0, 1, 2, 3]


def test_a_card_is_read_whole_whatever_stands_beside_it() -> None:
    page = {
        "t": Box(0, 0, 420, 30),
        "a": Box(10, 60, 180, 70),
        "b": Box(10, 90, 190, 200),
        "c": Box(230, 60, 390, 70),
        "d": Box(230, 90, 400, 140),
        "e": Box(10, 232, 180, 242),
        "f": Box(230, 232, 390, 262),
    }
    cards = [Box(0, 50, 200, 210), Box(220, 50, 420, 210), Box(0, 222, 200, 300), Box(220, 222, 420, 300)]
    assert labels(page, frames=cards) == "tabcdef"


def test_words_on_a_picture_are_read_after_it_and_together() -> None:
    layout = {
        "p": Box(0, 0, 200, 300),
        "x": Box(220, 20, 400, 100),
        "a": Box(20, 50, 180, 60),
        "b": Box(20, 200, 180, 210),
    }
    assert labels(layout) == "pabx"


def test_headings_side_by_side_begin_a_row_of_cards() -> None:
    layout = {"a": Box(0, 0, 140, 12), "b": Box(0, 14, 140, 60), "c": Box(160, 0, 300, 12), "d": Box(160, 14, 300, 70)}
    layout |= {
        "e": Box(0, 82, 140, 94),
        "f": Box(0, 96, 140, 160),
        "g": Box(160, 82, 300, 94),
        "h": Box(160, 96, 300, 150),
    }
    assert labels(layout, headings=[name in "aceg" for name in layout]) == "abcdefgh"
    assert labels(layout) == "abefcdgh"


def test_a_heading_under_columns_is_read_with_what_follows_across_them() -> None:
    layout = {"a": Box(0, 0, 140, 60), "c": Box(160, 0, 300, 60), "h": Box(0, 70, 90, 82), "t": Box(0, 90, 300, 140)}
    assert labels(layout, headings=[name == "h" for name in layout]) == "acht"


@given(st.lists(boxes(), max_size=10), st.lists(boxes(), max_size=6))
def test_frames_lose_no_box_and_read_none_twice(items: list[Box], frames: list[Box]) -> None:
    assert sorted(reading_order(items, frames=frames)) == list(range(len(items)))
