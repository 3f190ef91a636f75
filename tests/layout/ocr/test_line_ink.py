"""What of a line's picture is ink of its own, and how large type is whose neighbours reach into the picture."""

import cv2
import numpy as np
import pytest

from docparse.layout.ocr.line_ink import ink_of
from docparse.layout.ocr.recogniser import HEIGHT
from docparse.layout.ocr.tokens import Token, measure


def picture(dark_bar=None):
    line = np.full((HEIGHT, 240, 3), 255, np.uint8)
    colour = (0, 0, 0)
    if dark_bar:
        top, bottom = dark_bar
        line[top:bottom] = (30, 40, 90)
        colour = (255, 255, 255)
    cv2.putText(line, "popcon", (40, 30), cv2.FONT_HERSHEY_SIMPLEX, 0.8, colour, 2)
    return line


def framed():
    line = picture()
    cv2.rectangle(line, (4, 0), (234, HEIGHT), (0, 0, 0), 1)
    return line


def with_edge():
    line = picture()
    line[:, :2] = 0
    return line


def between_strokes():
    line = picture()
    line[3:5] = line[43:45] = 90
    return line


def with_stroke_over():
    line = picture()
    cv2.line(line, (0, 3), (239, 4), (0, 0, 0), 2)
    return line


PICTURES = {
    "frame": framed(), "edge": with_edge(), "bar": picture((11, 48)), "strokes": between_strokes(),
    "stroke over": with_stroke_over(),
}  # fmt: skip


@pytest.mark.parametrize("line", PICTURES.values(), ids=PICTURES)
def test_what_stands_around_the_letters_of_a_cell_is_no_ink(line):
    rows = np.flatnonzero(ink_of(line).any(axis=1))
    letters = np.flatnonzero(ink_of(picture()).any(axis=1))
    assert abs(rows[0] - letters[0]) <= 1 and abs(rows[-1] - letters[-1]) <= 1


def on_pattern(paper, patch, ink):
    line = np.full((HEIGHT, 240, 3), paper, np.uint8)
    for x, y in ((60, 0), (100, 30), (170, -10)):
        cv2.rectangle(line, (x, y), (x + 30, y + 34), patch, -1)
    cv2.putText(line, "popcon", (40, 30), cv2.FONT_HERSHEY_SIMPLEX, 0.8, ink, 2)
    return line


PATTERNS = {
    "light type": on_pattern((120,) * 3, (190,) * 3, (255,) * 3),
    "dark type": on_pattern((230,) * 3, (150,) * 3, (10,) * 3),
    "type as light as its paper": on_pattern((0, 160, 220), (90, 200, 245), (100,) * 3),
}


@pytest.mark.parametrize("line", PATTERNS.values(), ids=PATTERNS)
def test_a_picture_behind_the_letters_is_no_ink(line):
    ink, letters = ink_of(line), ink_of(picture())
    assert (ink & letters).sum() > 0.8 * (ink | letters).sum()


@pytest.mark.parametrize("few", [True, False])
def test_a_chinese_line_is_as_large_as_its_characters_whatever_reaches_in(few):
    ink = np.zeros((HEIGHT, 400), bool)
    for k in range(10):
        ink[12:40, 40 * k + 4 : 40 * k + 36] = True
    plain = measure([Token("传统的居民改变了市场", 1.0, 0.0, 400.0)], ink)
    reach = [slice(50, 60), slice(170, 190)] if few else [slice(0, 400)] * 2
    ink[0:8, reach[0]] = ink[44:48, reach[1]] = True  # of the lines above and below
    assert measure([Token("传统的居民改变了市场", 1.0, 0.0, 400.0)], ink) == plain


def test_a_letter_that_touches_the_strokes_of_its_cell_is_ink():
    line = np.full((HEIGHT, 34, 3), 255, np.uint8)
    cv2.putText(line, "A", (6, 36), cv2.FONT_HERSHEY_SIMPLEX, 1.0, (0, 0, 0), 2)
    line[40] = line[:, 6] = 0
    columns = np.flatnonzero(ink_of(line).any(axis=0))
    assert len(columns) > 10 and columns[0] > 6
