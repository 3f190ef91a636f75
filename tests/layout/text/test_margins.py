"""Margins: the columns of newspapers, whose gutters are no wider than the spaces of their lines."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typeset import numbered, prose, row

from docparse.layout.text.line_finding import lines_of
from docparse.layout.text.lines import Line
from docparse.layout.text.margins import inner_margins

GUTTERS = st.floats(5.5, 9)  # points, in type of 10 points with spaces of 2.8 to 6


def by_rows(*columns):
    """The words of columns as writers store them that print a page from the top down."""
    words = [word for column in columns for word in column]
    return numbered(sorted(words, key=lambda word: (word.baseline, word.box.x0)))


@given(st.randoms(use_true_random=False), st.integers(2, 3), GUTTERS, st.integers(12, 30))
def test_no_line_reaches_over_a_gutter_as_narrow_as_a_space(rng, columns, gutter, lines):
    width = (510 - gutter * (columns - 1)) / columns
    starts = [50 + k * (width + gutter) for k in range(columns)]
    found = lines_of(by_rows(*(prose(rng, x, x + width, 100, lines) for x in starts)))
    assert len(found) == columns * lines


@given(st.randoms(use_true_random=False), st.integers(12, 50), st.floats(200, 500))
def test_justified_lines_of_one_column_are_whole(rng, lines, width):
    assert len(lines_of(by_rows(prose(rng, 50, 50 + width, 100, lines)))) == lines


def test_the_caption_over_a_column_is_apart_from_the_text_beside_it():
    rng = random.Random(3)
    left, right = prose(rng, 50, 250, 100, 20), prose(rng, 256, 456, 136, 17)
    caption = row("A preview of the new system", 262, 112, 9, italic=True)
    assert "A preview of the new system" in [line.text for line in lines_of(by_rows(left, right, caption))]


def test_words_that_stand_under_each_other_behind_labels_are_no_column():
    names = ["4 An article", *(f"4.{k} {'x' * k} more" for k in range(1, 9))]
    rows = [row(name, 50, 100 + 12 * k, space=5.2 + 0.1 * k) for k, name in enumerate(names)]
    assert [line.text for line in lines_of(by_rows(*rows))] == names


@pytest.mark.parametrize("label, found", [("(2 points)", 0), ("", 1)])
def test_behind_the_same_words_in_every_line_begins_no_column(label, found):
    lines = []
    for k in range(1, 9):
        left = row(f"{k}. {label or 'of w' + k % 3 * 'o'}", 50, 100 + 12 * k, space=3.3)
        lines.append(Line((*left, *row(f"{'Find' + k * 'x'} it and {k * 'y'}", 117.6, 100 + 12 * k, space=3.3))))
    assert len(inner_margins(lines)) == found
