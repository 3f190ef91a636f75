"""Titles of typewriters: a line of its own with a stroke under all of it is bold."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typeset import line, rules, words_in

from docparse.layout.text.underlines import with_underlined

TEXT = [line("The collection phase", 80, 140), line("will be a sweep", 60, 154)]


@given(st.floats(-4, 4), st.floats(-4, 4), st.floats(0, 3.5))
def test_a_title_with_a_stroke_under_it_is_bold(left, right, below):
    title = line("Collection", 60, 100)
    stroke = (title.box.x0 + left, 100 + below, title.box.x1 + right, 100 + below)
    found = with_underlined([title, *TEXT], rules(stroke))
    assert [each.share("bold") for each in found] == [1, 0, 0]


@pytest.mark.parametrize(
    "lines, stroke",
    [
        ([line("Collection", 60, 100)], (60, 102, 90, 102)),  # under a part of it
        ([line("Collection", 60, 100)], (60, 108, 110, 108)),  # far under it
        ([line("Collection", 60, 100)], (60, 95, 110, 95)),  # through it
        ([line("Name", 60, 100), line("Date", 200, 100)], (60, 102, 80, 102)),  # beside another column
        ([line("12.5", 60, 100)], (60, 102, 80, 102)),  # a sum
    ],
)
def test_other_strokes_say_nothing(lines, stroke):
    assert not any(word.bold for word in words_in(*with_underlined(lines, rules(stroke))))
