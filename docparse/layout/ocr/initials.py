"""Large initials that the detector left out: it was trained on lines, and one letter as high as three is none."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from docparse.hyphenation import is_cjk
from docparse.layout.ocr.detector import LineBox
from docparse.layout.ocr.light import contrast, ink_in
from docparse.layout.ocr.overlooked import SURE
from docparse.layout.ocr.recogniser import Reading
from docparse.pdf.content import PageImage

LEVEL = 2.0  # degrees: lines that run so are rows
# Line heights:
LOWEST, HIGHEST = 1.3, 5.0  # of an initial: its capital is as high as two lines, whose boxes have room around them
AWAY = 1.2  # from it to the lines beside it at most
FLUSH, UNDER = 0.5, 2.0  # between its margin and that of the line that runs on under it; between that and its foot
THIN, BROAD = 0.15, 1.5  # of its height: how broad an initial is, an I and a W
WHITE = 0.08  # of its height around it, for the recogniser: the lines beside it are near
UPRIGHT = 1.4  # times as high as wide at most: higher lines are read on their sides


def find_initials(image: PageImage, lines: Sequence[LineBox]) -> list[LineBox]:
    """Return the boxes, in pixels, of marks of ink that may be initials: each stands alone beside the first two lines
    or more of a paragraph that runs on under it."""
    rows = np.array([_edges(line) for line in lines if abs(line.tilt) < LEVEL and line.width > line.height])
    if not len(rows):
        return []
    ink = ink_in(contrast(image))
    read = np.zeros_like(ink)  # lines reach over the rims of initials, but not over their middles
    for line in lines:
        cv2.fillPoly(read, [np.round(line.corners).astype(np.int32)], 1)
    _, _, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    usual = float(np.median(rows[:, 3] - rows[:, 1]))
    x, y, wide, high = stats[1:, :4].T
    shaped = (high > LOWEST * usual) & (high < HIGHEST * usual) & (wide > THIN * high) & (wide < BROAD * high)
    shaped &= read[y + high // 2, x + wide // 2] == 0
    marks = stats[1:, :4][shaped].tolist()
    return [_with_white(*mark) for mark in marks if _begins_paragraph(mark, rows)]


def is_initial(reading: Reading, angle: int) -> bool:
    """Return whether a recogniser is sure of one capital or one Chinese character, upright."""
    text = reading.text
    return angle == 0 and reading.confidence >= SURE and len(text) == 1 and (text.isupper() or is_cjk(text))


def _edges(line: LineBox) -> tuple[float, float, float, float]:
    left, top = line.x - line.width / 2, line.y - line.height / 2
    return left, top, left + line.width, top + line.height


def _begins_paragraph(mark: Sequence[int], rows: np.ndarray) -> bool:
    """Whether two rows or more begin right of a mark, and the next one under these at its left edge."""
    x, y, wide, high = mark
    left, top, _, foot = rows.T
    em, middle = foot - top, (top + foot) / 2
    beside = (
        (middle > y - 0.5 * em) & (middle < y + high) & (left > x + wide - 0.3 * em) & (left < x + wide + AWAY * em)
    )
    under = (np.abs(left - x) < FLUSH * em) & (middle > y + high) & (middle < y + high + UNDER * em)
    return bool(beside.sum() > 1 and under.any())


def _with_white(x: int, y: int, wide: int, high: int) -> LineBox:
    around = 2 * WHITE * high
    height = high + around
    return LineBox(x + wide / 2, y + high / 2, max(wide + around, height / UPRIGHT), height, 0.0)
