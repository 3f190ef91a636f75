"""Spaces that the recogniser missed."""

import numpy as np
import pytest

from docparse.layout.ocr.recogniser import HEIGHT, Reading
from docparse.layout.ocr.spaces import respaced

WIDTH = 10


def reading(text, whites, likely=None):
    """A line of letters `WIDTH` wide with so much white behind each but the last, and the ink in its columns."""
    starts = np.cumsum([0, *(WIDTH + white for white in whites)])
    columns = np.zeros(int(starts[-1]) + WIDTH + 1, bool)
    letters = [char for char in text if char != " "]
    at = iter(starts)
    centers, last = [], 0.0
    for char in text:
        last = last + WIDTH if char == " " else float(next(at)) + WIDTH / 2
        centers.append(last)
    for start in starts[: len(letters)]:
        columns[int(start) : int(start) + WIDTH] = True
    spaces = np.zeros(len(text))
    for k, share in (likely or {}).items():
        spaces[k] = share
    return Reading(text, np.array(centers), np.ones(len(text)), spaces=spaces), columns


@pytest.mark.parametrize(
    "white, likely, said",
    [
        (9, 0.4, "allow docks"),
        (9, 0.0, "allowdocks"),  # wide white alone may be that of an f or a T
        (3, 0.4, "allowdocks"),
        (18, 0.13, "allow docks"),
        (7, 0.2, "allowdocks"),
    ],
)
def test_a_space_that_was_nearly_read_counts_where_white_tells_so(white, likely, said):
    line, columns = reading("allowdocks", [2] * 4 + [white] + [2] * 4, {5: likely})
    assert respaced(line, columns).text == said
    assert len(respaced(line, columns).centers) == len(said)


def test_no_space_stands_before_a_comma_between_figures_or_behind_one_letter():
    for text in ("nature,and", "12345,6789", "one (A1234"):
        line, columns = reading(text, [2] * 5 + [12] + [2] * 3, {6: 0.4})
        assert respaced(line, columns).text == text


def test_in_monospaced_type_an_empty_place_is_a_space():
    line, columns = reading("separatedby", [2] * 8 + [14, 2])
    assert respaced(line, columns, advance=WIDTH + 2.0).text == "separated by"
    assert respaced(line, columns).text == "separatedby"
    assert HEIGHT > 2 * WIDTH  # the line is as high as its letters need
