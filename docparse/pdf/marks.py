"""Small shapes that are drawn, not typed: bullets, boxes to tick, and the sign of parallel lines.

Browsers paint the bullets of a list, and forms the boxes before an answer. Each is a path about as wide as it is high
and smaller than a line; a tick is another path within a box. TeX draws two slanting strokes between what is parallel.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from docparse.pdf.objects import Rect
from docparse.pdf.space import PageSpace
from docparse.types import Box

SMALLEST, LARGEST = 1.5, 16.0  # points: from a bullet in small print to a box to tick in large
SQUARE = 0.6  # of the longer side: the shorter one of anything that is a bullet
EVEN = 0.85  # the same of an outline: the head of an arrow is longer than wide
BOX = 5.0  # points: a stroked square at least so large is a box to tick
PARALLEL = "⫽"
MAX_MARKS = 2_000  # of a page: one with more is a drawing


@dataclass(frozen=True, slots=True)
class Mark:
    """A shape in user space: x0, y0, x1, y1. `filled` with a colour, else an outline; `square`, two `parallel` strokes,
    or some other shape."""

    box: Rect
    filled: bool
    square: bool
    parallel: bool = False

    @property
    def text(self) -> str:
        """Return the character that looks like it."""
        if self.parallel:
            return PARALLEL
        if self.filled:
            return "▪" if self.square else "•"
        return "☐" if self.square and self.box[2] - self.box[0] >= BOX else "◦"


def is_small(box: Rect) -> bool:
    """Return whether a shape is as small, and as wide as high, as a bullet."""
    width, height = box[2] - box[0], box[3] - box[1]
    return SMALLEST <= min(width, height) >= SQUARE * max(width, height) and max(width, height) <= LARGEST


def _ticks(mark: Mark, square: Mark) -> bool:
    """Return whether a mark is a tick in a box that is filled, as browsers paint those."""
    stroke = not (mark.filled or mark.square or mark.parallel)
    return stroke and square.text == "▪" and square.box[2] - square.box[0] >= BOX


def placed(marks: list[Mark], space: PageSpace) -> list[tuple[Box, str]]:
    """Return the marks in page space, each with its character; what is drawn within a box ticks it, and is none."""
    if not 0 < len(marks) <= MAX_MARKS:
        return []
    boxes = space.boxes(np.array([mark.box for mark in marks], np.float64))
    center = (boxes[:, :2] + boxes[:, 2:]) / 2
    low, high = boxes[:, :2] - 0.5, boxes[:, 2:] + 0.5
    inside = ((center[:, None] > low) & (center[:, None] < high)).all(axis=2)
    sides = boxes[:, 2:] - boxes[:, :2]
    area, even = sides.prod(axis=1), sides.min(axis=1) >= EVEN * sides.max(axis=1)
    shown = even | np.array([mark.filled or mark.parallel for mark in marks])
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
