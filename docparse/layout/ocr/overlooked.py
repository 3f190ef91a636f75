"""Print that the detector left out, which was trained on lines: beside those it found a lone numeral, the number of an
item or of a page; before a paragraph its initial, as high as two lines or more; in a table dashes.

A single character far from any other is often too little for it, and a Chinese one that is a mere stroke (一) nearly
always.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import cv2
import numpy as np

from docparse.hyphenation import HAN, is_cjk
from docparse.layout.chained import chained, grouped
from docparse.layout.ocr.detector import LineBox, dark_in_light
from docparse.layout.ocr.light import contrast, ink_in
from docparse.layout.ocr.recogniser import Reading
from docparse.pdf.content import PageImage

LEVEL = 2.0  # degrees: lines that run so are rows
# Line heights:
REACH = 25.0  # from a line to print on its row
SMALLEST, WIDEST = 0.3, 2.5  # the longer side of such print
JOINED = 0.35  # between the pieces of one mark at most
DOTTED = 1.5  # from dot to dot of a leader, and from the last to its number, at most
DOT = 0.3  # of a leader at most, blurred: boxes of small type are 2.5 times as high as its capitals
INSIDE = 0.1  # by which it may reach over its row
AROUND = 0.2  # of white at either end, for the recogniser
CLEAR = 0.4  # by which its row may cut into another line, of the lower: boxes of lines set solid do
MOST, SHARE = 60, 0.5  # of a page: one with more is a drawing, or a table with a dash for two of its lines at most
SURE = 0.95  # confidence from which what it says counts: of strokes and specks 3 in 40 are read with more
DASHES = "-–—"  # the recogniser does not tell them apart where nothing stands beside them
STROKES = frozenset(DASHES + "一_")  # mere strokes: they are print only where they lead a line
# What it says at least: a lone letter may as well be a bracket, or part of a drawing.
PRINT = re.compile(rf"[\d{HAN}]|[^\W\d_]{{2}}|^[A-Za-z][.)]$")
# Line heights:
LOWEST, HIGHEST = 1.3, 5.0  # of an initial: its capital is as high as two lines, whose boxes have room around them
AWAY = 1.2  # from it to the lines beside it at most
FLUSH, UNDER = 0.5, 2.0  # between its margin and that of the line that runs on under it; between that and its foot
THIN, BROAD = 0.15, 1.5  # of its height: how broad an initial is, an I and a W
WHITE = 0.08  # of its height around it, for the recogniser: the lines beside it are near
UPRIGHT = 1.4  # times as high as wide at most: higher lines are read on their sides
NEAR = 3.0  # from a dash to the cell over or under it, at most
SHORT = 8.0  # the width of a cell in a column of short ones
LONG = 1.45  # times as wide as high, with the white around it, is the box of a dash of one em; that of half one 1.3
TIGHT = 0.85  # from the middle of the bar of a fraction to those of its numbers, at most; rows stand farther apart
FLAT = 0.2  # of the height of its row at most: how high a dash is
MIDST = (0.3, 0.68)  # of that height: where the middle of a dash is; blanks to fill in are lower


def overlooked(image: PageImage, lines: Sequence[LineBox]) -> dict[LineBox, LineBox]:
    """Return the boxes, in pixels, of marks of ink on the rows of `lines` and outside of them, as high as the nearest
    line on the row, each with that line. Where the paper has so much grain that it would be ink, only what is clearly
    darker is."""
    rows = _rows(lines)
    if not rows:
        return {}
    free = 1 - _covered(image.pixels.shape[:2], lines)
    found = _print_in(dark_in_light(cv2.cvtColor(image.pixels, cv2.COLOR_RGB2GRAY)) * free, rows, lines)
    if found is None:
        found = _print_in((ink_in(contrast(image)) > 0) * free, rows, lines)
    return found or {}


def _print_in(ink: np.ndarray, rows: Sequence[LineBox], lines: Sequence[LineBox]) -> dict[LineBox, LineBox] | None:
    """Return the boxes of the marks in `ink`, uint8 [height, width], each with the row that it stands on; of more than
    a few dozen those that are flat; None where there are too many even for that."""
    height = float(np.median([line.height for line in rows]))
    row_extents, extents = _extents(rows), _extents(lines)
    marks: list[tuple[LineBox, int, int, int]] = []
    for start, (x, y, width, high) in _marks(ink, height):
        if SMALLEST * height < max(width, high) < WIDEST * height:
            held = _rows_with(start, y, x + width - start, high, row_extents)
            fitting = (i for i in held if _is_free(x, x + width, rows[i], extents))
            if (i := next(fitting, None)) is not None:
                marks.append((rows[i], x, x + width, high))
    found = _boxes(marks)
    if MOST < len(found) <= SHARE * len(lines):
        return _boxes([mark for mark in marks if mark[3] < FLAT * height])
    return found if len(found) <= MOST else None


def _boxes(marks: Sequence[tuple[LineBox, int, int, int]]) -> dict[LineBox, LineBox]:
    spans = grouped((row, (x0, x1)) for row, x0, x1, _ in marks)
    return {_box(row, *span): row for row, pieces in spans.items() for span in _merged(pieces)}


def told(text: str, *, leads: bool) -> str:
    """Return what a mark says, "" where it may be no print; `leads` says that it stands before the line on its row."""
    if text in STROKES and not leads:
        return ""
    if text in DASHES:
        return "–"
    return text if PRINT.search(text) else ""


def _rows(lines: Sequence[LineBox]) -> list[LineBox]:
    return [line for line in lines if abs(line.tilt) < LEVEL and line.width > line.height]


def _covered(shape: tuple[int, ...], lines: Sequence[LineBox]) -> np.ndarray:
    """uint8 [height, width]: 1 where a line lies."""
    covered = np.zeros(shape, np.uint8)
    for line in lines:
        cv2.fillPoly(covered, [np.round(line.corners).astype(np.int32)], 1)
    return covered


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
    """Return which rows hold a mark, by index, the nearest first; `rows` as `_extents` has them."""
    left, right, top, bottom, high = rows
    apart = np.maximum(left - x - width, x - right)
    inside = np.minimum(y - top, bottom - (y + height)) > -INSIDE * high
    held = np.flatnonzero(inside & (apart >= 0) & (apart < REACH * high))
    return held[np.argsort(apart[held], kind="stable")].tolist()


def _is_free(start: float, end: float, row: LineBox, lines: np.ndarray) -> bool:
    """Return whether no line reaches into that part of the row; `lines` as `_extents` has them."""
    left, right, top, bottom, high = lines
    across = np.minimum(end, right) - np.maximum(start, left)
    down = (high + row.height) / 2 - np.abs((top + bottom) / 2 - row.y)
    return not np.any((across > 0) & (down > CLEAR * np.minimum(high, row.height)))


def _merged(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans that overlap as one: the strokes of 二 lie over each other."""
    runs = chained(sorted(spans), lambda run, span: span[0] <= max(end for _, end in run))
    return [(run[0][0], max(end for _, end in run)) for run in runs]


def _box(row: LineBox, start: float, end: float) -> LineBox:
    # One that is higher than wide might be taken for text on its side.
    width = max(end - start + 2 * AROUND * row.height, 1.01 * row.height)
    return LineBox((start + end) / 2, row.y, width, row.height, 0.0)


def find_initials(image: PageImage, lines: Sequence[LineBox]) -> list[LineBox]:
    """Return the boxes, in pixels, of marks of ink that may be initials: each stands alone beside the first two lines
    or more of a paragraph that runs on under it."""
    rows = _rows(lines)
    if not rows:
        return []
    extents = _extents(rows)
    pieces = np.array(_pieces(ink_in(contrast(image))), int).reshape(-1, 4)
    x, y, wide, high = pieces.T
    usual = float(np.median(extents[4]))
    shaped = (high > LOWEST * usual) & (high < HIGHEST * usual) & (wide > THIN * high) & (wide < BROAD * high)
    # lines reach over the rims of initials, but not over their middles
    shaped &= _covered(image.pixels.shape[:2], lines)[y + high // 2, x + wide // 2] == 0
    return [_with_white(*mark) for mark in pieces[shaped].tolist() if _begins_paragraph(mark, extents)]


def is_initial(reading: Reading, angle: int) -> bool:
    """Return whether a recogniser is sure of one capital or one Chinese character, upright."""
    text = reading.text
    return angle == 0 and reading.confidence >= SURE and len(text) == 1 and (text.isupper() or is_cjk(text))


def _begins_paragraph(mark: Sequence[int], rows: np.ndarray) -> bool:
    """Return whether two rows or more begin right of a mark, and the next one under these at its left edge; `rows` as
    `_extents` has them."""
    x, y, wide, high = mark
    left, _, top, foot, em = rows
    middle = (top + foot) / 2
    beside = (
        (middle > y - 0.5 * em) & (middle < y + high) & (left > x + wide - 0.3 * em) & (left < x + wide + AWAY * em)
    )
    under = (np.abs(left - x) < FLUSH * em) & (middle > y + high) & (middle < y + high + UNDER * em)
    return bool(beside.sum() > 1 and under.any())


def _with_white(x: int, y: int, wide: int, high: int) -> LineBox:
    around = 2 * WHITE * high
    height = high + around
    return LineBox(x + wide / 2, y + high / 2, max(wide + around, height / UPRIGHT), height, 0.0)


def is_flat(ink: np.ndarray) -> bool:
    """Return whether the ink of a line, bool [height, width], is one level stroke in its middle."""
    x, y, wide, high = cv2.boundingRect(ink.astype(np.uint8))
    if not 0 < high < min(FLAT * len(ink), wide / 1.5) or not MIDST[0] < (y + high / 2) / len(ink) < MIDST[1]:
        return False
    return bool(ink[y : y + high, x : x + wide].mean() > 0.7)


def dashes(lines: Sequence[tuple[LineBox, str]]) -> dict[int, str]:
    """Return what the lines that are a dash in a column of cells say, by index; `lines` are level boxes on one image
    and readings. There is a number over it or under it, or on both sides, or a short cell over it and under it."""
    cells = [i for i, (box, text) in enumerate(lines) if text in STROKES and _is_cell(box, lines)]
    return {i: "—" if lines[i][0].width > LONG * lines[i][0].height else "–" for i in cells}


def _is_cell(dash: LineBox, lines: Sequence[tuple[LineBox, str]]) -> bool:
    """Return whether a dash has such cells around it; between single characters of Chinese it is a character."""
    column = [(line.y - dash.y, said, line.width) for line, said in lines if abs(line.x - dash.x) < line.width / 2]
    row = [(line.x - dash.x, said, line.width) for line, said in lines if abs(line.y - dash.y) < 0.5 * dash.height]
    beside = [_next_cell(row, sign, REACH * dash.height) for sign in (-1, 1)]
    if all(len(said) == 1 and is_cjk(said) for said, _ in beside):
        return False
    if all(_is_number(said) for said, _ in beside):
        return True
    over, under = (_is_number_at(column, sign, TIGHT * dash.height) for sign in (-1, 1))
    if over and under:
        return False  # the bar of a fraction
    around = [_next_cell(column, sign, NEAR * dash.height) for sign in (-1, 1)]
    short = [said for said, width in around if said and width < SHORT * dash.height]
    return len(short) == 2 or any(map(_is_number, short))


def _is_number_at(column: Sequence[tuple[float, str, float]], sign: int, reach: float) -> bool:
    """Return whether a number stands so near a stroke, over it or under it by the `sign`."""
    return any(0 < sign * away < reach and _is_number(said) for away, said, _ in column)


def _next_cell(row: Sequence[tuple[float, str, float]], sign: int, reach: float) -> tuple[str, float]:
    """Return what the next cell of a row, or column, behind a dash says that is no dash itself, and its width, ("", 0)
    where there is none in reach of the last dash; each has its distance, and -1 as the sign looks before it."""
    behind = sorted((sign * away, said, width) for away, said, width in row if sign * away > 0)
    last = 0.0
    for away, said, width in behind:
        if away > last + reach:
            break
        if said not in STROKES:
            return said, width
        last = away
    return "", 0.0


def _is_number(text: str) -> bool:
    return any(map(str.isdigit, text)) and not any(map(str.isalpha, text))
