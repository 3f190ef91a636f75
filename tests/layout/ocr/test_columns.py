"""Lines that the detector drew over columns: cut at the gutters that many lines share, and nowhere else."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse.layout.ocr.columns import apart
from docparse.layout.ocr.detector import LineBox

LETTER, PITCH, HEIGHT = 18, 30, 24  # pixels


def page(rows, gap):
    """A picture of rows of words, each its first letter's place and its number of letters, `gap` pixels apart, and the
    lines over all of each row."""
    pixels = np.full((PITCH * (len(rows) + 2), 1200, 3), 255, np.uint8)
    lines = []
    for k, lengths in enumerate(rows):
        y, x = PITCH * (k + 1), 40
        for letters in lengths:
            for i in range(letters):
                at = x + i * LETTER
                pixels[y : y + 16, at + 1 : at + 5] = pixels[y : y + 4, at + 1 : at + LETTER - 1] = 0
            x += letters * LETTER + gap
        lines.append(LineBox((40 + x - gap) / 2, y + 8, x - gap - 40, HEIGHT, 0.0))
    return pixels, lines


def ends(lines):
    return sorted((round(line.y), round(line.x - line.width / 2), round(line.x + line.width / 2)) for line in lines)


@given(st.integers(2, 4), st.integers(11, 16), st.integers(6, 12), st.integers(12, 20))
def test_lines_over_several_columns_are_cut_at_all_their_gutters(columns, letters, rows, gap):
    pixels, lines = page([[letters] * columns] * rows, gap)
    found = ends(apart(pixels, lines))
    assert len(found) == columns * rows
    printed = [(40 + k * (letters * LETTER + gap), 40 + (k + 1) * letters * LETTER + k * gap) for k in range(columns)]
    for _, start, end in found:
        assert any(x0 - gap <= start <= x0 + 2 and x1 - 2 <= end <= x1 + gap for x0, x1 in printed)


@given(st.lists(st.integers(2, 9), min_size=6, max_size=6, unique=True), st.integers(12, 20))
def test_spaces_that_stand_elsewhere_in_each_line_cut_none(firsts, gap):
    pixels, lines = page([[6 + 2 * first, 40 - 2 * first] for first in firsts], gap)
    assert ends(apart(pixels, lines)) == ends(lines)


@given(st.integers(2, 5), st.integers(12, 20))
def test_a_few_lines_tell_of_no_gutter(rows, gap):
    pixels, lines = page([[14, 14]] * rows, gap)
    assert ends(apart(pixels, lines)) == ends(lines)


def test_a_gutter_under_the_space_of_a_headline_is_one_with_that_over_it():
    pixels, lines = page([[14, 14]] * 13, 20)
    lines = [replace(line, height=40 if k == 6 else 26) for k, line in enumerate(lines)]
    found = apart(pixels, lines)
    assert len(found) == 26 and all(line.width > 0 for line in found)


def test_a_headline_over_the_columns_is_whole():
    pixels, lines = page([[14, 14]] * 8, 16)
    headline = LineBox(300, 18, 480, 2 * HEIGHT, 0.0)
    assert headline in apart(pixels, [headline, *lines])


def test_markers_of_items_are_not_cut_off():
    pixels, lines = page([[1, 20]] * 8, 16)
    assert ends(apart(pixels, lines)) == ends(lines)


@pytest.mark.parametrize("long, ruled, expected", [(True, True, 2), (True, False, 1), (False, True, 1)])
def test_a_line_over_two_cells_is_cut_at_the_stroke_between_them(long, ruled, expected):
    pixels, (_, line, _) = page([[9]] * 3, 0)
    top, bottom = (0, len(pixels)) if long else (round(line.y - 10), round(line.y + 10))
    pixels[top:bottom, 147:149] = 0
    if ruled:
        pixels[[round(line.y - 14), round(line.y + 14)], 20:1000] = 0
    pieces = [piece for piece in apart(pixels, [line]) if abs(piece.y - line.y) < 1]
    assert len(pieces) == expected
    assert expected == 1 or abs(pieces[0].x + pieces[0].width / 2 - 148) < 2


def over_two_columns(rows, whole, *, shift=0):
    """Rows of two columns found apart, but for those in `whole`, whose gap is `shift` letters further to the right."""
    pixels, lines = page([[14 + shift * (k in whole), 14] for k in range(rows)], 16)
    middle = 40 + 14 * LETTER + 8
    sides = (40, middle - 8), (middle + 8, middle + 8 + 14 * LETTER)
    found = []
    for k, line in enumerate(lines):
        parts = [replace(line, x=(x0 + x1) / 2, width=x1 - x0) for x0, x1 in sides]
        found += [line] if k in whole else parts
    return pixels, found


@pytest.mark.parametrize("k", [0, 4, 8])
def test_one_line_over_two_columns_is_cut_where_those_over_or_under_it_end_and_begin(k):
    pixels, lines = over_two_columns(9, {k})
    assert len(apart(pixels, lines)) == 18


def test_a_line_over_two_columns_whose_space_stands_elsewhere_is_whole():
    pixels, lines = over_two_columns(9, {0}, shift=3)
    assert ends(apart(pixels, lines)) == ends(lines)


def test_the_last_line_of_a_text_over_two_columns_is_whole():
    pixels, lines = over_two_columns(10, {0, 1})
    pixels[PITCH : PITCH + 4, 40 : 40 + 28 * LETTER] = 0  # the line over it has type there
    assert ends(apart(pixels, lines)) == ends(lines)
