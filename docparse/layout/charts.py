"""Bar charts: boxes on one line, of one width and several lengths, apart, with next to no words in them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from docparse.layout.tables.cells import are_cells, without_shading
from docparse.layout.text.words import Word
from docparse.types import Box, union

LEVEL = 1.0  # points by which ends on one line, and widths, may differ
BARS = 4  # at least, and so many lengths but one: the cells of a table are of one or two
DENSE = 0.3  # share of the axis on which bars stand: the first cells of painted headers are farther apart
PRINTED = 0.4  # share of a bar that its words fill: a highlighted line is full of them
WIDEST = 90.0  # points: wider boxes are panels
AXIS = 6.0  # points between a bar and the strokes of its axes


def bar_charts(panels: np.ndarray, rulings: np.ndarray, words: Sequence[Word]) -> list[Box]:
    """Return the boxes of bar charts with their axes; the labels around them are text. `panels` and `rulings` are
    float32 [n, 4] in points."""
    panels = without_shading(panels)
    in_grid = are_cells(panels) & are_cells(panels[:, [1, 0, 3, 2]])  # others beside them, and above or below
    boxes = [box for box in (Box(*panel) for panel in panels[~in_grid].tolist()) if not _is_printed(box, words)]
    across = [(box.x0, box.height, box.width, box) for box in boxes]
    upright = [(box.y1, box.width, box.height, box) for box in boxes]
    found = [union(bars) for sides in (across, upright) for bars in _bars(sides)]
    strokes = [Box(*ruling) for ruling in rulings.tolist()]
    return [_with_axes(box, strokes) for box in found]


def _bars(sides: Sequence[tuple[float, float, float, Box]]) -> list[list[Box]]:
    """Return the boxes, BARS or more, that agree in `(end, width)` and differ in length."""
    groups: list[list[tuple[float, float, float, Box]]] = []
    for side in sorted(sides, key=lambda side: side[:3]):
        end, width, _, _ = side
        home = next((g for g in groups if max(abs(g[0][0] - end), abs(g[0][1] - width)) <= LEVEL), None)
        if home is None:
            groups.append([side])
        else:
            home.append(side)
    found = []
    for group in groups:
        lengths = {round(length / LEVEL / 2) for _, _, length, _ in group}
        if len(group) >= BARS and len(lengths) >= BARS - 1 and group[0][1] <= WIDEST:
            bars = [box for *_, box in group]
            whole = union(bars)
            span = whole.width if group[0][0] == group[0][3].y1 else whole.height
            if sum(width for _, width, _, _ in group) >= DENSE * span:
                found.append(bars)
    return found


def _is_printed(box: Box, words: Sequence[Word]) -> bool:
    inked = sum(word.box.intersection(box) for word in words if word.box.intersection(box))
    return inked > PRINTED * box.area


def _with_axes(chart: Box, strokes: Sequence[Box]) -> Box:
    near = [
        stroke for stroke in strokes if _meets(stroke, chart.padded(AXIS)) and not _meets(chart, stroke.padded(-AXIS))
    ]
    return union([chart, *near])


def _meets(first: Box, second: Box) -> bool:
    common = first & second
    return common.x0 <= common.x1 and common.y0 <= common.y1
