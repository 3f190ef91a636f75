"""Columns of the page: a table beside running text is looked for without the text's lines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain, groupby, islice, pairwise
from math import inf

import numpy as np

from docparse.layout.chained import chained
from docparse.layout.tables.ink import Ink, Line, lines_of, segments, units
from docparse.layout.tables.rules import Rule

WORDY, PARTED = 4.5, 3.5  # words; shorter runs may be cells, beside a stroke down the page too
DRAWN = 12.0  # em: a stroke down so many lines, twice the fewest of a column, may part columns of the page
TITLED, SLACK = 1.3, 0.5  # times the size of most text: titles are no names of columns; em that text begins before them
PITCH = 0.1  # em by which steps down differ; in the rows of one table they are the same
MIN_TEXT_LINES = 5  # lines of running text on both sides of a gutter


def windows(ink: Ink, lines: list[Line], vertical: Sequence[Rule], em: float) -> list[list[Line]]:
    """Return the lines in parts: one per column where the page has several, top to bottom."""
    parts = [lines]
    for rule in vertical:
        if rule.length > DRAWN * em:
            parts = [half for part in parts for half in _parted(ink, part, rule.at, drawn=True)]
    parts = [column for part in parts for block in _headed(ink, part, em) for column in _askew(ink, block, em)]
    for gutter in _gutters(ink, lines, em):
        parts = [half for part in parts for half in _parted(ink, part, gutter, drawn=False)]
    return parts


def _headed(ink: Ink, lines: list[Line], em: float) -> list[list[Line]]:
    """Cut where titles in larger type stand side by side, down to the first line that runs on over one of the gutters:
    each has a table of its own under it, or none."""

    def gutters(k: int) -> list[float]:
        titles = segments(ink, lines[k].words)
        large = len(titles) > 1 and min(ink.sizes[i] for i in lines[k].words) >= TITLED * em
        return [ink.rows[title[0]][0] - SLACK * em for title in titles[1:]] if large else []

    return _cut(ink, lines, gutters)


def _askew(ink: Ink, lines: list[Line], em: float) -> list[list[Line]]:
    """Cut where the lines on both sides of a gutter step down at pitches of their own: an address beside a table."""

    def gutters(k: int) -> list[float]:
        for left, right in pairwise(segments(ink, lines[k].words)):
            start, end = ink.rows[left[-1]][2], ink.rows[right[0]][0]
            offsets: list[float] = []  # from the baseline of the piece before the gutter to that of the one behind it
            for line in islice(lines, k, None):
                pieces = pairwise(segments(ink, line.words))
                pair = next(((a[-1], b[0]) for a, b in pieces if _reach_over(ink, a, b, start, end) > em), None)
                if pair is None:
                    break
                start, end = max(start, ink.rows[pair[0]][2]), min(end, ink.rows[pair[1]][0])
                offsets.append(ink.words[pair[1]].baseline - ink.words[pair[0]].baseline)
            steps = sorted(b - a for a, b in pairwise(offsets))
            clear = steps if len(steps) == 2 else steps[1:-1]  # the first may stand over its title
            if clear and min(map(abs, clear)) > PITCH * em and clear[0] * clear[-1] > 0:
                return [(start + end) / 2]
        return []

    return _cut(ink, lines, gutters)


def _cut(ink: Ink, lines: list[Line], gutters: Callable[[int], Sequence[float]]) -> list[list[Line]]:
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


def _reach_over(ink: Ink, left: Sequence[int], right: Sequence[int], start: float, end: float) -> float:
    """How much of the white between two pieces lies in the gutter."""
    return min(end, ink.rows[right[0]][0]) - max(start, ink.rows[left[-1]][2])


def _split(ink: Ink, lines: list[Line], first: int, gutters: Sequence[float]) -> tuple[list[list[Line]], int]:
    """The columns between the gutters from the first line on, and the next one that no longer leaves one of them
    free; no columns where that is the first."""
    runs = ([ink.bounds(run) for run in segments(ink, line.words)] for line in islice(lines, first, None))
    crossed = (n for n, row in enumerate(runs) if any(b.x0 < g < b.x1 for b in row for g in gutters))
    end = first + next(crossed, len(lines) - first)
    own = [i for line in lines[first:end] for i in line.words]
    columns = [[i for i in own if a <= ink.rows[i][0] < b] for a, b in pairwise([-inf, *gutters, inf])]
    parts = [lines_of(ink, np.array(column, int)) for column in columns]
    return [part for part in parts if part], end


def _gutters(ink: Ink, lines: Sequence[Line], em: float) -> list[float]:
    """The x between columns of running text: where its lines begin again beside lines that have ended."""
    texts = [ink.bounds(run) for run in _texts(ink, [line.words for line in lines])]
    starts = chained(sorted(box.x0 for box in texts), lambda column, x0: x0 - column[0] <= em)
    columns = [column[0] for column in starts if len(column) >= MIN_TEXT_LINES]
    ends = [(start, [box.x1 for box in texts if box.x1 < start - 0.5 * em]) for start in columns[1:]]
    return [(max(before) + start) / 2 for start, before in ends if len(before) >= MIN_TEXT_LINES]


def _texts(ink: Ink, rows: Sequence[Sequence[int]], wordy: float = WORDY) -> list[list[int]]:
    return [run for words in rows for run in segments(ink, words) if units(ink, run) > wordy]


def _parted(ink: Ink, lines: Sequence[Line], gutter: float, *, drawn: bool) -> list[list[Line]]:
    """Cut where lines of text stand on both sides and none crosses; what crosses is a part of its own. No words run on
    over a `drawn` gutter, however near they stand."""

    def is_crossed(line: Line) -> bool:
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
