"""Where tables may be: ruled lattices, stacks of horizontal rules, runs of numeric rows, the layout model's boxes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from docparse.layout.tables.ink import SPACE, WIDE, Ink, Line, line_of, lines_of, segments
from docparse.layout.tables.rules import Rule, components, extent
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


def lattices(horizontal: list[Rule], vertical: list[Rule]) -> list[Candidate]:
    """Groups of crossing rules, at least five in all and two of them horizontal."""
    found = []
    for rows, columns in components(horizontal, vertical):
        if len(rows) >= 2 and len(rows) + len(columns) >= 5:
            found.append(Candidate(extent(rows, columns), "ruled", rows, columns, closed=True, score=0.9))
    return found


def stacks(ink: Ink, horizontal: list[Rule], em: float) -> list[Candidate]:
    """Runs of two or more horizontal rules of one width, one above the other, with text set in cells between."""
    rules = _composite(horizontal, em)
    found, used = [], set()
    for i, top in enumerate(rules):
        if i in used or top.length < 6 * em:
            continue
        slack = max(3.0, 0.02 * top.length)
        stack = [top]
        for j in range(i + 1, len(rules)):
            if abs(rules[j].lo - top.lo) <= slack and abs(rules[j].hi - top.hi) <= slack:
                used.add(j)
                stack.append(rules[j])
        if len(stack) >= 2:
            found += _tabular_runs(ink, stack, horizontal)
    return found


def _composite(horizontal: list[Rule], em: float) -> list[Rule]:
    """Rules at one height with small gaps between them count as one (column-wise underlines)."""
    result: list[Rule] = []
    for rule in sorted(horizontal, key=lambda r: (round(r.at), r.lo)):
        last = result[-1] if result else None
        if last and abs(last.at - rule.at) <= 1.0 and rule.lo - last.hi <= 2.5 * em:
            result[-1] = Rule(last.at, last.lo, max(last.hi, rule.hi))
        else:
            result.append(rule)
    return sorted(result, key=lambda r: (r.at, r.lo))


def _tabular_runs(ink: Ink, stack: list[Rule], horizontal: list[Rule]) -> list[Candidate]:
    """Cut a stack of rules where the text between two of them is not set in cells."""
    runs = [[stack[0]]]
    for upper, lower in pairwise(stack):
        inside = lines_of(ink, ink.inside(Box(upper.lo - 3, upper.at, upper.hi + 3, lower.at)))
        if lower.at - upper.at < 4 or (inside and _in_cells(ink, inside)):
            runs[-1].append(lower)
        else:
            runs.append([lower])
    found = []
    for run in runs:
        if len(run) < 2 or run[-1].at - run[0].at < 8:
            continue
        box = Box(min(r.lo for r in run), run[0].at, max(r.hi for r in run), run[-1].at)
        inner = [
            r for r in horizontal if box.y0 - 1 <= r.at <= box.y1 + 1 and r.lo >= box.x0 - 3 and r.hi <= box.x1 + 3
        ]
        found.append(Candidate(box, "booktabs", inner, closed=True, score=0.6 + 0.05 * min(len(run), 4)))
    return found


def _in_cells(ink: Ink, lines: Sequence[Line]) -> bool:
    cells = [len(segments(ink, line.words)) for line in lines]
    return sum(n >= 2 for n in cells) >= 0.25 * len(cells)


@dataclass(slots=True)
class _Run:
    """Consecutive lines whose numbers stand under each other."""

    lines: list[int]
    spans: list[tuple[float, float]]  # extents of the number columns


def numeric_runs(ink: Ink, lines: Sequence[Line], em: float) -> list[Candidate]:
    """Three or more near lines with numbers aligned in columns, with their labels."""
    runs: list[_Run] = []
    for k, line in enumerate(lines):
        parts = _number_cells(ink, line)
        numbers = [
            (float(ink.box[p[0], 0]), max(float(ink.box[i, 2]) for i in p))
            for p in parts
            if all(ink.value[i] for i in p)
        ]
        if len(numbers) < 2:
            continue
        for run in reversed(runs[-4:]):
            far = line.y - lines[run.lines[-1]].y > 4.5 * em
            if not far and _aligned(run.spans, numbers):
                run.lines.append(k)
                run.spans = _joined(run.spans, numbers)
                break
        else:
            runs.append(_Run([k], numbers))
    found = []
    for run in runs:
        if len(run.lines) < 3:
            continue
        x0, x1 = min(s[0] for s in run.spans), max(s[1] for s in run.spans)
        box = Box(x0, lines[run.lines[0]].y0, x1, lines[run.lines[-1]].y1)
        found.append(Candidate(box, "aligned", score=0.4))
    return found


def _number_cells(ink: Ink, line: Line) -> list[list[int]]:
    """Runs of words, cut before a number at a lesser gap than between words: columns of numbers may stand close."""
    result: list[list[int]] = []
    for run in segments(ink, line.words, WIDE):
        for k, i in enumerate(run):
            gap = ink.box[i, 0] - ink.box[run[k - 1], 2] if k else np.inf
            close = 0.6 if k and not ink.value[run[k - 1]] else SPACE
            if ink.value[i] and gap > close * ink.size[i]:
                result.append([i])
            elif k:
                result[-1].append(i)
            else:
                result.append([i])
    return result


def _aligned(spans: Sequence[tuple[float, float]], numbers: Sequence[tuple[float, float]]) -> bool:
    hits = sum(any(min(b, d) > max(a, c) for c, d in spans) for a, b in numbers)
    return hits >= 2 and hits >= 0.5 * len(numbers)


def _joined(spans: Sequence[tuple[float, float]], numbers: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    result: list[tuple[float, float]] = []
    for a, b in sorted([*spans, *numbers]):
        if result and a < result[-1][1]:
            result[-1] = (result[-1][0], max(b, result[-1][1]))
        else:
            result.append((a, b))
    return result


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
    taken: list[Line] = []
    while above and box.y0 - above[-1].y1 <= 1.3 * em and _is_heading(ink, above[-1], box, em, cells):
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
    return inside and not alone and max(map(len, runs)) <= 7 and len(parts) >= cells
