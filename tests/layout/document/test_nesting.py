"""Nesting of lists: depth from indentation and markers, over columns and pages."""

from itertools import pairwise

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse.layout.document.nesting import Nesting, between_items
from docparse.types import Block, Box, Category, Span


def item(marker, x, top=0.0, *, category=Category.LIST_ITEM, right=None, text="words"):
    box = Box(x, top, right or 260 + x // 300 * 300, top + 10)
    return Block(category=category, box=box, spans=(Span(text),), marker=marker, font_size=10.0)


def depths(*items):
    nesting = Nesting()
    return [nesting.level(item(marker, x, 12.0 * i)) for i, (marker, x) in enumerate(items)]


LISTS = {
    "indentation": ([("•", 50), ("◦", 60), ("–", 70), ("◦", 60), ("•", 50)], [0, 1, 2, 1, 0]),
    "back over several levels": ([("1.", 50), ("(a)", 60), ("(i)", 70), ("2.", 50), ("(a)", 60)], [0, 1, 2, 0, 1]),
    "letters right under numbers": ([("1.", 50), ("(a)", 50), ("(b)", 50), ("2.", 50), ("(a)", 50)], [0, 1, 1, 0, 1]),
    "numerals that end flush": ([("vii.", 52), ("viii.", 50), ("ix.", 57), ("x.", 59)], [0] * 4),
    "answers farther out than their questions": (
        [("1.", 62), ("A.", 50), ("B.", 50), ("2.", 62), ("A.", 50), ("3.", 62)],
        [0, 0, 0, 0, 0, 0],
    ),
    "numbers that end flush": ([("9.", 55), ("10.", 50), ("11.", 50)], [0] * 3),
    "first lines of paragraphs that are set in": ([("1.", 50), ("2.", 74), ("3.", 50), ("a)", 50)], [0, 0, 0, 1]),
    "entries without a number": ([("1.", 50), ("", 60), ("2.", 50), ("", 50), ("A.", 50)], [0, 1, 0, 0, 0]),
    "the letter after h": ([("(g)", 50), ("(h)", 50), ("(i)", 50), ("(j)", 50)], [0] * 4),
}


@pytest.mark.parametrize("items, expected", LISTS.values(), ids=LISTS)
def test_indentation_and_markers_are_depth(items, expected):
    assert depths(*items) == expected


def test_a_list_goes_on_in_the_next_column_and_on_the_next_page():
    nesting = Nesting()
    first = [nesting.level(item("•", 50, 700)), nesting.level(item("◦", 60, 712))]
    second = [nesting.level(item("◦", 360, 60)), nesting.level(item("•", 350, 72))]
    nesting.new_page()
    third = [nesting.level(item("◦", 60, 60)), nesting.level(item("•", 50, 72))]
    assert [first, second, third] == [[0, 1], [1, 0], [1, 0]]


@pytest.mark.parametrize(
    "category, x, depth",
    [(Category.SECTION_HEADER, 50, 0), (Category.TITLE, 50, 0), (Category.TEXT, 50, 0), (Category.TEXT, 62, 1)],
    ids=["heading", "title", "text at the margin", "indented text"],
)
def test_what_ends_a_list(category, x, depth):
    nesting = Nesting()
    nesting.level(item("•", 50))
    nesting.within(item("", x, 12, category=category))
    assert nesting.level(item("◦", 62, 24)) == depth


def test_short_items_in_one_row_stand_as_deep_as_the_first():
    places = [("1.", 50, 0), ("A.", 62, 12), ("B.", 120, 11.5), ("C.", 180, 12), ("D.", 62, 24), ("2.", 50, 36)]
    nesting = Nesting()
    assert [nesting.level(item(marker, x, y, right=x + 40)) for marker, x, y in places] == [0, 1, 1, 1, 1, 0]


@pytest.mark.parametrize(
    "between, level, found",
    [(Category.FORMULA, 1, 1), (Category.TEXT, 1, 1), (Category.FORMULA, 0, 0), (Category.PICTURE, 1, 0)],
)
def test_what_stands_between_an_item_and_one_within_it_belongs_to_it(between, level, found):
    inner = msgspec.structs.replace(item("a)", 62, 24), level=level)
    blocks = between_items([item("1.", 50), item("", 80, 12, category=between), inner])
    assert [block.level for block in blocks] == [0, found, level]


@pytest.mark.parametrize("x, found", [(320, 0), (336, 1)])
def test_a_paragraph_of_the_next_column_over_an_item_there_is_no_part_of_the_list(x, found):
    blocks = [item("(a)", 62, 700, right=300), item("", x, 50, right=550, category=Category.TEXT)]
    last = msgspec.structs.replace(item("(b)", 332, 62, right=550), level=1)
    assert between_items([*blocks, last])[1].level == found


def test_a_formula_between_two_items_in_another_belongs_to_the_first():
    first, display, second = item("a)", 62), item("", 80, 12, category=Category.FORMULA), item("b)", 62, 24)
    inner = [msgspec.structs.replace(block, level=1) for block in (first, second)]
    assert [block.level for block in between_items([inner[0], display, inner[1]])] == [1, 2, 1]


def test_right_to_left_lists_are_indented_from_the_right():
    nesting = Nesting()
    blocks = [item("•", 100, 12 * i, right=right, text="كلمات") for i, right in enumerate((500, 480, 500))]
    assert [nesting.level(block) for block in blocks] == [0, 1, 0]


@given(st.lists(st.tuples(st.sampled_from(["•", "–", "1.", "2.", "(a)", "(b)", "iv."]), st.integers(0, 8)), min_size=1))
def test_a_level_is_never_more_than_one_deeper_than_the_last(raw):
    found = depths(*[(marker, 50.0 + 12 * step) for marker, step in raw])
    assert found[0] == 0
    assert all(0 <= after <= before + 1 for before, after in pairwise(found))
