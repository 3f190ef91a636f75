"""The signs of roots that formula editors draw: a steep stroke, at whose lower end a short one ends and at whose upper
end the bar over the root begins."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from docparse.pdf.objects import Rect
from docparse.pdf.space import PageSpace
from docparse.types import Box

ROOT = "√"  # as a letter it hangs from its bar in some fonts and stands on the line in others
STEEP = 2.5, 8.0  # times as high as wide
LOWEST, HIGHEST = 4.0, 60.0  # points: from a root in an exponent to one over a fraction of fractions
WIDTH = 0.55  # of its height that a sign is wide, with the short strokes before the steep one
FLAT, TOUCH, TICK = 0.5, 1.0, 8.0  # points; the last one is wider than the short stroke of the largest sign


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
