"""Columns of a table without vertical rules: the valleys of the coverage of its rows."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, dropwhile, pairwise

import numpy as np

from docparse.layout.chained import chained
from docparse.layout.tables.ink import CURRENCY, SPACE, Ink, InkLine, segments
from docparse.layout.tables.rules import Rule

STEP = 0.5  # points per bin of the coverage profile
ENTRIES = 0.9  # share of the cells of a column that begin as few lines of running text do
EXACT = 0.3  # points by which cells set at one edge differ
TOLERANCES = (0.0, 0.12, 0.25, 0.4)  # shares of rows that may cross a column boundary (spanning labels, headings)


def column_cuts(
    ink: Ink, lines: Sequence[InkLine], em: float, forced: Sequence[float], header: Sequence[InkLine]
) -> list[float]:
    """Return the x of the boundaries between columns, sorted; `forced` ones (vertical rules) are always among them.

    `lines` are the rows to judge by. Inside a valley the boundary is put where `header`, and lines in one piece, have
    least ink.
    """
    begins = beginnings(ink, lines)
    runs = [_runs(ink, line, begins) for line in lines]
    voters = [r for r in runs if len(r) > 1]
    if not voters:
        return sorted(forced)
    x0 = min(line.x0 for line in lines)
    x1 = max(line.x1 for line in lines)
    profile = _coverage(ink, voters, x0, x1)
    alone = [r for r in runs if len(r) == 1]  # they may also lie across columns, or between rows
    over = _coverage(ink, [*alone, *(segments(ink, line.words, SPACE) for line in header)], x0, x1)
    cuts = list(forced)
    for share in TOLERANCES:  # the strictest valleys first; a laxer one counts where no stricter one is
        crossing = max(int(share * len(voters)), 1 if share and len(voters) >= 5 else 0)
        for lo, hi in _valleys(profile, crossing):
            cut = x0 + STEP * _best_place(profile, over, lo, hi)
            margin = 0.8 * em
            if not any(x0 + STEP * lo - margin < other < x0 + STEP * hi + margin for other in cuts):
                cuts.append(cut)
    return _supported(ink, runs, sorted(cuts), em, set(forced))


def beginnings(ink: Ink, lines: Sequence[InkLine]) -> list[float]:
    """Return the x at which the cells of columns begin: words of three lines do, most of them behind white. In other
    lines the cell before may come as near as a word. Numbers end at one edge."""
    pairs = [(a, b) for line in lines for a, b in pairwise(line.words) if not ink.value[b]]
    starts = sorted((ink.rows[b][0], ink.rows[b][0] - ink.rows[a][2] > SPACE * ink.sizes[b]) for a, b in pairs)
    found = chained(starts, lambda column, start: start[0] - column[0][0] < EXACT)
    return [column[0][0] for column in found if sum(wide for _, wide in column) >= max(3, 0.5 * len(column))]


def _runs(ink: Ink, line: InkLine, begins: Sequence[float]) -> list[list[int]]:
    """The words of a line, parted at white and where a column begins."""
    heads = {run[0] for run in segments(ink, line.words, SPACE)}
    return chained(line.words, lambda _, i: i not in heads and not _is_start(begins, ink.rows[i][0]))


def _is_start(begins: Sequence[float], x: float) -> bool:
    at = bisect_left(begins, x - EXACT)
    return at < len(begins) and begins[at] < x + EXACT


def _coverage(ink: Ink, runs: list[list[list[int]]], x0: float, x1: float) -> np.ndarray:
    """Return how many rows have ink at x, per bin of `STEP` points from `x0`, int [bins]."""
    bins = int((x1 - x0) / STEP) + 2
    edges = np.zeros(bins + 1, int)
    for row in runs:
        for run in row:
            lo = int((ink.rows[run[0]][0] - x0) / STEP)
            hi = int((max([ink.rows[i][2] for i in run]) - x0) / STEP) + 1
            edges[min(max(lo, 0), bins)] += 1
            edges[min(max(hi, 0), bins)] -= 1
    return np.cumsum(edges)[:-1]


def _valleys(profile: np.ndarray, crossing: int) -> list[tuple[int, int]]:
    """Stretches (lo, hi) of the profile at or under `crossing` with taller ink on both sides."""
    return [(lo, hi) for lo, hi in _stretches(profile <= crossing).tolist() if lo > 0 and hi < len(profile) - 1]


def _best_place(profile: np.ndarray, over: np.ndarray, lo: int, hi: int) -> float:
    """The middle of the widest stretch of least coverage, the rightmost of equals; `over` breaks ties."""
    part = profile[lo:hi] * (over.max() + 1) + over[lo:hi]
    start, end = max(_stretches(part == part.min()).tolist(), key=lambda pair: (pair[1] - pair[0], pair))
    return lo + (start + end) / 2


def _stretches(mask: np.ndarray) -> np.ndarray:
    """int [k, 2]: where the runs of True in a mask begin and end."""
    return np.flatnonzero(np.diff(mask, prepend=False, append=False)).reshape(-1, 2)


def _supported(ink: Ink, runs: list[list[list[int]]], cuts: list[float], em: float, forced: set[float]) -> list[float]:
    """Keep the cuts at which rows really have a gap wider than a word space, and columns that hold something."""

    def support(cut: float, gaps: Sequence[float]) -> float:
        """The usual gap at a cut in em, where enough rows have one."""
        typical = float(np.median(gaps)) / em if gaps else 1.0
        return min(typical, 0.5) if len(gaps) < 2 * _crossings(ink, runs, cut) else typical

    words = [(ink.rows[i][0], ink.rows[i][2]) for row in runs for run in row for i in run]
    while True:
        bare = ((lo, hi) for lo, hi in pairwise(cuts) if not any(lo - 1 < a and b < hi + 1 for a, b in words))
        signs = ((hi, lo) for lo, hi in pairwise(cuts) if _are_signs(ink, runs, lo, hi))
        if free := [cut for column in chain(bare, signs) for cut in column if cut not in forced]:
            cuts = [cut for cut in cuts if cut != free[0]]
            continue
        found = zip(cuts, _gaps_at(ink, runs, cuts), strict=True)
        weak = [(support(cut, gaps), k) for k, (cut, gaps) in enumerate(found) if cut not in forced]
        cost, k = min(weak, default=(1.0, 0))
        if cost >= 0.6:
            return cuts
        cuts = [cut for cut in cuts if cut != cuts[k]]


def _are_signs(ink: Ink, runs: list[list[list[int]]], lo: float, hi: float) -> bool:
    """Return whether a column holds nothing, below its head, but signs of currencies, each before a number behind
    it."""
    rows = ([i for run in row for i in run] for row in runs)
    pairs = (pair for row in rows for pair in pairwise([*row, -1]) if lo < sum(ink.rows[pair[0]][::2]) / 2 < hi)
    body = list(dropwhile(lambda pair: ink.words[pair[0]].text not in CURRENCY, pairs))
    return bool(body) and all(ink.words[a].text in CURRENCY and b >= 0 and ink.value[b] for a, b in body)


def _crossings(ink: Ink, runs: list[list[list[int]]], cut: float) -> int:
    """The rows in which a run of words crosses `cut`, all but one in eight of them."""
    crossed = sum(any(ink.rows[run[0]][0] < cut - 1 and ink.rows[run[-1]][2] > cut + 1 for run in row) for row in runs)
    return max(0, crossed - max(1, len(runs) // 8))


def _gaps_at(ink: Ink, runs: list[list[list[int]]], cuts: list[float]) -> list[list[float]]:
    """For every cut the widths of the gaps around it in the rows that have words in both neighbouring columns."""
    found: list[list[float]] = [[] for _ in cuts]
    bounds = [-np.inf, *cuts, np.inf]
    for row in runs:
        boxes = [ink.rows[i] for run in row for i in run]
        lefts, rights = [box[0] for box in boxes], [box[2] for box in boxes]
        for k, cut in enumerate(cuts):
            at = bisect_left(lefts, cut - 0.5)  # the first word behind the cut
            if not 0 < at < len(lefts):
                continue
            beside = lefts[at - 1] >= bounds[k] - 1 and rights[at - 1] <= cut + 0.5 and rights[at] <= bounds[k + 2] + 1
            if beside:
                found[k].append(lefts[at] - rights[at - 1])
    return found


@dataclass(slots=True)
class Piece:
    """Words of one line that belong to one cell, and the columns it covers, first and last."""

    words: list[int]
    first: int
    last: int


Pieces = Sequence[Sequence[Piece]]
"""Those of several lines."""


def cells_in(pieces: Iterable[Sequence[Piece]], column: int) -> list[Piece]:
    """Return the pieces that stand in one column alone, top to bottom."""
    return [piece for row in pieces for piece in row if piece.first == column == piece.last]


def are_entries(ink: Ink, cells: Sequence[Piece]) -> bool:
    """Return whether nearly every cell begins with a capital or a figure: running text goes on in small letters."""
    first = [ink.words[cell.words[0]].text[0] for cell in cells]
    return sum(char.isupper() or not char.isalpha() for char in first) >= ENTRIES * len(first)


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns between `cuts`, with the extent of the ink of each; `value[k]`: mostly numbers."""

    cuts: tuple[float, ...]
    lo: tuple[float, ...]
    hi: tuple[float, ...]
    value: tuple[bool, ...]
    strokes: tuple[Rule, ...]  # vertical ones: no cell reaches across
    begins: tuple[float, ...]  # where cells do

    @property
    def count(self) -> int:
        return len(self.cuts) + 1


def columns_of(
    ink: Ink, lines: Sequence[InkLine], cuts: Sequence[float], x0: float, x1: float, vertical: Sequence[Rule]
) -> Columns:
    """Measure the columns by the words of the body `lines` that lie wholly in one of them."""
    bounds = [x0, *cuts, x1]
    lo, hi, values, total = list(bounds[1:]), list(bounds[:-1]), [0] * (len(bounds) - 1), [0] * (len(bounds) - 1)
    for number, line in enumerate(lines):
        left, right = ink.box[line.words, 0], ink.box[line.words, 2]
        counts = 3 * number >= len(lines)  # the first lines may yet turn out to be headings
        home = np.searchsorted(cuts, (left + right) / 2).tolist()
        for i, k, a, b in zip(line.words, home, left.tolist(), right.tolist(), strict=True):
            lo[k], hi[k] = min(lo[k], max(a, bounds[k])), max(hi[k], min(b, bounds[k + 1]))
            total[k] += counts
            values[k] += counts and bool(ink.value[i])
    for k in range(len(lo)):
        if lo[k] >= hi[k]:
            lo[k], hi[k] = bounds[k], bounds[k + 1]
    value = tuple(n > 0 and v >= 0.6 * n for v, n in zip(values, total, strict=True))
    return Columns(tuple(cuts), tuple(lo), tuple(hi), value, tuple(vertical), tuple(beginnings(ink, lines)))


def pieces_of(ink: Ink, line: InkLine, columns: Columns) -> list[Piece]:
    """Cut a line into cells at the column boundaries; a run of words that crosses one covers both sides."""
    pieces: list[Piece] = []
    right = -np.inf
    for i in line.words:
        (x0, _, x1, _), size = ink.rows[i], ink.sizes[i]
        first, last = _cover(columns.cuts, x0, x1, size)
        ruled = any(rule.lo < line.y < rule.hi and right - 1 < rule.at < x0 + 1 for rule in columns.strokes)
        joined = pieces and x0 - right <= SPACE * size and not ruled
        if joined and first > pieces[-1].last:
            previous = pieces[-1].words[-1]
            fits_right = bool(ink.value[i]) and columns.value[first]
            fits_left = bool(ink.value[previous]) and columns.value[pieces[-1].last]
            dated = any(ink.words[k].text.endswith(",") for k in (previous, i))  # "December 31, 2022": it goes on
            joined = dated or not (fits_right or fits_left or _is_start(columns.begins, x0))
        if pieces and not joined and pieces[-1].first < first <= pieces[-1].last:
            pieces[-1].last = first - 1
        if pieces and (joined or first <= pieces[-1].last):
            pieces[-1].words.append(i)
            pieces[-1].last = max(pieces[-1].last, last)
        else:
            pieces.append(Piece([i], first, last))
        right = max(right, x1)
    return pieces


def _cover(cuts: Sequence[float], x0: float, x1: float, size: float) -> tuple[int, int]:
    """First and last column under a word; poking less than 0.3 em over a boundary does not count."""
    slack = min(0.3 * size, 0.25 * (x1 - x0))
    first, last = bisect_left(cuts, x0 + slack), bisect_left(cuts, x1 - slack)
    return first, max(first, last)
