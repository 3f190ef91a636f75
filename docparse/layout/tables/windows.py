"""Columns of the page: a table beside running text is looked for without the text's lines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain, groupby, islice, pairwise, product
from math import inf

import numpy as np

from docparse.layout.chained import chained
from docparse.layout.tables.ink import Ink, InkLine, lines_of, segments, units
from docparse.layout.tables.rules import Rule

WORDY, PARTED = 4.5, 3.5  # words; shorter runs may be cells, beside a stroke down the page too
DRAWN = 12.0  # em: a stroke down so many lines, twice the fewest of a column, may part columns of the page
TITLED, SLACK = 1.3, 0.5  # times the size of most text: titles are no names of columns; em that text begins before them
AHEAD, STACK = 3, 12  # lines in one of which both sides of a gutter stand, and that are looked at for their pitches
LEVEL = 3  # one in so many lines at most happens to be level with one beside it; in a table most are
PITCH = 0.1  # em by which steps down differ; in the rows of one table they are the same
MIN_TEXT_LINES = 5  # lines of running text on both sides of a gutter


def windows(ink: Ink, lines: list[InkLine], vertical: Sequence[Rule], em: float) -> list[list[InkLine]]:
    """Return the lines in parts: one per column where the page has several, top to bottom."""
    parts = [lines]
    for rule in vertical:
        if rule.length > DRAWN * em:
            parts = [half for part in parts for half in _parted(ink, part, rule.at, drawn=True)]
    parts = [column for part in parts for block in _headed(ink, part, em) for column in _askew(ink, block, em)]
    for gutter in _gutters(ink, lines, em):
        parts = [half for part in parts for half in _parted(ink, part, gutter, drawn=False)]
    return parts


def _headed(ink: Ink, lines: list[InkLine], em: float) -> list[list[InkLine]]:
    """Cut where titles in larger type stand side by side, down to the first line that runs on over one of the gutters:
    each has a table of its own under it, or none."""

    def gutters(k: int) -> list[float]:
        titles = segments(ink, lines[k].words)
        large = len(titles) > 1 and min(ink.sizes[i] for i in lines[k].words) >= TITLED * em
        return [ink.rows[title[0]][0] - SLACK * em for title in titles[1:]] if large else []

    return _cut(ink, lines, gutters)


def _askew(ink: Ink, lines: list[InkLine], em: float) -> list[list[InkLine]]:
    """Cut where the lines on both sides of a gutter step down at pitches of their own: an address beside a table. Rows
    of several lines are more than half as far apart again as their lines."""
    pieces = [
        [(ink.rows[run[0]][0], ink.rows[run[-1]][2], ink.words[run[0]].baseline) for run in segments(ink, line.words)]
        for line in lines
    ]

    def gutters(k: int) -> list[float]:
        for row in pieces[k : k + AHEAD]:
            for (_, start, _), (end, *_) in pairwise(row):
                *sides, gutter = _beside(pieces[k : k + STACK], start, end, em)
                less, more = sorted(_pitch(side, em) for side in sides)
                level = sum(abs(a - b) <= PITCH * em for a, b in product(*sides))
                if less and PITCH * em < more - less < 0.5 * less and LEVEL * level <= min(map(len, sides)):
                    return [gutter]
        return []

    return _cut(ink, lines, gutters)


def _beside(
    rows: Sequence[Sequence[tuple[float, float, float]]], start: float, end: float, em: float
) -> tuple[list[float], list[float], float]:
    """The baselines next to a gutter on both sides, down to a line that runs on over it, and the middle of it; `rows`
    are the ends and the baseline of each piece of the lines."""
    sides: tuple[list[float], list[float]] = ([], [])
    for row in rows:
        left = [piece for piece in row if piece[0] < (start + end) / 2]
        near = (left[-1:], row[len(left) :][:1])
        lo, hi = max([start, *(x1 for _, x1, _ in near[0])]), min([end, *(x0 for x0, *_ in near[1])])
        if hi - lo <= em:
            break
        start, end = lo, hi
        for side, piece in zip(sides, near, strict=True):
            side += [baseline for *_, baseline in piece]
    return *sides, (start + end) / 2


def _pitch(baselines: Sequence[float], em: float) -> float:
    """The step from line to line where it is the same in the first three, but for a title over them; else 0."""
    steps = [b - a for a, b in pairwise(baselines)]
    return next((a for a, b in pairwise(steps[:3]) if abs(a - b) <= PITCH * em), 0.0)


def _cut(ink: Ink, lines: list[InkLine], gutters: Callable[[int], Sequence[float]]) -> list[list[InkLine]]:
    """The lines, cut at the gutters that begin at each of them, as far down as they leave them free."""
    parts, start, k = [], 0, 0
    while k < len(lines):
        found = gutters(k)
        cut, end = _split(ink, lines, k, found) if found else ([], k)
        if cut:
            parts += [*([lines[start:k]] if k > start else []), *cut]
            start = end
        k = max(end, k + 1)
    return [*parts, lines[start:]] if start < len(lines) else parts


def _split(ink: Ink, lines: list[InkLine], first: int, gutters: Sequence[float]) -> tuple[list[list[InkLine]], int]:
    """The columns between the gutters from the first line on, and the next one that no longer leaves one of them
    free; no columns where that is the first."""
    runs = ([ink.bounds(run) for run in segments(ink, line.words)] for line in islice(lines, first, None))
    crossed = (n for n, row in enumerate(runs) if any(b.x0 < g < b.x1 for b in row for g in gutters))
    end = first + next(crossed, len(lines) - first)
    own = [i for line in lines[first:end] for i in line.words]
    columns = [[i for i in own if a <= ink.rows[i][0] < b] for a, b in pairwise([-inf, *gutters, inf])]
    parts = [lines_of(ink, np.array(column, int)) for column in columns]
    return [part for part in parts if part], end


def _gutters(ink: Ink, lines: Sequence[InkLine], em: float) -> list[float]:
    """The x between columns of running text: where its lines begin again beside lines that have ended."""
    texts = [ink.bounds(run) for run in _texts(ink, [line.words for line in lines])]
    starts = chained(sorted(box.x0 for box in texts), lambda column, x0: x0 - column[0] <= em)
    columns = [column[0] for column in starts if len(column) >= MIN_TEXT_LINES]
    ends = [(start, [box.x1 for box in texts if box.x1 < start - 0.5 * em]) for start in columns[1:]]
    return [(max(before) + start) / 2 for start, before in ends if len(before) >= MIN_TEXT_LINES]


def _texts(ink: Ink, rows: Sequence[Sequence[int]], wordy: float = WORDY) -> list[list[int]]:
    return [run for words in rows for run in segments(ink, words) if units(ink, run) > wordy]


def _parted(ink: Ink, lines: Sequence[InkLine], gutter: float, *, drawn: bool) -> list[list[InkLine]]:
    """Cut where lines of text stand on both sides and none crosses; what crosses is a part of its own. No words run on
    over a `drawn` gutter, however near they stand."""

    def is_crossed(line: InkLine) -> bool:
        runs = [[i] for i in line.words] if drawn else segments(ink, line.words)
        return any(ink.rows[run[0]][0] < gutter < ink.rows[run[-1]][2] for run in runs)

    parts: list[list[int]] = [[]]
    for crossed, same in groupby(lines, key=is_crossed):
        stretch = list(same)
        left = [[i for i in line.words if ink.rows[i][0] < gutter] for line in stretch]
        right = [[i for i in line.words if ink.rows[i][0] >= gutter] for line in stretch]
        sides = [len(_texts(ink, half, PARTED if drawn else WORDY)) for half in (left, right)]
        if crossed or min(sides) < 1 or sum(sides) < MIN_TEXT_LINES:
            parts[-1] += chain(*left, *right)
        else:
            parts += [list(chain(*left)), list(chain(*right)), []]
    return [lines_of(ink, np.array(part, int)) for part in parts if part]
