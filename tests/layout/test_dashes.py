"""Dashes in the cells of tables, among the lines that OCR has read."""

import pytest

from docparse.layout.ocr.detector import LineBox
from docparse.layout.ocr.overlooked import dashes


def cell(text, y, width=60, x=300):
    return LineBox(x, y, width, 20, 0.0), text


@pytest.mark.parametrize(
    "lines, said",
    [
        ([cell("1,234", 100), cell("一", 130, 20)], {1: "–"}),
        ([cell("1,234", 100), cell("一", 130, 30)], {1: "—"}),
        ([cell("-", 100, 20), cell("12.5", 130)], {0: "–"}),
        ([cell("yes", 100), cell("—", 130, 30), cell("no", 160)], {1: "—"}),
        ([cell("yes", 100), cell("—", 130, 30)], {}),
        ([cell("—", 100, 30), cell("—", 130, 30), cell("—", 160, 30)], {}),
        ([cell("a line of running text over it", 100, 400), cell("—", 130, 30), cell("no", 160)], {}),
        ([cell("1,234", 100), cell("—", 400, 30)], {}),
        ([cell("1,234", 100, x=100), cell("—", 130, 30)], {}),
        ([cell("1,234", 100), cell("I", 130, 10)], {}),
    ],
    ids=["under a number", "a long one", "over a number", "between short cells", "at the end of words", "of a list",
         "under running text", "far from the number", "in another column", "a letter"],
)  # fmt: skip
def test_a_stroke_in_a_column_of_cells_is_a_dash(lines, said):
    assert dashes(lines) == said
