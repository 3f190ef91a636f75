"""Columns of the page: a table beside running text is looked for without the text's lines."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import numpy as np

from docparse.layout.tables.ink import Ink, Line, lines_of, segments, units
from docparse.layout.tables.rules import Rule

WORDY = 4.5  # words; shorter runs may be cells
DRAWN = 12.0  # em: a stroke down so many lines, twice the fewest of a column, may part columns of the page
MIN_TEXT_LINES = 5  # lines of running text on both sides of a gutter


def windows(ink: Ink, lines: list[Line], vertical: Sequence[Rule], em: float) -> list[list[Line]]:
    """Return the lines in parts: one per column where the page has several, top to bottom."""
    parts = [lines]
    drawn = [rule.at for rule in vertical if rule.length > DRAWN * em]
    for gutter in [*drawn, *_gutters(ink, lines, em)]:
        parts = [half for part in parts for half in _parted(ink, part, gutter, drawn=gutter in drawn)]
    return parts


def _gutters(ink: Ink, lines: Sequence[Line], em: float) -> list[float]:
    """The x between columns of running text: where its lines begin again beside lines that have ended."""
    texts = [ink.bounds(run) for run in _texts(ink, lines)]
    starts: list[list[float]] = []  # x0, x1, lines
    for box in sorted(texts, key=lambda box: box.x0):
        if starts and box.x0 - starts[-1][0] <= em:
            starts[-1][1:] = max(starts[-1][1], box.x1), starts[-1][2] + 1
        else:
            starts.append([box.x0, box.x1, 1])
    columns = [s for s in starts if s[2] >= MIN_TEXT_LINES]
    found = []
    for right in columns[1:]:
        ends = [box.x1 for box in texts if box.x1 < right[0] - 0.5 * em]
        if len(ends) >= MIN_TEXT_LINES:
            found.append((max(ends) + right[0]) / 2)
    return found


def _texts(ink: Ink, lines: Sequence[Line]) -> list[list[int]]:
    return [run for line in lines for run in segments(ink, line.words) if units(ink, run) > WORDY]


def _parted(ink: Ink, lines: Sequence[Line], gutter: float, *, drawn: bool) -> list[list[Line]]:
    """Cut where lines of text stand on both sides and none crosses; what crosses is a part of its own. No words run on
    over a `drawn` gutter, however near they stand."""

    def is_crossed(line: Line) -> bool:
        runs = [[i] for i in line.words] if drawn else segments(ink, line.words)
        return any(ink.rows[run[0]][0] < gutter < ink.rows[run[-1]][2] for run in runs)

    parts: list[list[int]] = [[]]
    for crossed, same in groupby(lines, key=is_crossed):
        stretch = list(same)
        left = [i for line in stretch for i in line.words if ink.rows[i][0] < gutter]
        right = [i for line in stretch for i in line.words if ink.rows[i][0] >= gutter]
        sides = [len(_texts(ink, [_only(line, half) for line in stretch])) for half in (set(left), set(right))]
        if crossed or min(sides) < 1 or sum(sides) < MIN_TEXT_LINES:
            parts[-1] += [*left, *right]
        else:
            parts += [left, right, []]
    return [lines_of(ink, np.array(part, int)) for part in parts if part]


def _only(line: Line, words: set[int]) -> Line:
    return Line([i for i in line.words if i in words], line.y, line.y0, line.y1, line.x0, line.x1)
