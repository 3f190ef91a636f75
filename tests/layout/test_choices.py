"""Choices: answers beside each other are read in one row, and under each other one by one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typeset import line

from docparse.layout.text.choices import joined_choices

ANSWERS = "ABCDEFGH"
FORMS = ["{}.", "{}．", "({})", "{}、", "{})", "（{}）"]


def sorted_down(found):
    return sorted(found, key=lambda line: (line.box.y0, line.box.x0))


@given(
    form=st.sampled_from(FORMS),
    count=st.integers(2, 5),
    rows=st.integers(1, 3),
    small=st.booleans(),
    jitter=st.lists(st.floats(-1.7, 1.7), min_size=15, max_size=15),
)
def test_answers_in_a_row_are_one_line(form, count, rows, small, jitter):
    letters = ANSWERS[:count].lower() if small and form[-1] in ".．、" else ANSWERS[:count]
    texts = [[f"{form.format(letter)} answer {number}" for letter in letters] for number in range(rows)]
    found = [
        line(text, 60 + 90 * k, 100 + 40 * number + jitter[5 * number + k])
        for number, answers in enumerate(texts)
        for k, text in enumerate(answers)
    ]
    joined = joined_choices(sorted_down(found))
    assert sorted(each.text for each in joined) == sorted(" ".join(answers) for answers in texts)


@given(st.sampled_from(FORMS), st.integers(2, 4), st.integers(2, 3), st.floats(12, 29))
def test_answers_under_each_other_stay_lines(form, count, columns, pitch):
    """In two columns A. of one question may stand beside B. of another."""
    found = [
        line(f"{form.format(ANSWERS[k])} answer", 60 + 150 * column, 100 + pitch * (k + column))
        for column in range(columns)
        for k in range(count)
    ]
    assert joined_choices(sorted_down(found)) == sorted_down(found)


def test_answers_of_several_lines_stay_lines():
    columns = [(60, "(A) an answer"), (200, "(B) another one")]
    found = [line(text, x, y) for x, first in columns for text, y in ((first, 100), ("of two lines", 112))]
    assert joined_choices(sorted_down(found)) == sorted_down(found)


@pytest.mark.parametrize(
    "texts", [("A. one", "C. two"), ("B. one", "A. two"), ("A. one", "two"), ("(a) one", "(b) two")]
)
def test_what_is_not_the_next_answer_is_not_joined(texts):
    """Small letters name the parts of a figure."""
    found = [line(text, 60 + 120 * k, 100) for k, text in enumerate(texts)]
    assert joined_choices(found) == found
