"""Nesting of lists: depth from indentation and markers, over columns and pages."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse.layout.document.nesting import Nesting
from docparse.types import Block, Box, Category, Span


def item(
    marker: str, x: float, top: float = 0.0, text: str = "words", category: Category = Category.LIST_ITEM
) -> Block:
    box = Box(x, top, 260 + x // 300 * 300, top + 10)
    return Block(category=category, box=box, spans=(Span("words"),), marker=marker, font_size=10.0)


def depths(*items: tuple[str, float]) -> list[int]:
    nesting = Nesting()
    return [nesting.level(item(marker, x, 12.0 * i)) for i, (marker, x) in enumerate(items)]


def test_indentation_is_depth() -> None:
    assert depths(("•", 50), ("◦", 60), ("–", 70), ("◦", 60), ("•", 50)) == [0, 1, 2, 1, 0]


def test_a_list_may_fall_back_over_several_levels() -> None:
    assert depths(("1.", 50), ("(a)", 60), ("(i)", 70), ("2.", 50), ("(a)", 60)) == [0, 1, 2, 0, 1]


def test_letters_right_under_numbers_without_indentation_are_nested() -> None:
    assert depths(("1.", 50), ("(a)", 50), ("(b)", 50), ("2.", 50), ("(a)", 50)) == [0, 1, 1, 0, 1]


def test_numerals_that_end_flush_are_one_level() -> None:
    assert depths(("vii.", 52), ("viii.", 50), ("ix.", 57), ("x.", 59)) == [0, 0, 0, 0]
    assert depths(("9.", 55), ("10.", 50), ("11.", 50)) == [0, 0, 0]


def test_the_letter_after_h_is_no_numeral() -> None:
    assert depths(("(g)", 50), ("(h)", 50), ("(i)", 50), ("(j)", 50)) == [0, 0, 0, 0]


def test_a_list_goes_on_in_the_next_column_and_on_the_next_page() -> None:
    nesting = Nesting()
    first = [nesting.level(item("•", 50, 700)), nesting.level(item("◦", 60, 712))]
    second = [nesting.level(item("◦", 360, 60)), nesting.level(item("•", 350, 72))]
    nesting.new_page()
    third = [nesting.level(item("◦", 60, 60)), nesting.level(item("•", 50, 72))]
    assert [first, second, third] == [[0, 1], [1, 0], [1, 0]]


@pytest.mark.parametrize("category", [Category.SECTION_HEADER, Category.TITLE])
def test_a_heading_ends_the_list(category: Category) -> None:
    nesting = Nesting()
    nesting.level(item("•", 50))
    nesting.within(item("", 50, 12, category=category))
    assert nesting.level(item("◦", 60, 24)) == 0


def test_text_at_the_margin_ends_the_list_and_indented_text_does_not() -> None:
    for x, depth in ((50, 0), (62, 1)):
        nesting = Nesting()
        nesting.level(item("•", 50))
        nesting.within(item("", x, 12, category=Category.TEXT))
        assert nesting.level(item("◦", 62, 24)) == depth


def test_right_to_left_lists_are_indented_from_the_right() -> None:
    nesting = Nesting()
    boxes = [Box(100, 0, 500, 10), Box(100, 12, 480, 22), Box(100, 24, 500, 34)]
    blocks = [
        Block(category=Category.LIST_ITEM, box=box, spans=(Span("كلمات"),), marker="•", font_size=10.0) for box in boxes
    ]
    assert [nesting.level(block) for block in blocks] == [0, 1, 0]


@given(st.lists(st.tuples(st.sampled_from(["•", "–", "1.", "2.", "(a)", "(b)", "iv."]), st.integers(0, 8)), min_size=1))
def test_a_level_is_never_more_than_one_deeper_than_the_last(raw: list[tuple[str, int]]) -> None:
    found = depths(*[(marker, 50.0 + 12 * step) for marker, step in raw])
    assert found[0] == 0
    assert all(0 <= after <= before + 1 for before, after in pairwise(found))
