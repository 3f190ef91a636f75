"""Stacks of horizontal rules with text in cells between them: tables as printers and invoices set them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from statistics import median

import numpy as np

from docparse.layout.chained import chained, grouped
from docparse.layout.tables.candidates import Candidate, is_title
from docparse.layout.tables.columns import EXACT, beginnings
from docparse.layout.tables.ink import SPACE, WIDE, Ink, InkLine, cells_of, lines_of, segments, units
from docparse.layout.tables.rules import Rule
from docparse.layout.text.markers import is_marker
from docparse.layout.text.wording import CAPTION
from docparse.types import Box

SECTION = re.compile(r"\d+(\.\d+)+\.?")
LEVEL, APART = 1.0, 2.5  # points between the heights of level rules, and em between pieces of one, at most
DOUBLE = 4.0  # points: nearer rules are one
WHITE = 3.5  # em between lines: rows of a table are closer
NEAR = 1.0  # em from a rule without another beyond it to a row, and between such rows
DISPLAY = 1.6  # times the usual size: no words of a table are so large
OVERHANG = 0.05  # times the length of the rules that a cell may end beyond them
SUMS = 3  # cells of a row of sums at least
HEADER = 3  # lines over the first rule: more are rows of another table
VALUED = 0.6  # of the lines between rules that begin with a figure: their labels stand before the rules
SENTENCE, ACROSS = 10, 0.75  # words of a line of running text, and share of the rules' length that it takes


@dataclass(slots=True)
class _Run:
    """Rules with cells between them, from `y0` to `y1`: rows may stand over the first one and under the last."""

    rules: list[Rule]
    y0: float
    y1: float

    @property
    def height(self) -> float:
        return self.rules[-1].at - self.rules[0].at

    def add(self, rule: Rule) -> None:
        self.rules.append(rule)
        self.y1 = rule.at


def stacks(ink: Ink, horizontal: list[Rule], em: float) -> list[Candidate]:
    """Return runs of two or more rules of one width, one above the other, with text set in cells between."""
    rules = _composite(ink, horizontal, em)
    found, used = [], set[int]()
    for i, top in enumerate(rules):
        if i in used or top.length < 6 * em:
            continue
        ends = ((j, max(abs(rules[j].lo - top.lo), abs(rules[j].hi - top.hi))) for j in range(i + 1, len(rules)))
        below = [j for j, off in ends if off <= max(3.0, 0.02 * top.length)]
        used.update(below)
        if below:
            runs = _runs(ink, [top, *(rules[j] for j in below)])
            found += [_candidate(ink, run, horizontal) for run in runs if run.height >= 2 * DOUBLE]
    return found


def _composite(ink: Ink, horizontal: list[Rule], em: float) -> list[Rule]:
    """Rules at one height with small gaps between them count as one (column-wise underlines), but for those of tables
    side by side; without a piece over the labels where more rules begin behind it."""
    whites = _between_tables(ink, horizontal, em)

    def goes_on(run: list[Rule], rule: Rule) -> bool:
        end = max(piece.hi for piece in run)
        parted = any(abs(end - white.x0) < LEVEL > abs(rule.lo - white.x1) for white in whites)
        return abs(run[0].at - rule.at) <= LEVEL and rule.lo - end <= APART * em and not parted

    runs = chained(sorted(horizontal, key=lambda r: (round(r.at), r.lo)), goes_on)
    ends = Counter((round(run[0].lo), round(run[-1].hi)) for run in runs)
    rest = [run[1:] if _is_labelled(run, ends, em) else run for run in runs]
    whole = (Rule(run[0].at, run[0].lo, max(piece.hi for piece in run)) for run in rest)
    return sorted(whole, key=lambda r: (r.at, r.lo))


def _is_labelled(run: Sequence[Rule], ends: Counter[tuple[int, int]], em: float) -> bool:
    """Return whether the first of the pieces of a rule, longer than the others, lies over labels: more rules begin
    behind."""
    label, *others = run
    longest = max((piece.length for piece in others), default=inf)
    right = round(run[-1].hi)
    return label.length > longest + 2 * em and ends[round(others[0].lo), right] > ends[round(label.lo), right]


def _between_tables(ink: Ink, horizontal: Sequence[Rule], em: float) -> list[Box]:
    """The white between tables side by side: at two heights or more a rule ends there and another begins, and a
    line between them is set in cells on both sides. Left of rules over the numbers of one table stand its labels."""
    ordered = pairwise(sorted(horizontal, key=lambda rule: (round(rule.at), rule.lo)))
    pairs = [(a, b) for a, b in ordered if abs(b.at - a.at) <= LEVEL and 0 < b.lo - a.hi < APART * em]
    found = []
    for (left, right), *others in grouped(((round(a.lo), round(a.hi), round(b.lo)), (a, b)) for a, b in pairs).values():
        if not others:
            continue
        white = Box(left.hi, left.at, right.lo, others[-1][0].at)
        lines = lines_of(ink, ink.inside(Box(-inf, white.y0, right.hi, white.y1)))
        halves = [[[i for i in line.words if (ink.rows[i][0] < white.x0) == side] for side in (True, False)]
                  for line in lines]  # fmt: skip
        celled = any(all(half and len(segments(ink, half)) > 1 for half in pair) for pair in halves)
        if celled and all(line.x0 > left.lo - em for line in lines):
            found.append(white)
    return found


def _runs(ink: Ink, stack: list[Rule]) -> list[_Run]:
    """Cut a stack of rules at captions, at white, and where the text between two of them is not set in cells."""
    boxes = (Box(upper.lo - 3, upper.at, upper.hi + 3, lower.at) for upper, lower in pairwise(stack))
    between = [lines_of(ink, ink.inside(box)) for box in boxes]
    usual = median([ink.sizes[i] for lines in between for line in lines for i in line.words] or [0.0])
    starts = beginnings(ink, [lines[0] for lines in between if len(lines) == 1])
    celled = [_in_cells(ink, lines, starts) for lines in between]
    down, up = _led(between, celled), _led(between[::-1], celled[::-1])[::-1]
    runs = [_Run([stack[0]], stack[0].at, stack[0].at)]
    for k, (upper, lower) in enumerate(pairwise(stack)):
        rows = down[k] and up[k]
        above, below = _parted(ink, between[k], upper, lower, usual) if rows else ([], [])
        under, over = _near(ink, above, upper.at), _near(ink, below[::-1], lower.at)
        if lower.at - upper.at < DOUBLE or (rows and (above is below or len(under) == len(between[k]))):
            runs[-1].add(lower)
            continue
        if _in_cells(ink, under, starts):
            runs[-1].y1 = under[-1].y1 + 0.5
        headed = len(over) <= HEADER and _in_cells(ink, over, starts)
        runs.append(_Run([lower], over[-1].y0 - 0.5 if headed else lower.at, lower.at))
    return [_without_foot(ink, run) for run in runs]


def _without_foot(ink: Ink, run: _Run) -> _Run:
    """The run without a last rule that ends elsewhere than those over it, where a line of one cell stands on it: the
    number of the page over the rule at its foot."""
    *_, above, last = [run.rules[0], *run.rules]
    lines = lines_of(ink, ink.inside(Box(above.lo - 3, above.at, above.hi + 3, last.at)))
    apart = max(abs(above.lo - last.lo), abs(above.hi - last.hi)) > LEVEL
    celled = [line for line in lines if len(_cells(ink, line)) > 1]
    figures = not celled or ink.value[celled[-1].words[-1]]  # what ends in words may go on in one line
    if len(run.rules) < 3 or not (apart and figures and lines) or celled[-1:] == lines[-1:]:
        return run
    return _Run(run.rules[:-1], run.y0, max([above.at, *(line.y1 + 0.5 for line in celled)]))


def _near(ink: Ink, lines: Sequence[InkLine], rule: float) -> list[InkLine]:
    """Return the first of the lines, down or up from a rule, that follow it and each other closely."""
    found: list[InkLine] = []
    for line in lines:
        edges = (found[-1].y0, found[-1].y1) if found else (rule, rule)
        if max(line.y0 - edges[1], edges[0] - line.y1) > NEAR * max(ink.sizes[i] for i in line.words):
            break
        found.append(line)
    return found


def _in_cells(ink: Ink, lines: Sequence[InkLine], starts: Sequence[float]) -> bool:
    """A quarter of the lines has several cells, or white runs down between the words of all. A column that `starts` at
    one edge between other rules needs less white before it."""
    if not lines:
        return False
    cells = [_cells(ink, line) for line in lines]
    several = sum(len(row) >= 2 or _goes_on(ink, row, starts) for row in cells)
    extents = sorted((ink.rows[cell[0]][0], ink.rows[cell[-1]][2]) for row in cells for cell in row)
    size = max((ink.sizes[cell[0]] for row in cells for cell in row), default=0.0)
    reach = np.maximum.accumulate([x1 for _, x1 in extents])
    apart = any(x0 - right > WIDE * size for (x0, _), right in zip(extents[1:], reach, strict=False))
    return several >= 0.25 * len(lines) or apart


def _goes_on(ink: Ink, cells: Sequence[Sequence[int]], starts: Sequence[float]) -> bool:
    """Return whether white that is wider than a space stands in a cell before the edge of a column."""
    pairs = (pair for cell in cells for pair in pairwise(cell))
    wide = (ink.rows[b][0] for a, b in pairs if ink.rows[b][0] - ink.rows[a][2] > SPACE * ink.sizes[b])
    return any(abs(x0 - start) < EXACT for x0 in wide for start in starts)


def _cells(ink: Ink, line: InkLine) -> list[list[int]]:
    """The cells of a line; the marker of an item, or the number of a section, is none."""
    cells = cells_of(ink, line)
    first = ink.text(cells[0])
    titled = SECTION.fullmatch(first) and len(cells) == 2 and not ink.value[cells[1][0]]
    return cells[bool(titled or is_marker(first)) :]


def _led(between: Sequence[Sequence[InkLine]], celled: Sequence[bool]) -> list[bool]:
    """Return which are rows or follow them as single lines do: the title of a group, a note or a sum."""
    led = False
    return [led := cells or (led and len(lines) == 1) for lines, cells in zip(between, celled, strict=True)]


def _parted(
    ink: Ink, lines: list[InkLine], upper: Rule, lower: Rule, usual: float
) -> tuple[list[InkLine], list[InkLine]]:
    """Return the lines from the upper rule to the first break, and those from the last break to the lower one, or twice
    `lines` if nothing breaks them: white, captions, running text and display type, larger than the `usual` between the
    rules, are in no table."""
    wide = WHITE * min(ink.sizes[i] for line in lines for i in line.words)
    large = DISPLAY * usual
    runs = [segments(ink, line.words) for line in lines]
    last = min((ink.rows[row[-1][0]][0] for row in runs if len(row) > 1), default=0.0)
    shown = [
        any(CAPTION.match(ink.text(run[:3])) for run in row)
        or (len(row) == 1 and (max(ink.sizes[i] for i in row[0]) > large or _is_running(ink, line, upper, last)))
        for line, row in zip(lines, runs, strict=True)
    ]
    named = all(ink.words[i].bold for i in lines[-1].words)  # columns, under the title of a table
    for k, line in enumerate(lines) if len(lines) > 1 else ():
        if len(runs[k]) == 1:
            ends = k >= len(lines) - 1 - named  # the title of the next table: others are those of groups
        else:
            ends = line is not lines[-1] and not ink.value[line.words].any()  # titles of tables side by side
        shown[k] |= ends and is_title(ink, line, usual)
    valued = all(ink.value[line.words[0]] for line in lines)  # their labels stand before the rules
    white = [b.y0 - a.y1 > wide and not (valued and _are_labelled(ink, a, b, upper.lo)) for a, b in pairwise(lines)]
    breaks = [i for i, apart in enumerate(white, 1) if apart or shown[i - 1] or shown[i]]
    if shown[0]:
        breaks = [0, *breaks]
    if lower.at - lines[-1].y1 > wide or shown[-1]:
        breaks.append(len(lines))
    return (lines[: breaks[0]], lines[breaks[-1] :]) if breaks else (lines, lines)


def _are_labelled(ink: Ink, upper: InkLine, lower: InkLine, x: float) -> bool:
    """Return whether lines that end before `x` follow each other closely from one line of figures to the next: the
    titles of groups, and what has no figures."""
    between = lines_of(ink, ink.inside(Box(-inf, upper.y, x, lower.y)))
    return all(line.x1 < x for line in between) and len(_near(ink, [*between, lower], upper.y1)) > len(between)


def _is_running(ink: Ink, line: InkLine, rule: Rule, last: float) -> bool:
    """Return whether a sentence goes on over the columns under a rule, also over the last one, which begins at `last`,
    where none of its words does, or text comes in from the left of them."""
    near = 0.3 * ink.sizes[line.words[0]]
    level = lines_of(ink, ink.inside(Box(-inf, line.y - near, inf, line.y + near)))
    runs = [(units(ink, run), ink.bounds(run)) for row in level for run in segments(ink, row.words)]
    size = ink.sizes[line.words[0]]
    if any(words > 1 and box.x0 < rule.lo - size and box.x1 > rule.lo + size for words, box in runs):
        return True
    if any(abs(ink.rows[i][0] - last) < EXACT for i in line.words):
        return False
    boxes = [box for words, box in runs if words >= SENTENCE]
    across = max(last, rule.lo + ACROSS * rule.length)
    return any(box.x1 > across and box.x0 < rule.hi - ACROSS * rule.length for box in boxes)


def _candidate(ink: Ink, run: _Run, horizontal: Sequence[Rule]) -> Candidate:
    first, last = run.rules[0].at, run.rules[-1].at
    x0, x1 = min(r.lo for r in run.rules), max(r.hi for r in run.rules)
    inner = [r for r in horizontal if first - 1 <= r.at <= last + 1 and r.lo >= x0 - 3 and r.hi <= x1 + 3]
    y1 = max(run.y1, _last_row(ink, run.rules, x0, x1))
    y1 = max(y1, _last_figures(ink, Box(x0, first, x1, y1), horizontal))
    box = Box(x0, run.y0, _overhang(ink, Box(x0, run.y0, x1, y1)), y1)
    return Candidate(box, "booktabs", inner, score=0.6 + 0.05 * min(len(run.rules), 3))


def _overhang(ink: Ink, box: Box) -> float:
    """Return where the cells end that begin over the rules and reach a little beyond."""
    lines = lines_of(ink, ink.inside(Box(box.x0, box.y0, box.x1 + OVERHANG * box.width, box.y1)))
    cells = (ink.bounds(run) for line in lines for run in segments(ink, line.words))
    return max([box.x1, *(cell.x1 for cell in cells if cell.center[0] < box.x1)])


def _last_row(ink: Ink, rules: Sequence[Rule], x0: float, x1: float) -> float:
    """Return where the rows under the last rule end if they are sums: of several columns, or the first ending where
    the rule does; else 0. Under the two rules around a head all rows of figures are those of a table that a page break
    cuts; what has fewer cells than a row, as the name of a list between ornamental rules, heads none."""
    last, pitch = rules[-1].at, max(lower.at - upper.at for upper, lower in pairwise(rules))
    alone = len(rules) == 2
    head = lines_of(ink, ink.inside(Box(x0 - 3, rules[0].at, x1 + 3, last))) if alone else []
    end, foot = 0.0, inf if alone else last + pitch
    for row in _near(ink, lines_of(ink, ink.inside(Box(x0 - 3, last, x1 + 3, foot))), last):
        cells = segments(ink, row.words)
        inner = cells[1:] if len(cells) == SUMS else cells[1:-1]
        values = len(cells) >= SUMS and all(ink.value[i] for cell in inner for i in cell)
        flush = ink.value[row.words[-1]] and row.x1 > x1 - ink.sizes[row.words[-1]]
        unheaded = alone and not any(_heads(ink, line, cells) for line in head)
        if unheaded or not (values or (flush and not end)):
            break
        end = row.y1 + 0.5
    return end


def _last_figures(ink: Ink, box: Box, horizontal: Sequence[Rule]) -> float:
    """Return where rows of figures end that follow a `box` of such as closely as its own lines do, with labels before
    its rules: under the last sum may stand what else there is to say; else 0."""
    own = lines_of(ink, ink.inside(box))
    if sum(bool(ink.value[line.words[0]]) for line in own) <= VALUED * len(own):
        return 0.0
    floor = min((r.at for r in horizontal if r.at > box.y1 and r.lo < box.x1 and r.hi > box.x0), default=inf)
    lines = lines_of(ink, ink.inside(Box(-inf, own[0].y0, box.x1 + 3, floor)))
    reach = max([0.0, *(b.y0 - a.y1 for a, b in pairwise(lines) if b.y < box.y1)])
    below, end = [line for line in lines if line.y > box.y1], 0.0
    for last, line in pairwise([InkLine([], box.y1, box.y1, box.y1, box.x0, box.x1), *below]):
        figures = [i for i in line.words if ink.rows[i][0] > box.x0 - 3]
        labelled = len(figures) < len(line.words) and line.x0 < box.x0
        if line.y0 - last.y1 > reach or not (labelled and all(ink.value[i] for i in figures)):
            break
        end = line.y1 + 0.5 if figures else end
    return end


def _heads(ink: Ink, line: InkLine, cells: Sequence[Sequence[int]]) -> bool:
    """Return whether a line has a cell for each of a row, or for each but the first one, over which none stands."""
    own = len(segments(ink, line.words))
    return own >= len(cells) or (own == len(cells) - 1 and line.x0 > ink.bounds(cells[0]).x1)
