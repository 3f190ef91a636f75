"""Marks beside the lines of a page image that the detector did not find."""

import numpy as np

from docparse.layout.ocr.detector import LineBox
from docparse.layout.ocr.overlooked import overlooked


def line(x, y):
    return LineBox(x, y, 100, 20, 0.0)


def page(*marks):
    """White, 400 x 200 pixels, with marks of ink 8 x 12 pixels around these points."""
    pixels = np.full((200, 400, 3), 255, np.uint8)
    for x, y in marks:
        pixels[y - 6 : y + 6, x - 4 : x + 4] = 0
    return pixels


def test_a_mark_belongs_to_the_nearest_line_on_its_row():
    far, near, below = line(340, 50), line(200, 50), line(200, 120)
    (mark,) = found = overlooked(page((100, 50)), [far, near, below])
    assert found[mark] == near
    assert abs(mark.x - 100) < 10 and mark.y == near.y and mark.height == near.height


def test_print_off_the_rows_or_under_a_line_that_was_found_is_no_mark():
    assert overlooked(page((100, 85)), [line(200, 50), line(200, 120)]) == {}
    assert overlooked(page((210, 50)), [line(200, 50)]) == {}


def test_a_mark_that_a_leaning_line_reaches_over_is_that_lines():
    leaning = LineBox(100, 60, 100, 12, 3.0)
    assert overlooked(page((100, 48)), [line(200, 50), leaning]) == {}
    assert len(overlooked(page((100, 48)), [line(200, 50)])) == 1


def leader(pixels, start, end, y):
    """Dots of ink, 2 x 2 pixels, from one x to another."""
    for x in range(start, end, 6):
        pixels[y : y + 2, x : x + 2] = 0
    return pixels


def test_a_mark_behind_a_leader_belongs_to_the_line_before_it_however_far():
    pixels = leader(np.hstack([page()] * 3), 152, 1100, 55)
    pixels[44:56, 1104:1112] = 0
    (mark,) = found = overlooked(pixels, [line(100, 50)])
    assert found[mark] == line(100, 50)
    assert 1100 < mark.x < 1116 and mark.width < 30
