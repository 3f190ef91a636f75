"""Lines that the detector drew over two columns or more, cut where many of them leave the same white, and those over
cells, cut at the strokes between these."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import cv2
import numpy as np

from docparse.layout.ocr.detector import DRAWN, LineBox, dark_in_light, strokes

LEVEL = 2.0  # degrees at most: a steeper line has no columns of pixels
# Line heights, of about 1.4 em each:
CELL = 1.0  # from a line of one in a cell to the strokes over and under it at most
WHITE = 0.4  # of a gutter, and of many a space of a stretched line
COMMON = 0.3  # that all the lines at a gutter leave: spaces under one another share less
SIDE = 3.0  # of type before a gutter and behind it: no marker and no number of an item
BESIDE = 1.5  # from a gutter to a line that begins or ends at it
NEAR = 2.5  # from one line at a gutter to the next
TYPE = 1.5  # times as high is a headline, which tells of no gutter
LINES, ACROSS = 6, 2  # lines at a gutter, and those of them that lie over it: fewer spaces stand so by chance
EDGE = 0.5  # from white to where the columns at it end and begin; a space under them stands so by chance now and then
COLUMN = 16.0  # down the columns over or under a line that lies over both,
EITHER, BOTH = 3, 8  # in which so many lines of either end or begin at its white, and so many of both


@dataclass(frozen=True)
class _Gutter:
    """White down a page in pixels, the lines that lie over it, and how many more end or begin at it."""

    x0: float
    x1: float
    across: tuple[LineBox, ...]
    last: LineBox
    beside: int = 0

    @property
    def is_told(self) -> bool:
        telling = [line for line in self.across if _has_sides(line, self.x0, self.x1)]
        return len(telling) >= ACROSS and len(self.across) + self.beside >= LINES

    def with_line(self, line: LineBox, whites: Sequence[tuple[float, float]]) -> _Gutter | None:
        """The gutter with the next line at it, as it is if the line stands elsewhere; None where its type goes over
        it."""
        left, right = line.x - line.width / 2, line.x + line.width / 2
        if line.height > TYPE * self.last.height or right < self.x0 - BESIDE * line.height:
            return self
        if left > self.x1 + BESIDE * line.height:
            return self
        if right < self.x1 or left > self.x0:
            return replace(self, last=line, beside=self.beside + 1)
        for x0, x1 in whites:
            start, end = max(x0, self.x0), min(x1, self.x1)
            if end - start > COMMON * line.height:
                return replace(self, x0=start, x1=end, across=(*self.across, line), last=line)
        return None


def apart(pixels: np.ndarray, lines: Sequence[LineBox]) -> list[LineBox]:
    """Return the lines of a page image, uint8 RGB [height, width, 3], those that lie over gutters in pieces: white of
    half a character is no more than a space to the detector, and newspapers were read across their columns."""
    level = sorted((line for line in lines if abs(line.tilt) < LEVEL), key=lambda line: line.y)
    ink = dark_in_light(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY))
    cuts, whites = _drawn_cuts(ink, level), [(line, _whites(ink, line)) for line in level]
    for gutter in _gutters(whites):
        for line in gutter.across:
            cuts.setdefault(line, []).append((gutter.x0 + gutter.x1) / 2)
    for line, own in whites:
        if line not in cuts and (told := [white for white in own if _parts_columns(line, white, whites)]):
            cuts[line] = [(x0 + x1) / 2 for x0, x1 in told]
    return [piece for line in lines for piece in _pieces(line, cuts.get(line, []))]


def _gutters(lines: Sequence[tuple[LineBox, Sequence[tuple[float, float]]]]) -> Iterator[_Gutter]:
    """The gutters among lines with their whites, from the top down; one ends where a line has type in it."""
    going: list[_Gutter] = []
    for line, whites in lines:
        after = {gutter: gutter.with_line(line, whites) for gutter in going if _is_near(gutter, line)}
        yield from (gutter for gutter in going if after.get(gutter) is None and gutter.is_told)
        going = [gutter for gutter in after.values() if gutter is not None]
        known = [(gutter.x0, gutter.x1) for gutter in going if gutter.last is line]
        going += [
            _Gutter(x0, x1, (line,), line)
            for x0, x1 in whites
            if _has_sides(line, x0, x1) and not any(a < x1 and x0 < b for a, b in known)
        ]
    yield from (gutter for gutter in going if gutter.is_told)


def _parts_columns(
    line: LineBox, white: tuple[float, float], lines: Sequence[tuple[LineBox, Sequence[tuple[float, float]]]]
) -> bool:
    """Return whether two columns, over or under a line that lies over both, end and begin at this white in it, and no
    line next to it has type there."""
    (x0, x1), edge = white, EDGE * line.height
    if not _has_sides(line, x0, x1):
        return False
    ends, begins = [0, 0], [0, 0]
    reach = COLUMN * line.height
    near = slice(*(bisect_left(lines, line.y + off, key=lambda each: each[0].y) for off in (-reach, reach)))
    for other, whites in lines[near]:
        left, right = other.x - other.width / 2, other.x + other.width / 2
        off, inner = (other.y - line.y) / line.height, any(a < x1 and x0 < b for a, b in whites)
        if abs(off) < NEAR and left < x0 and right > x1 and not inner:
            return False
        if abs(off) > EDGE and 1 / TYPE < other.height / line.height < TYPE:
            ends[off > 0] += x0 - edge < right < x1
            begins[off > 0] += abs(left - x1) < edge
    return any(min(pair) >= EITHER and sum(pair) >= BOTH for pair in zip(ends, begins, strict=True))


def _drawn_cuts(ink: np.ndarray, lines: Sequence[LineBox]) -> dict[LineBox, list[float]]:
    """Return where long strokes run down through lines that have type on both sides of them, in pixels of the page,
    between level strokes over and under the line: in a table, and not beside the numbers of the lines of a listing."""
    height = float(np.median([line.height for line in lines] or [1.0]))
    drawn, level = (strokes(ink, DRAWN * height, down=down) for down in (True, False))
    cuts: dict[LineBox, list[float]] = {}
    for line in lines:
        rows, columns = line.within(ink.shape)
        quarter = (rows.stop - rows.start) // 4  # its rims may lie on level strokes
        middle = slice(rows.start + quarter, rows.stop - quarter)
        through = np.flatnonzero(drawn[rows, columns].all(axis=0))
        typed = np.flatnonzero((ink[middle, columns] > drawn[middle, columns]).any(axis=0))
        found = [round(np.mean(run)) for run in np.split(through, np.flatnonzero(np.diff(through) > 1) + 1) if len(run)]
        inner = [x + columns.start for x in found if len(typed) and typed[0] < x < typed[-1]]
        reach = round(CELL * height)
        sides = slice(max(0, rows.start - reach), middle.start), slice(middle.stop, rows.stop + reach)
        if inner := [float(x) for x in inner if all(level[side, x].any() for side in sides)]:
            cuts[line] = inner
    return cuts


def _is_near(gutter: _Gutter, line: LineBox) -> bool:
    return line.y - gutter.last.y < NEAR * gutter.last.height


def _whites(ink: np.ndarray, line: LineBox) -> list[tuple[float, float]]:
    """The white in a line that is as wide as a gutter: its ends in pixels of the page."""
    rows, columns = line.within(ink.shape)
    empty = np.concatenate([[0], ~ink[rows, columns].any(axis=0), [0]])
    starts, ends = np.flatnonzero(np.diff(empty.astype(np.int8))).reshape(-1, 2).T + columns.start
    wide = ends - starts > WHITE * line.height
    return list(zip(starts[wide].tolist(), ends[wide].tolist(), strict=True))


def _has_sides(line: LineBox, x0: float, x1: float) -> bool:
    half, side = line.width / 2, SIDE * line.height
    return x0 > line.x - half + side and x1 < line.x + half - side


def _pieces(line: LineBox, cuts: Sequence[float]) -> list[LineBox]:
    """The line, cut at these places; two gutters that a headline began apart may have become one."""
    if not cuts:
        return [line]
    ends = [line.x - line.width / 2, *sorted(set(cuts)), line.x + line.width / 2]
    slope = np.tan(np.radians(line.tilt))
    return [
        LineBox((x0 + x1) / 2, line.y + slope * ((x0 + x1) / 2 - line.x), x1 - x0, line.height, line.tilt)
        for x0, x1 in pairwise(ends)
    ]
