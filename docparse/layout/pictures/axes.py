"""Axes: strokes with ticks on them. What stands along an axis, as high as a stroke at its end, is a plot, whatever is
drawn in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from docparse.layout.geometry import corners_of
from docparse.layout.pictures.find import is_background, joined
from docparse.layout.text.lines import Line
from docparse.types import Box

TICK = 1.5, 12.0  # points: length of a tick
TICKS = 3  # on an axis, at least, that are alike
ALIKE = 0.5  # points by which the lengths of ticks of one axis differ, at most
MANY = 1000  # short strokes along one stroke: more are hatching or the cells of a heat map, and all pairs take long
MEETS = 1.0  # points between the end of a tick and its axis
SHORTEST = 40.0  # points: an axis; boxes for single letters in forms are lower
CORNER = 30.0  # points between the ends of two axes that do not meet, as R draws them, at most
GUTTER = 40.0  # points between two panels of a plot, at most
FLUSH = 2.0  # points between edges that are one, as of panels in a row
SHARED = 0.05  # of a panel in a larger one: more than edges that are one, and both are one


class Stroke(NamedTuple):
    """The ends and the place of a level stroke; an upright one likewise, with x for y."""

    start: float
    end: float
    at: float


def plots_by_axes(rulings: np.ndarray, lines: Sequence[Line] = ()) -> list[Box]:
    """Return the boxes of plots, panels in one row or column as one; `rulings` is float32 [n, 4], in points. A frame
    that `lines` of running text fill is none: those of forms and planners have ticks, too."""
    level, upright = _strokes(rulings), _strokes(rulings[:, [1, 0, 3, 2]])
    across, up = _axes(level, upright), _axes(upright, level)
    panels = _panels(across, up, upright)
    panels += [Box(box.y0, box.x0, box.y1, box.x1) for box in _panels(up, across, level)]
    panels = [box for box in panels if not is_background(box, lines)]
    one = joined(panels, lambda box: (-box.area,), lambda other, box: box.inside(other) > SHARED)
    return joined(one, lambda box: (box.y0, box.x0), _stands_beside)


def _strokes(rulings: np.ndarray) -> np.ndarray:
    """Return float32 [n, 3]: start, end and place of the level strokes among lines and thin boxes."""
    x0, y0, x1, y1 = rulings.T
    flat = (y1 - y0 < MEETS) & (x1 - x0 > TICK[0])
    return np.stack([x0, x1, (y0 + y1) / 2], axis=1)[flat]


def _axes(strokes: np.ndarray, others: np.ndarray) -> list[Stroke]:
    """Return the strokes on which ticks stand that touch nothing else. `others` run across the strokes."""
    level = strokes[np.argsort(strokes[:, 2])]
    sorted_ = [others[np.argsort(others[:, side])] for side in (0, 1)]
    return [
        Stroke(*stroke)
        for stroke in strokes[strokes[:, 1] - strokes[:, 0] > SHORTEST].tolist()
        if any(_has_ticks(Stroke(*stroke), side, level, sorted_[side]) for side in (0, 1))
    ]


def _has_ticks(axis: Stroke, side: int, strokes: np.ndarray, others: np.ndarray) -> bool:
    """Return whether ticks stand on one side of a stroke: they begin (`side` 0) or end (1) there. `strokes` are sorted
    by place, `others` by this side."""
    near = _between(others, side, axis.at, axis.at)
    along = (near[:, 2] > axis.start - FLUSH) & (near[:, 2] < axis.end + FLUSH)
    short = near[:, 1] - near[:, 0] < TICK[1]
    ticks = near[along & short & (np.abs(near[:, side] - axis.at) < MEETS)]
    if len(ticks) > MANY or not _are_ticks(ticks):
        return False
    tip, place = ticks[:, 1 - side, None], ticks[:, 2, None]
    level, behind = (_between(each, by, tip.min(), tip.max()) for each, by in ((strokes, 2), (others, side)))
    reaches = (np.abs(level[:, 2] - tip) < MEETS) & (level[:, 0] < place) & (level[:, 1] > place)
    goes_on = (np.abs(behind[:, 2] - place) < MEETS) & (np.abs(behind[:, side] - tip) < MEETS)
    return _are_ticks(ticks[~(reaches.any(axis=1) | goes_on.any(axis=1))])


def _between(strokes: np.ndarray, by: int, low: float, high: float) -> np.ndarray:
    """Return those of the strokes, sorted by a column, whose value there is near `low`, `high` or between them."""
    first, last = np.searchsorted(strokes[:, by], (low - MEETS, high + MEETS))
    return strokes[first:last]


def _are_ticks(strokes: np.ndarray) -> bool:
    """Return whether enough of the strokes are alike and stand apart."""
    lengths = strokes[:, 1] - strokes[:, 0]
    alike = np.abs(lengths[:, None] - lengths) < ALIKE
    return len({round(x) for x in strokes[alike.sum(axis=1) >= TICKS, 2].tolist()}) >= TICKS


def _panels(axes: Sequence[Stroke], sides: Sequence[Stroke], others: np.ndarray) -> list[Box]:
    """Return the panels along axes, for upright ones with x for y: up to the end of a stroke that stands on one end of
    an axis, with the panels of the same height beside it, or of an axis of the other way near it."""
    long = others[others[:, 1] - others[:, 0] > SHORTEST].astype(float)
    near = np.array(sides, float).reshape(-1, 3)
    found = []
    for axis in axes:
        if side := _at_corner(axis, long, FLUSH):
            apart = np.abs(long[:, 0] - side.start) + np.abs(long[:, 1] - side.end)
            start, end = _reach(axis, long[apart < FLUSH, 2].tolist())
        elif side := _at_corner(axis, near, CORNER):
            start, end = min(axis.start, side.at), max(axis.end, side.at)
        else:
            continue
        found.append(Box(start, min(side.start, axis.at), end, max(side.end, axis.at)))
    return found


def _at_corner(axis: Stroke, sides: np.ndarray, reach: float) -> Stroke | None:
    """Return the first of the strokes that run across another one with an end near an end of it, if any."""
    start, end, at = sides.T
    beside = np.minimum(np.abs(at - axis.start), np.abs(at - axis.end)) < reach
    level = np.minimum(np.abs(start - axis.at), np.abs(end - axis.at)) < reach
    found = sides[beside & level][:1].tolist()
    return Stroke(*found[0]) if found else None


def _reach(axis: Stroke, sides: Sequence[float]) -> tuple[float, float]:
    """Return from where to where panels as high as the one on an axis stand beside each other, given their sides."""
    start, end, width = axis.start, axis.end, axis.end - axis.start
    for at in sorted(sides):
        end = at if end < at < end + width + FLUSH else end
    for at in sorted(sides, reverse=True):
        start = at if start - width - FLUSH < at < start else start
    return start, end


def _stands_beside(one: Box, other: Box) -> bool:
    """Return whether two panels are of one row or column."""
    a, b = corners_of((one, other))
    level = np.abs(a - b)[[1, 3]].max() < FLUSH and one.gap_x(other) < GUTTER
    stacked = np.abs(a - b)[[0, 2]].max() < FLUSH and one.gap_y(other) < GUTTER
    return bool(level or stacked)
