"""Small shapes that are drawn, not typed: bullets, boxes to tick, and the signs of roots.

Browsers paint the bullets of a list, and forms the boxes before an answer. Each is a path about as wide as it is high
and smaller than a line; a tick is another path within a box.
Formula editors draw roots: a steep stroke, at whose lower end a short one ends and at whose upper end the bar over the
root begins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from docparse.pdf.objects import Rect
from docparse.pdf.space import PageSpace
from docparse.types import Box

SMALLEST, LARGEST = 1.5, 16.0  # points: from a bullet in small print to a box to tick in large
SQUARE = 0.6  # of the longer side: the shorter one of anything that is a bullet
EVEN = 0.85  # the same of an outline: the head of an arrow is longer than wide
BOX = 5.0  # points: a stroked square at least so large is a box to tick
MAX_MARKS = 2_000  # of a page: one with more is a drawing
ROOT = "√"  # as a letter it hangs from its bar in some fonts and stands on the line in others
STEEP = 2.5, 8.0  # times as high as wide
LOWEST, HIGHEST = 4.0, 60.0  # points: from a root in an exponent to one over a fraction of fractions
WIDTH = 0.55  # of its height that a sign is wide, with the short strokes before the steep one
FLAT, TOUCH, TICK = 0.5, 1.0, 8.0  # points; the last one is wider than the short stroke of the largest sign


@dataclass(frozen=True, slots=True)
class Mark:
    """A shape in user space: x0, y0, x1, y1. `filled` with a colour, else an outline; `square` or some other shape."""

    box: Rect
    filled: bool
    square: bool

    @property
    def text(self) -> str:
        """Return the character that looks like it."""
        if self.filled:
            return "▪" if self.square else "•"
        return "☐" if self.square and self.box[2] - self.box[0] >= BOX else "◦"


def is_small(box: Rect) -> bool:
    """Return whether a shape is as small, and as wide as high, as a bullet."""
    width, height = box[2] - box[0], box[3] - box[1]
    return SMALLEST <= min(width, height) >= SQUARE * max(width, height) and max(width, height) <= LARGEST


def _ticks(mark: Mark, square: Mark) -> bool:
    """Return whether a mark is a tick in a box that is filled, as browsers paint those."""
    stroke = not (mark.filled or mark.square)
    return stroke and square.text == "▪" and square.box[2] - square.box[0] >= BOX


def placed(marks: list[Mark], space: PageSpace) -> list[tuple[Box, str]]:
    """Return the marks in page space, each with its character; what is drawn within a box ticks it, and is none."""
    if not 0 < len(marks) <= MAX_MARKS:
        return []
    boxes = space.boxes([mark.box for mark in marks])
    center = (boxes[:, :2] + boxes[:, 2:]) / 2
    low, high = boxes[:, :2] - 0.5, boxes[:, 2:] + 0.5
    inside = ((center[:, None] > low) & (center[:, None] < high)).all(axis=2)
    sides = boxes[:, 2:] - boxes[:, :2]
    area, even = sides.prod(axis=1), sides.min(axis=1) >= EVEN * sides.max(axis=1)
    shown = even | np.array([mark.filled for mark in marks])
    within = inside & (np.arange(len(marks))[:, None] > np.arange(len(marks))[None])  # painted later
    result = []
    for index, mark in enumerate(marks):
        around = [marks[other] for other in np.flatnonzero(within[index])]
        if not shown[index] or any(other.text == "☐" or _ticks(mark, other) for other in around):
            continue
        later = np.flatnonzero(within[:, index])
        ticked = any(_ticks(marks[other], mark) for other in later)
        if mark.text == "☐":
            ticked = any(area[other] < 0.98 * area[index] or not marks[other].square for other in later)
        result.append((Box(*boxes[index].round(2).tolist()), "☑" if ticked else mark.text))
    return result


def roots(lines: Sequence[Rect], space: PageSpace) -> list[tuple[Box, str]]:
    """Return the boxes of signs on the page, each with its character; `lines` are strokes in user space."""
    if not lines:
        return []
    ends = space.points(np.array(lines, np.float64).reshape(-1, 2, 2))
    ends = np.where(ends[:, :1, :1] > ends[:, 1:, :1], ends[:, ::-1], ends)  # from the left
    (x0, y0), (x1, y1) = ends[:, 0].T, ends[:, 1].T
    bars = _places(ends[(np.abs(y1 - y0) < FLAT) & (x1 - x0 > LOWEST), 0])
    rise, width = y0 - y1, x1 - x0
    steep = (rise > LOWEST) & (rise < HIGHEST) & (rise > STEEP[0] * width) & (rise < STEEP[1] * width)
    hooks = _places(ends[~steep & (width > FLAT) & (width < TICK), 1])
    found: dict[tuple[float, ...], Box] = {}
    for left, bottom, right, top in ends[steep].reshape(-1, 4).tolist():
        if _place(right, top) in bars and _place(left, bottom) in hooks:
            found[round(right), round(top)] = Box(right - WIDTH * (bottom - top), top, right, bottom)
    return [(box, ROOT) for box in found.values()]


def _places(points: np.ndarray) -> set[tuple[int, int]]:
    """The places of points, float64 [n, 2], and those beside them: what falls into one touches."""
    return {
        (x + i, y + j) for x, y in (_place(*point) for point in points.tolist()) for i in (-1, 0, 1) for j in (-1, 0, 1)
    }


def _place(x: float, y: float) -> tuple[int, int]:
    return round(x / TOUCH), round(y / TOUCH)
