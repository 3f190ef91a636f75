"""Print that the detector left out beside the lines it found: a lone numeral, the number of an item or of a page.

PP-OCR's detector was trained on lines. A single character far from any other is often too little for it, and a Chinese
one that is a mere stroke (一) nearly always.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import cv2
import numpy as np

from docparse.hyphenation import HAN
from docparse.layout.chained import chained
from docparse.layout.ocr.detector import LineBox, dark_in_light

LEVEL = 2.0  # degrees: lines that run so are rows
# Line heights:
REACH = 25.0  # from a line to print on its row
SMALLEST, WIDEST = 0.3, 2.5  # the longer side of such print
JOINED = 0.35  # between the pieces of one mark at most
DOTTED = 1.5  # from dot to dot of a leader, and from the last to its number, at most
DOT = 0.2  # of a leader at most: the least letter, a dotless i, is twice as high
INSIDE = 0.1  # by which it may reach over its row
AROUND = 0.2  # of white at either end, for the recogniser
CLEAR = 0.2  # by which its row may cut into another line
MOST = 60  # of a page: one with more is a drawing
SURE = 0.95  # confidence from which what it says counts: of strokes and specks 3 in 40 are read with more
DASHES = "-–—"  # the recogniser does not tell them apart where nothing stands beside them
STROKES = frozenset(DASHES + "一")  # mere strokes: they are print only where they lead a line
# What it says at least: a lone letter may as well be a bracket, or part of a drawing.
PRINT = re.compile(rf"[\d{HAN}]|[^\W\d_]{{2}}|^[A-Za-z][.)]$")


def overlooked(pixels: np.ndarray, lines: Sequence[LineBox]) -> dict[LineBox, LineBox]:
    """Return the boxes of marks of ink (uint8 RGB [height, width, 3]) on the rows of `lines` and outside of them, as
    high as the nearest line on the row, each with that line."""
    rows = [line for line in lines if abs(line.tilt) < LEVEL and line.width > line.height]
    if not rows:
        return {}
    height = float(np.median([line.height for line in rows]))
    spans: dict[LineBox, list[tuple[int, int]]] = {}
    row_extents, extents = _extents(rows), _extents(lines)
    for start, (x, y, width, high) in _marks(_ink_outside(pixels, lines), height):
        if SMALLEST * height < max(width, high) < WIDEST * height and min(width, high) > 1:
            held = _rows_with(start, y, x + width - start, high, row_extents)
            fitting = (i for i in held if _is_free(x, x + width, rows[i], extents))
            if (i := next(fitting, None)) is not None:
                spans.setdefault(rows[i], []).append((x, x + width))
    found = {_box(row, *span): row for row, pieces in spans.items() for span in _merged(pieces)}
    return found if len(found) <= MOST else {}


def told(text: str, *, leads: bool) -> str:
    """Return what a mark says, "" where it may be no print; `leads` says that it stands before the line on its row."""
    if text in STROKES and not leads:
        return ""
    if text in DASHES:
        return "–"
    return text if PRINT.search(text) else ""


def _ink_outside(pixels: np.ndarray, lines: Sequence[LineBox]) -> np.ndarray:
    """uint8 [height, width]: 1 where there is ink that no line covers."""
    ink = dark_in_light(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY))
    for line in lines:
        cv2.fillPoly(ink, [np.round(line.corners).astype(np.int32)], 0)
    return ink


def _marks(ink: np.ndarray, height: float) -> list[tuple[int, tuple[int, int, int, int]]]:
    """Return the pieces of ink that stand together: left edge, top, width and height, each with where it, or the
    leader of dots that ends in it, begins; lines are `height` high."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    small = stats[:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]].max(axis=1) < DOT * height
    dots = (small[labels] & (ink > 0)).astype(np.uint8)
    leaders = [piece for piece in _pieces(_joined(dots, DOTTED * height)) if piece[2] > WIDEST * height]
    reach = round(DOTTED * height) // 2  # by which they are wider than their dots, at either end
    rest = ink.copy()
    for x, y, width, high in leaders:
        part = slice(y, y + high), slice(x, x + width)
        rest[part] &= 1 - dots[part]
    left, top, wide = np.array([piece[:3] for piece in leaders], int).reshape(-1, 3).T
    found = []
    for x, y, width, high in _pieces(_joined(rest, JOINED * height)):
        led = left[(left < x) & (x < left + wide) & (y <= top) & (top < y + high)]
        found.append((int(led.min()) + reach if len(led) else x, (x, y, width, high)))
    return found


def _joined(ink: np.ndarray, gap: float) -> np.ndarray:
    return cv2.dilate(ink, np.ones((1, max(1, round(gap))), np.uint8))


def _pieces(ink: np.ndarray) -> list[tuple[int, int, int, int]]:
    count, _, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    return [(x, y, width, high) for x, y, width, high, _ in stats[1:count].tolist()]


def _extents(lines: Sequence[LineBox]) -> np.ndarray:
    """float [5, n]: the left and right ends of lines, their tops and bottoms as if level, and their heights."""
    x, y, width, height = np.array([(line.x, line.y, line.width, line.height) for line in lines]).T
    return np.stack([x - width / 2, x + width / 2, y - height / 2, y + height / 2, height])


def _rows_with(x: int, y: int, width: int, height: int, rows: np.ndarray) -> list[int]:
    """Which rows hold a mark, by index, the nearest first; `rows` as `_extents` has them."""
    left, right, top, bottom, high = rows
    apart = np.maximum(left - x - width, x - right)
    inside = np.minimum(y - top, bottom - (y + height)) > -INSIDE * high
    held = np.flatnonzero(inside & (apart >= 0) & (apart < REACH * high))
    return held[np.argsort(apart[held], kind="stable")].tolist()


def _is_free(start: float, end: float, row: LineBox, lines: np.ndarray) -> bool:
    """Whether no line reaches into that part of the row; `lines` as `_extents` has them."""
    left, right, top, bottom, high = lines
    across = np.minimum(end, right) - np.maximum(start, left)
    down = (high + row.height) / 2 - np.abs((top + bottom) / 2 - row.y)
    return not np.any((across > 0) & (down > CLEAR * row.height))


def _merged(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans that overlap as one: the strokes of 二 lie over each other."""
    runs = chained(sorted(spans), lambda run, span: span[0] <= max(end for _, end in run))
    return [(run[0][0], max(end for _, end in run)) for run in runs]


def _box(row: LineBox, start: float, end: float) -> LineBox:
    # One that is higher than wide might be taken for text on its side.
    width = max(end - start + 2 * AROUND * row.height, 1.01 * row.height)
    return LineBox((start + end) / 2, row.y, width, row.height, 0.0)
