"""Turned text: whole lines, whichever way they run."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typeset import word

from docparse.layout.text.turned import is_vertical, turned_lines
from docparse.layout.text.words import Word
from docparse.types import Box

TEXT = ["Downloaded", "from", "a", "library"]


def words(angle, column=20.0):
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


@given(st.permutations(words(90) + words(270, 400.0) + words(180)))
def test_words_of_a_turned_line_are_one_line_in_reading_order_whatever_theirs_is(shuffled):
    assert [line.text for line in turned_lines(shuffled)] == [" ".join(TEXT)] * 3


FAR = words(90)[::3]


@pytest.mark.parametrize(
    "found, count", [(words(90) + words(90, 32.0), 2), (FAR, 2), ([word("upright")], 0)],
    ids=["side by side", "far apart", "upright"],
)  # fmt: skip
def test_other_words_are_no_part_of_a_turned_line(found, count):
    assert len(turned_lines(found)) == count


def test_columns_of_chinese_are_vertical_writing_and_a_label_beside_text_is_not():
    column = Word(text="故諺言曰心悲名曰志", box=Box(60, 140, 90, 770), baseline=88, size=26, angle=270)
    text = Word(text="下水所由生水宗者積水也", box=Box(60, 80, 300, 94), baseline=92, size=12)
    assert is_vertical([column])
    assert not is_vertical([column, text])
    assert not is_vertical(words(270))
