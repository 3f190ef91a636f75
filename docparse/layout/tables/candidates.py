"""Where tables may be: ruled lattices, and the labels and headings beside a candidate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from docparse.layout.tables.ink import Ink, Line, line_of, lines_of, segments
from docparse.layout.tables.rules import Rule, components, extent, positions
from docparse.layout.text.wording import CAPTION
from docparse.types import Box


@dataclass(slots=True)
class Candidate:
    """A part of the page that may be a table, with the rules in it and how it was found.

    `closed`: rules mark its top and bottom, so that nothing above or below belongs to it.
    """

    box: Box
    kind: str
    horizontal: list[Rule] = field(default_factory=list)
    vertical: list[Rule] = field(default_factory=list)
    closed: bool = False
    score: float = 0.5
    limit: Box | None = None

    @property
    def framed(self) -> bool:
        """Vertical rules stand between all columns: there are several, or at least the two sides."""
        places = positions([r for r in self.vertical if r.length > 0.3 * self.box.height])
        return len(places) >= 3 and len(self.horizontal) >= 2


def lattices(horizontal: list[Rule], vertical: list[Rule]) -> list[Candidate]:
    """Groups of crossing rules, at least five in all and two of them horizontal."""
    found = []
    for rows, columns in components(horizontal, vertical):
        if len(rows) >= 2 and len(rows) + len(columns) >= 5:
            found.append(Candidate(extent(rows, columns), "ruled", rows, columns, closed=True, score=0.9))
    return found


def with_labels(ink: Ink, box: Box, limit: Box, em: float) -> Box:
    """`box` widened to the left by the labels of its rows, where a column of labels stands there.

    Prose in the neighbouring column of the page is no column of labels: its lines all end at the same x.
    """
    rows = lines_of(ink, ink.inside(box))
    if not rows or _has_labels(ink, rows, box, em):
        return box
    beside: list[list[int]] = []
    for row in rows:
        level = ink.inside(Box(limit.x0, row.y - 0.4 * em, box.x0 - 0.1, row.y + 0.4 * em))
        if len(level):
            beside.append(segments(ink, line_of(ink, level.tolist()).words)[-1])
    if len(beside) < 0.5 * len(rows):
        return box
    extents = [ink.bounds(words) for words in beside]
    left, right = min(e.x0 for e in extents), max(e.x1 for e in extents)
    strip = ink.inside(Box(left - 0.1, box.y0 - 1, box.x0 - 0.1, box.y1 + 1))
    others = set(strip.tolist()).difference(*beside)
    if len(others) > sum(map(len, beside)):
        return box
    full = np.mean([e.x1 > right - 1.0 * em for e in extents])
    if full > 0.6 and len(beside) > 3 and np.mean([len(words) for words in beside]) > 4:
        return box
    return Box(left, box.y0, box.x1, box.y1)


def _has_labels(ink: Ink, rows: Sequence[Line], box: Box, em: float) -> bool:
    """Most rows begin at the box's left edge with something that is no number."""
    first = [segments(ink, row.words)[0] for row in rows]
    labels = [words for words in first if not ink.value[words[0]] and ink.bounds(words).x0 < box.x0 + 2 * em]
    return len(labels) > 0.6 * len(rows)


def with_headings(ink: Ink, box: Box, limit: Box, em: float, cells: int = 1) -> Box:
    """`box` raised by the heading lines above it: lines in several cells, or short ones over its columns.

    `cells` is how many runs of words a line must have to count.
    """
    above = lines_of(ink, ink.inside(Box(box.x0 - 2 * em, limit.y0, box.x1 + 2 * em, box.y0 - 0.1)))[-6:]
    rows = lines_of(ink, ink.inside(box))
    steps = [b.y - a.y for a, b in pairwise(rows)] if cells == 1 else []
    reach = max(1.3 * em, float(np.median(steps)) if steps else 0.0)
    taken: list[Line] = []
    while above and box.y0 - above[-1].y1 <= reach and _is_heading(ink, above[-1], box, em, cells):
        taken.append(above.pop())
        box = Box(min(box.x0, taken[-1].x0), taken[-1].y0, max(box.x1, taken[-1].x1), box.y1)
    if len(taken) > 1 and above and len(segments(ink, taken[-1].words)) == 1:
        upper, last, lower = above[-1].y, taken[-1].y, taken[-2].y
        if last - upper < 0.95 * (lower - last):  # the end of the caption, not a heading
            box = Box(box.x0, taken[-2].y0, box.x1, box.y1)
    return box


def _is_heading(ink: Ink, line: Line, box: Box, em: float, cells: int) -> bool:
    runs = segments(ink, line.words)
    parts = [ink.bounds(run) for run in runs]
    inside = all(box.x0 - em <= part.center[0] <= box.x1 + em for part in parts)
    alone = len(parts) == 1 and (parts[0].width > 0.5 * box.width or line.x0 < box.x0 + 2 * em)
    captioned = CAPTION.match(ink.text(line.words[:3])) is not None
    return inside and not alone and not captioned and max(map(len, runs)) <= 7 and len(parts) >= cells
