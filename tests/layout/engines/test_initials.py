"""Large initials of paragraphs, of which the detector finds no line."""

import cv2
import numpy as np
import pytest

from docparse.layout.ocr.detector import LineBox
from docparse.layout.ocr.overlooked import find_initials, is_initial
from docparse.layout.ocr.recogniser import Reading
from docparse.pdf.content import PageImage

BESIDE, UNDER = [(120, 100), (120, 130)], [(60, 160), (60, 190)]


def row(left, middle, width=400):
    return LineBox(left + width / 2, middle, width, 20, 0.0)


def page(rows, colour=(224, 160, 0)):
    pixels = np.full((400, 700, 3), 255, np.uint8)
    for left, middle in rows:
        cv2.putText(pixels, "some words of a line", (left, middle + 6), 0, 0.7, (0, 0, 0), 2)
    cv2.putText(pixels, "L", (64, 140), 0, 2.2, colour, 6)
    return PageImage(pixels, 2.0)


@pytest.mark.parametrize("rows", [[*BESIDE, *UNDER], [*BESIDE[:1], *UNDER], BESIDE], ids=["both", "one beside", "none"])
def test_a_mark_beside_lines_of_a_paragraph_that_runs_on_under_it_may_be_its_initial(rows):
    found = find_initials(page(rows), [row(*each) for each in rows])
    assert len(found) == (rows[2:] == UNDER)
    assert all(60 < each.x < 110 and 95 < each.y < 140 and each.height > 40 for each in found)


def test_what_was_read_is_no_initial_that_was_left_out():
    rows = [row(*each) for each in (*BESIDE, *UNDER)]
    assert find_initials(page([*BESIDE, *UNDER]), [*rows, LineBox(80, 117, 50, 60, 0.0)]) == []


def reading(text, confidence=0.99):
    return Reading(text, np.zeros(len(text)), np.full(len(text), confidence), np.zeros(len(text)))


@pytest.mark.parametrize(
    "said, angle, expected",
    [(reading("L"), 0, True), (reading("要"), 0, True), (reading("L"), 90, False), (reading("l"), 0, False),
     (reading("La"), 0, False), (reading("L", 0.8), 0, False)],
)  # fmt: skip
def test_an_initial_is_one_capital_or_chinese_character_that_is_read_with_certainty(said, angle, expected):
    assert is_initial(said, angle) is expected
