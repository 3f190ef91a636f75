"""Stacks: which line stands under which, how far apart lines usually are, and where their column's margins lie."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

import numpy as np

from docparse.layout.chained import grouped
from docparse.layout.text.lines import Line, downward
from docparse.layout.text.wording import count_words
from docparse.layout.text.words import LEVEL

REACH = 4.0  # em: a line further up is not the one above
BETWEEN = 0.5  # em by which a line reaches over another that stands between it and one further up
ENTRIES = 4  # entries of a bibliography, and lines that go on, at least
PROSE, WIDEST = 4, 1.9  # words of a line of running text; em between the baselines of two that run on, at most
FLUSH = 1.5  # points between lines that begin or end alike
WIDE, MOST = 0.7, 0.85  # of the column that a line fills that goes on; of the lines that say so


def lines_above(lines: Sequence[Line]) -> list[int | None]:
    """Return for each line the nearest line above that it stands under, unless another line of its row does so too.

    `lines` are sorted by their top edge.
    """
    above = [_nearest_above(lines, i) for i in range(len(lines))]
    claimed = grouped((upper, i) for i, upper in enumerate(above) if upper is not None)
    for children in claimed.values():
        first = min(children, key=lambda c: lines[c].baseline)
        rivals = [c for c in children if lines[c].baseline - lines[first].baseline < 0.5 * lines[first].size]
        # one line over two columns belongs to neither; a line further down belongs to the first child
        for child in children if len(rivals) > 1 else [c for c in children if c != first]:
            above[child] = None
    return above


def _nearest_above(lines: Sequence[Line], i: int) -> int | None:
    line, box = lines[i], lines[i].box
    baseline, size, best, nearest = line.baseline, line.size, None, float("-inf")
    for j in range(i - 1, -1, -1):
        other = lines[j]
        distance = baseline - other.baseline
        if distance > REACH * size:
            if box.y0 - other.box.y0 > 3 * REACH * size:
                break
            continue
        if distance <= 0.4 * size or other.baseline <= nearest:
            continue
        common = box.overlap_x(other.box)
        if common > 0.4 * min(box.width, other.box.width):
            best, nearest = j, other.baseline
        elif common > BETWEEN * size:
            best, nearest = None, other.baseline  # of two headings, the text of the first stands between
    return best


def usual_leading(lines: Sequence[Line], above: Sequence[int | None]) -> dict[int, float]:
    """Usual baseline distance, in font sizes, among lines of one size; keyed by line index. Few lines tell it only
    where they plainly run on; and where some do, it is no more than theirs: most lines may be paragraphs of one line.
    """
    distances: dict[float, list[float]] = {}
    open_: dict[float, float] = {}
    for upper, lower in ((lines[p], line) for p, line in zip(above, lines, strict=True) if p is not None):
        if abs(lower.size - upper.size) < 0.1 * lower.size:
            key, distance = round(lower.size), (lower.baseline - upper.baseline) / lower.size
            distances.setdefault(key, []).append(distance)
            if runs_on(upper, lower):
                open_[key] = max(distance, open_.get(key, 0.0))
    usual = {size: min(2.4, float(np.percentile(each, 35))) for size, each in distances.items() if len(each) >= 4}
    told = {size: widest for size, widest in open_.items() if size in usual or widest < WIDEST}
    usual |= {size: min(widest, usual.get(size, WIDEST)) for size, widest in told.items()}
    return {i: usual[round(line.size)] for i, line in enumerate(lines) if round(line.size) in usual}


def runs_on(upper: Line, lower: Line) -> bool:
    """Return whether a line of several words stops in a sentence, and the one under it goes on in small letters."""
    wordy = count_words(upper.text) >= PROSE and count_words(lower.text) > 1
    return wordy and lower.text[0].islower() and upper.text[-1].isalnum()


class BaselineRows:
    """The lines of a page by their baselines."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._lines = lines
        self._order = sorted(range(len(lines)), key=lambda i: lines[i].baseline)
        self._heights = [lines[i].baseline for i in self._order]

    def of(self, i: int) -> list[int]:
        """Return the indices of the lines that stand level with one, itself too, from left to right."""
        height, reach = self._lines[i].baseline, LEVEL * self._lines[i].size
        near = self._order[bisect_right(self._heights, height - reach) : bisect_left(self._heights, height + reach)]
        return sorted(near, key=lambda k: self._lines[k].box.x0)

    def before(self, i: int) -> int | None:
        """Return the nearest line on the left in its row."""
        left = [k for k in self.of(i) if self._lines[k].box.x1 <= self._lines[i].box.x0]
        return left[-1] if left else None

    def after(self, i: int) -> int | None:
        """Return the nearest line on the right in its row."""
        right = (k for k in self.of(i) if self._lines[k].box.x0 > self._lines[i].box.x1)
        return next(right, None)

    def is_outermost(self, i: int) -> bool:
        """Return whether the line stands in the first or the last row."""
        height, reach = self._lines[i].baseline, LEVEL * self._lines[i].size
        return height - reach <= self._heights[0] or height + reach >= self._heights[-1]


def joined(lines: Sequence[Line], rows: Sequence[Sequence[int]]) -> list[Line]:
    """Return the lines from top to bottom, those of each of `rows` as one. A line that two rows share is one with those
    of the first."""
    taken: set[int] = set()
    whole = []
    for row in rows:
        if taken.isdisjoint(row):
            taken.update(row)
            whole.append(Line(tuple(word for i in row for word in lines[i].words)))
    rest = (line for i, line in enumerate(lines) if i not in taken)
    return downward([*whole, *rest])


class Margins(NamedTuple):
    """The margins of a stack: where most lines begin and the longest end, in points from the side that they are read
    from; how many lines it has, how many end there; whether they are read from the right; whether all paragraphs
    hang."""

    left: float
    right: float
    lines: int
    full: int
    rtl: bool = False
    hanging: bool = False

    def ends(self, line: Line) -> tuple[float, float]:
        """Return where a line begins and ends, as the margins are measured."""
        return _ends(line, rtl=self.rtl)


class ColumnMargins:
    """Left and right margins of the stack of lines that a line belongs to."""

    def __init__(self, lines: Sequence[Line], above: Sequence[int | None]) -> None:
        root = list(range(len(lines)))
        for i, p in enumerate(above):
            if p is not None and abs(lines[i].size - lines[p].size) < 0.15 * lines[i].size:
                root[i] = root[p]
        self._root = root
        self._margins = {r: _margins(stack) for r, stack in grouped(zip(root, lines, strict=True)).items()}

    def of(self, i: int) -> Margins:
        return self._margins[self._root[i]]


def _margins(stack: list[Line]) -> Margins:
    rtl = 2 * sum(line.rtl for line in stack) > len(stack)
    starts, ends = zip(*(_ends(line, rtl=rtl) for line in stack), strict=True)
    left, right = median(starts) if len(stack) < 4 else _mode(starts), _right(ends)
    full = sum(end > right - 0.5 * line.size for end, line in zip(ends, stack, strict=True))
    return Margins(left, right, len(stack), full, rtl, not rtl and _hang(stack, left, right))


def _right(ends: Sequence[float]) -> float:
    """Return where most lines end, else the longest: an abstract over two columns may reach beyond its own."""
    usual = _mode(ends)
    return usual if 2 * sum(abs(end - usual) < FLUSH for end in ends) > len(ends) else max(ends)


def _ends(line: Line, *, rtl: bool) -> tuple[float, float]:
    return (-line.box.x1, -line.box.x0) if rtl else (line.box.x0, line.box.x1)


def _hang(stack: list[Line], left: float, right: float) -> bool:
    """Return whether long lines that begin anew are flush, and what they go on with is further in, at one margin: the
    entries of a bibliography. In running text most flush lines go on."""
    rows = [(line, abs(line.box.x0 - left) < LEVEL * line.size) for line in stack]
    first = [line for line, is_flush in rows if is_flush]
    inner = [line.box.x0 for line, is_flush in rows if not is_flush]
    if min(len(first), len(inner)) < ENTRIES or min(inner) < left:
        return False
    over = [upper for (upper, is_flush), (_, below) in pairwise(rows) if is_flush and not below]
    wide = sum(line.box.x1 - left > WIDE * (right - left) for line in over)
    anew = sum(line.text[0].isupper() for line in first)
    level = sum(abs(x - median(inner)) < LEVEL * stack[0].size for x in inner)
    return anew >= MOST * len(first) and wide >= MOST * len(over) and level >= MOST * len(inner)


def _mode(values: Sequence[float]) -> float:
    return max(values, key=lambda v: (sum(abs(v - w) < FLUSH for w in values), -v))
