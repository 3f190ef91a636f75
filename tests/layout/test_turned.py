"""Turned text: whole lines, whichever way they run."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse.layout.text.turned import is_vertical, turned_lines
from docparse.layout.text.words import Word
from docparse.types import Box

TEXT = ["Downloaded", "from", "a", "library"]


def words(angle: int, column: float = 20.0) -> list[Word]:
    """The words of TEXT along one line, each 40 points long with spaces of 4."""
    result = []
    for i, part in enumerate(TEXT):
        start, end = 44.0 * i, 44.0 * i + 40
        box = {
            90: Box(column, 100 + start, column + 10, 100 + end),
            270: Box(column, 600 - end, column + 10, 600 - start),
            180: Box(400 - end, column, 400 - start, column + 10),
        }[angle]
        result.append(Word(text=part, box=box, baseline=column + 8, size=10, angle=angle))
    return result


@pytest.mark.parametrize("angle", [90, 180, 270])
def test_words_of_a_turned_line_are_one_line_in_reading_order(angle: int) -> None:
    assert [line.text for line in turned_lines(words(angle))] == [" ".join(TEXT)]


@given(st.permutations(words(90) + words(270, 400.0)))
def test_the_order_of_the_words_does_not_matter(shuffled: list[Word]) -> None:
    assert [line.text for line in turned_lines(shuffled)] == [" ".join(TEXT)] * 2


def test_lines_side_by_side_and_far_apart_stay_apart() -> None:
    assert len(turned_lines(words(90) + words(90, 32.0))) == 2
    first, *_, last = words(90)
    assert len(turned_lines([first, last])) == 2


def test_upright_words_are_left_out() -> None:
    upright = Word(text="a", box=Box(0, 0, 5, 10), baseline=8, size=10)
    assert turned_lines([upright]) == []


def test_columns_of_chinese_are_vertical_writing_and_a_label_beside_text_is_not() -> None:
    column = Word(text="故諺言曰心悲名曰志", box=Box(60, 140, 90, 770), baseline=88, size=26, angle=270)
    text = Word(text="下水所由生水宗者積水也", box=Box(60, 80, 300, 94), baseline=92, size=12)
    assert is_vertical([column])
    assert not is_vertical([column, text])
    assert not is_vertical(words(270))
