"""Bar charts: boxes on one line, of one width and several lengths, apart, with next to no words in them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from docparse.layout.tables.cells import are_cells
from docparse.layout.text.words import Word
from docparse.types import Box, corners, union

LEVEL = 2.0  # points from which two lengths differ
BARS = 4  # at least, and so many lengths but one: the cells of a table are of one or two
DENSE = 0.3  # share of the axis on which bars stand: the first cells of painted headers are farther apart
PRINTED = 0.4  # share of a bar that its words fill: a highlighted line is full of them
WIDEST = 90.0  # points: wider boxes are panels
AXIS = 6.0  # points between a bar and the strokes of its axes


def bar_charts(panels: np.ndarray, rulings: np.ndarray, words: Sequence[Word]) -> list[Box]:
    """Return the boxes of bar charts with their axes; the labels around them are text. `panels` and `rulings` are
    float32 [n, 4] in points."""
    in_grid = are_cells(panels) & are_cells(panels[:, [1, 0, 3, 2]])  # others beside them, and above or below
    panels = panels[~in_grid]
    x0, y0, x1, y1 = panels.T
    across, upright = _bars(x0, y1 - y0, x1 - x0, y0), _bars(y1, x1 - x0, y1 - y0, x0)
    found = ([Box(*panel) for panel in panels[bars].tolist()] for bars in [*across, *upright])
    boxes = np.array([corners(word.box) for word in words]).reshape(-1, 4)
    bare = (bars for bars in found if 4 * sum(_is_printed(bar, boxes) for bar in bars) <= len(bars))
    return [_with_axes(union(bars), rulings) for bars in bare]


def _bars(end: np.ndarray, width: np.ndarray, length: np.ndarray, place: np.ndarray) -> list[list[int]]:
    """Return the indices of boxes that agree in `end` and `width`, differ in `length`, and stand densely at `place`."""
    groups: dict[tuple[int, int], list[int]] = {}
    for i, key in enumerate(zip(end.round().tolist(), width.round().tolist(), strict=True)):
        groups.setdefault(key, []).append(i)
    found = []
    for (_, wide), group in groups.items():
        lengths = np.unique((length[group] / LEVEL).round())
        span = float(np.ptp(place[group])) + wide
        if len(group) >= BARS and len(lengths) >= BARS - 1 and wide <= WIDEST and len(group) * wide >= DENSE * span:
            found.append(group)
    return found


def _is_printed(bar: Box, words: np.ndarray) -> bool:
    wide = np.minimum(words[:, 2], bar.x1) - np.maximum(words[:, 0], bar.x0)
    high = np.minimum(words[:, 3], bar.y1) - np.maximum(words[:, 1], bar.y0)
    return float((wide * high)[(wide > 0) & (high > 0)].sum()) > PRINTED * bar.area


def _with_axes(chart: Box, rulings: np.ndarray) -> Box:
    strokes = (Box(*ruling) for ruling in rulings.tolist())
    near = [
        stroke for stroke in strokes if _meets(stroke, chart.padded(AXIS)) and not _meets(chart, stroke.padded(-AXIS))
    ]
    return union([chart, *near])


def _meets(first: Box, second: Box) -> bool:
    common = first & second
    return common.x0 <= common.x1 and common.y0 <= common.y1
