"""Where tables may be: ruled lattices, and the labels and headings beside a candidate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise, takewhile
from math import inf

import numpy as np

from docparse.layout.tables.header import TALLEST
from docparse.layout.tables.ink import Ink, InkLine, line_of, lines_of, segments
from docparse.layout.tables.rules import TOUCH, Rule, components, extent, positions
from docparse.layout.text.wording import CAPTION
from docparse.types import Box

LARGER = 1.08  # times the size of most text, at least: titles of sections in manual pages
HEAD = 0.8, 3.0  # em from the top of a rule between two columns down to the one under their names
OVERRUN, SEVERAL = 0.7, 4  # em beyond the rules of a table, more than its skew; rules down that tell where others end
PADDED, FAR = 1.3, 2.0  # times the white under a rule, and em, that are over it to a heading at most


@dataclass(slots=True)
class Candidate:
    """A part of the page that may be a table, with the rules in it and how it was found."""

    box: Box
    kind: str
    horizontal: list[Rule] = field(default_factory=list)
    vertical: list[Rule] = field(default_factory=list)
    score: float = 0.5
    limit: Box | None = None
    crossed: bool = False  # one rule under the names of columns and others down between them are all that is drawn

    @property
    def framed(self) -> bool:
        """Vertical rules stand between all columns: there are several, or at least the two sides."""
        places = positions([r for r in self.vertical if r.length > 0.3 * self.box.height])
        return len(places) >= 3 and len(self.horizontal) >= 2


def lattices(horizontal: list[Rule], vertical: list[Rule], em: float) -> list[Candidate]:
    """Groups of crossing rules: at least five in all and two of them horizontal; or one under the names of columns, and
    others down between these, as LaTeX sets small tables, with the sides of what they reach over."""
    groups = [(rows, _without_overruns(rows, columns, em)) for rows, columns in components(horizontal, vertical)]
    many = [(rows, columns) for rows, columns in groups if len(rows) >= 2 and len(rows) + len(columns) >= 5]
    found = [Candidate(extent(rows, columns), "ruled", rows, columns, score=0.9) for rows, columns in many]
    crosses = [(rows[0], columns) for rows, columns in groups if len(rows) == 1 and _is_cross(rows[0], columns, em)]
    return found + [_closed(under, between) for under, between in crosses]


def _without_overruns(rows: Sequence[Rule], columns: list[Rule], em: float) -> list[Rule]:
    """Return the rules that run down, the only one of several that reaches beyond the first or the last level rule cut
    there: in pictures strokes run on into letters of the line beside them."""
    top, bottom = min(rule.at for rule in rows), max(rule.at for rule in rows)
    above = [rule for rule in columns if rule.lo < top - OVERRUN * em]
    under = [rule for rule in columns if rule.hi > bottom + OVERRUN * em]
    several = len(columns) >= SEVERAL and len(rows) > 1
    first, last = (several and len(those) == 1 for those in (above, under))
    return [
        replace(rule, lo=top if first and rule in above else rule.lo, hi=bottom if last and rule in under else rule.hi)
        for rule in columns
    ]


def _is_cross(under: Rule, between: Sequence[Rule], em: float) -> bool:
    """Return whether rules run down through another, inside its ends, from one line over it: no axes of a plot."""
    over = [under.at - rule.lo for rule in between]
    inside = all(under.lo + em / 2 < rule.at < under.hi - em / 2 for rule in between)
    return (
        inside and HEAD[0] * em < min(over) <= max(over) < HEAD[1] * em and all(r.hi > under.at + em for r in between)
    )


def _closed(under: Rule, between: Sequence[Rule]) -> Candidate:
    """The candidate in the extent of rules that cross, with sides."""
    box = extent([under], list(between))
    level = [Rule(box.y0, box.x0, box.x1), under, Rule(box.y1, box.x0, box.x1)]
    down = [Rule(box.x0, box.y0, box.y1), *between, Rule(box.x1, box.y0, box.y1)]
    return Candidate(box, "ruled", level, down, score=0.8, crossed=True)


def is_title(ink: Ink, line: InkLine, em: float) -> bool:
    """Return whether a line is set as titles of sections are: bold, and larger than most text."""
    return all(ink.words[i].bold for i in line.words) and float(ink.size[line.words].min()) > LARGER * em


def with_labels(ink: Ink, box: Box, limit: Box, near: float) -> Box:
    """`box` widened to the left by the labels of its rows, no farther up or down from these than `near`, where its own
    rows begin with numbers."""
    rows = lines_of(ink, ink.inside(box))
    if sum(not ink.value[row.words[0]] for row in rows) > 0.6 * len(rows):
        return box
    beside = [ink.inside(Box(limit.x0, row.y - near, box.x0 - 0.1, row.y + near)) for row in rows]
    labels = [segments(ink, line_of(ink, level.tolist()).words)[-1] for level in beside if len(level)]
    if len(labels) <= 0.5 * len(rows):
        return box
    box = Box(min(ink.bounds(label).x0 for label in labels), box.y0, box.x1, box.y1)
    titles = _lines_over(ink, box, limit)  # of groups begin left of the labels of their rows
    return Box(min([box.x0, *(line.x0 for line in titles)]), box.y0, box.x1, box.y1)


def with_headings(
    ink: Ink, box: Box, limit: Box, em: float, cells: int, horizontal: Sequence[Rule], start: float = -inf
) -> Box:
    """`box` raised by the heading lines above it: lines in several cells, or short ones over its columns.

    `cells` is how many runs of words a line must have to count; one in the middle over a rule of its own always does.
    The columns behind the labels `start` at an x, where a rule tells.
    """
    above = _lines_over(ink, Box(box.x0 - 2 * em, limit.y0, box.x1 + 2 * em, box.y0 - 0.1), limit)[-TALLEST:]
    rows = lines_of(ink, ink.inside(box))
    steps = [b.y - a.y for a, b in pairwise(rows)] if cells == 1 else []
    padding = min(PADDED * (rows[0].y0 - box.y0), FAR * em) if rows else 0.0
    reach = max(1.3 * em, float(np.median(steps)) if steps else 0.0, padding)
    taken: list[InkLine] = []
    while above and (count := _headings(ink, above, box, em, cells, reach, horizontal, start)):
        taken += [above.pop() for _ in range(count)]
        box = Box(min(box.x0, taken[-1].x0), taken[-1].y0, max(box.x1, taken[-1].x1), box.y1)
    return box


def _lines_over(ink: Ink, box: Box, limit: Box) -> list[InkLine]:
    """The lines in a box, with the words outside it that run on from them."""
    lines = lines_of(ink, ink.inside(Box(limit.x0, box.y0, limit.x1, box.y1)))
    pieces = [piece for line in lines for piece in segments(ink, line.words)]
    inside = set(ink.inside(box).tolist())
    return lines_of(ink, np.array([i for piece in pieces if not inside.isdisjoint(piece) for i in piece], int))


def _headings(
    ink: Ink,
    above: list[InkLine],
    box: Box,
    em: float,
    cells: int,
    reach: float,
    horizontal: Sequence[Rule],
    start: float,
) -> int:
    """Return how many of the last lines are a heading of the box: none, one, or one with a label at half its height, or
    with the first line of the name of one column under it."""
    near = (n for n in (1, 2) if len(above) >= n and box.y0 - above[-n].y1 <= reach)
    if count := next((n for n in near if _is_heading(ink, above[-n], box, em, max(n, cells), start)), 0):
        return count
    tops, last = [box.y0, above[-1].y0], above[:-3:-1]
    follow = takewhile(lambda k: tops[k] - last[k].y1 <= reach, range(len(last)))
    return next((k + 1 for k in follow if _is_over_rule(ink, last[k], box, em, horizontal)), 0)


def _is_over_rule(ink: Ink, line: InkLine, box: Box, em: float, horizontal: Sequence[Rule]) -> bool:
    """Return whether a line in one piece stands right over a rule, in one piece or several, and in its middle; the rule
    begins right of the labels in the first column of `box`."""
    floor = line.y1 + em
    near = [r for r in horizontal if line.y < r.at < floor and r.lo > box.x0 + 2 * em and r.hi < box.x1 + em]
    first = min((r.at for r in near), default=0.0)
    pieces = [r for r in near if r.at < first + TOUCH]
    if not pieces or len(segments(ink, line.words)) > 1:
        return False
    rule = extent(pieces, [])
    inside = rule.x0 - em < line.x0 and line.x1 < rule.x1 + em
    return inside and abs(line.x0 + line.x1 - rule.x0 - rule.x1) < 2 * em


def _is_heading(ink: Ink, line: InkLine, box: Box, em: float, cells: int, start: float) -> bool:
    runs = segments(ink, line.words)
    parts = [ink.bounds(run) for run in runs]
    inside = all(box.x0 - em <= part.center[0] <= box.x1 + em for part in parts)
    alone = len(parts) == 1 and (parts[0].width > 0.5 * box.width or line.x0 < box.x0 + 2 * em)
    titled = len(parts) == 1 and line.x0 < start and abs(line.x0 + line.x1 - box.x0 - box.x1) < em  # over labels, too
    captioned = CAPTION.match(ink.text(line.words[:3])) is not None
    return inside and not (alone or titled or captioned) and max(map(len, runs)) <= 7 and len(parts) >= cells
