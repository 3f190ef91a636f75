"""Charts: which boxes are bars, and which words around a chart are the labels of its axes.

Bars are boxes on one line, of one width and several lengths, apart, with next to no words in them: a value each at
most. The stripes of a table hold its cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from docparse.layout.chained import chained, grouped
from docparse.layout.geometry import boxes_of, corners_of
from docparse.layout.pictures.find import SMALLEST
from docparse.layout.tables.cells import are_cells, in_columns
from docparse.layout.text.turned import turned_lines
from docparse.layout.text.words import Word
from docparse.types import Box, union

DIFFERS = 2.0  # points from which two lengths differ
BARS = 4  # at least, and so many lengths but one: the cells of a table are of one or two
DENSE = 0.3  # share of the axis on which bars stand: the first cells of painted headers are farther apart
PRINTED = 0.4  # share of a bar that its words fill: a highlighted line is full of them
AXIS = 6.0  # points between a bar and the strokes of its axes
REACH = 1.5  # em from an axis to its labels, and from them to its title
APART, VALUES = 1.0, 0.5  # em between two labels in a row, and two numbers; words of a sentence are closer
PITCH = 1.3  # em from a label to the one below it; lines of a paragraph are closer
FLUSH, EVERY = 0.5, 0.7  # em from the names of lying bars to these, and share of them that end so near
ALONG = 0.9  # share of a turned title that stands beside its axis
MINUS = "-−–"  # before a number, in a font of its own
ROWS = 3  # of labels along an axis: months, years, a legend
SHORT, TITLE = 3, 6  # words of a label, of the title of an axis and the name of a lying bar
MIDDLE = 0.15  # of its width: how far a title is from the middle of its axis


def bar_charts(panels: np.ndarray, rulings: np.ndarray, words: Sequence[Word]) -> list[Box]:
    """Return the boxes of bar charts with their axes, without the labels. `panels` and `rulings` are float32 [n, 4]."""
    panels = np.unique(panels.round(1), axis=0)  # some writers paint a box twice
    below = are_cells(panels[:, [1, 0, 3, 2]]) | in_columns(panels)
    panels = panels[~(are_cells(panels) & below)]  # of a grid, or of rows with plain ones between
    x0, y0, x1, y1 = panels.T
    across, upright = _bars(x0, y1 - y0, x1 - x0, y0), _bars(y1, x1 - x0, y1 - y0, x0)
    found = (boxes_of(panels[bars]) for bars in [*across, *upright])
    boxes = corners_of(word.box for word in words)
    bare = [bars for bars in found if 4 * sum(_is_printed(bar, boxes) for bar in bars) <= len(bars)]
    pieces = [piece.box.center for piece in pieces_of(words)] if bare else []
    charts = (bars for bars in bare if sum(bar.holds(*at) for bar in bars for at in pieces) <= len(bars))
    return [_with_axes(union(bars), rulings) for bars in charts]


def with_labels(charts: Sequence[Box], words: Sequence[Word]) -> list[Box]:
    """Return the boxes of the charts, each with the labels and the titles of its axes: turned text along it, rows of
    short pieces under and over it, a column of them beside it."""
    if not charts:
        return []
    upright = [word for word in words if word.angle == 0]
    turned = [line.box for line in turned_lines(words)]

    def labelled(chart: Box) -> Box:
        around = [word for word in upright if not chart.holds(*word.box.center)]
        narrow = min(chart.width, chart.height) <= SMALLEST  # the rail of a timeline
        return chart if narrow else _labelled(chart, pieces_of(around), turned)

    return list(map(labelled, charts))


@dataclass(frozen=True)
class ChartPiece:
    """A few words with white around them."""

    text: str
    box: Box
    words: int
    size: float
    number: bool


def pieces_of(words: Sequence[Word]) -> list[ChartPiece]:
    """Return the words of a page that stand close together."""

    def goes_on(row: list[Word], word: Word) -> bool:
        last = row[-1]
        level = abs(word.baseline - last.baseline) < 0.5 * last.size
        values = all(any(map(str.isdigit, each.text)) for each in (last, word))
        return level and -last.size < word.box.x0 - last.box.x1 < (VALUES if values else APART) * last.size

    rows = chained(sorted(words, key=lambda word: (round(word.baseline), word.box.x0)), goes_on)

    def is_number(row: list[Word]) -> bool:
        return all(any(map(str.isdigit, word.text)) or word.text in MINUS for word in row)

    ends = ((row, union(word.box for word in row), max(word.size for word in row)) for row in rows)
    return [ChartPiece(" ".join(w.text for w in row), box, len(row), size, is_number(row)) for row, box, size in ends]


def _labelled(frame: Box, pieces: Sequence[ChartPiece], turned: Sequence[Box]) -> Box:
    beside = [piece.box for way in (-1, 1) for piece in _beside(frame, pieces, way)]
    below = (box for box in turned if frame.x0 < box.center[0] < frame.x1)
    under = [box for box in below if -1 < box.y0 - frame.y1 < REACH * box.width]
    chart = union([frame, *(under if len(under) > 1 else [])])
    for way in (-1, 1):
        labels: list[ChartPiece] = []
        for _ in range(ROWS):
            labels = _along(chart, pieces, way, labelled=len(labels) > 1)
            chart = union([chart, *(piece.box for piece in labels)])
    chart = union([chart, *beside])
    for box in sorted(turned, key=lambda box: abs(box.center[0] - chart.center[0])):
        along = box.overlap_y(chart) > ALONG * box.height
        if along and chart.padded(REACH * min(box.width, 12.0)).meets(box):
            chart |= box
    return chart


def _beside(chart: Box, pieces: Sequence[ChartPiece], way: int) -> list[ChartPiece]:
    """Return the labels left (`way` -1) or right of a chart: short ones, numbers or farther apart than lines; on the
    left longer ones, too, that end at its edge."""

    def gap(piece: ChartPiece) -> float:
        return (chart.x0 - piece.box.x1 if way < 0 else piece.box.x0 - chart.x1) / piece.size

    level = [p for p in pieces if chart.y0 - p.size < p.box.center[1] < chart.y1 + p.size and -REACH < gap(p) < REACH]
    names = [piece for piece in level if way < 0 and piece.words <= TITLE]
    flush = [piece for piece in names if gap(piece) < FLUSH]
    if len(flush) > max(BARS - 1, EVERY * len(names)) and len({round(piece.box.x0 / 2) for piece in flush}) > 2:
        return flush
    narrow = (piece for piece in level if piece.box.width < chart.width)  # Chinese lines are of one word
    short = (piece for piece in narrow if piece.words <= SHORT and gap(piece) > -1)
    found = sorted(short, key=lambda piece: piece.box.y0)
    spaced = all(b.box.y0 - a.box.y0 > PITCH * a.size for a, b in pairwise(found))
    numbers = all(piece.number for piece in found)
    return found if len(found) > 1 and (spaced or numbers) else []


def _along(chart: Box, pieces: Sequence[ChartPiece], way: int, *, labelled: bool) -> list[ChartPiece]:
    """Return the labels over (`way` -1) or under the chart: two or more short ones in the nearest row; past labels one
    piece in the middle, the title of the axis."""
    within = [p for p in pieces if chart.x0 - p.size < p.box.x0 and p.box.x1 < chart.x1 + p.size]
    gaps = ((p, chart.y0 - p.box.y1 if way < 0 else p.box.y0 - chart.y1) for p in within)
    near = [piece for piece, gap in gaps if -1 < gap < REACH * piece.size]
    first = min(near, key=lambda piece: way * piece.box.y0, default=None)
    row = [p for p in near if first and abs(p.box.center[1] - first.box.center[1]) < 0.5 * first.size]
    middle = all(abs(piece.box.center[0] - chart.center[0]) < MIDDLE * chart.width for piece in row)
    titled = labelled and len(row) == 1 and middle and row[0].words <= TITLE
    return row if titled or (len(row) > 1 and all(piece.words <= SHORT for piece in row)) else []


def _bars(end: np.ndarray, width: np.ndarray, length: np.ndarray, place: np.ndarray) -> list[list[int]]:
    """Return the indices of boxes that agree in `end` and `width`, differ in `length`, and stand densely at `place`."""
    keys = zip(end.round().tolist(), width.round().tolist(), strict=True)
    found = []
    for (_, wide), group in grouped((key, i) for i, key in enumerate(keys)).items():
        lengths = np.unique((length[group] / DIFFERS).round())
        span = float(np.ptp(place[group])) + wide
        if len(group) >= BARS and len(lengths) >= BARS - 1 and len(group) * wide >= DENSE * span:
            found.append(group)
    return found


def _is_printed(bar: Box, words: np.ndarray) -> bool:
    wide = np.minimum(words[:, 2], bar.x1) - np.maximum(words[:, 0], bar.x0)
    high = np.minimum(words[:, 3], bar.y1) - np.maximum(words[:, 1], bar.y0)
    return float((wide * high)[(wide > 0) & (high > 0)].sum()) > PRINTED * bar.area


def _with_axes(chart: Box, rulings: np.ndarray) -> Box:
    near = (stroke for stroke in boxes_of(rulings) if stroke.meets(chart.padded(AXIS)))
    near = (stroke for stroke in near if not chart.meets(stroke.padded(-AXIS)))
    return union([chart, *near])
