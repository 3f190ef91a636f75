"""Tables held together by alignment: columns from valleys, rows from lines, rules wherever there are some."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from docparse.layout.chained import chained
from docparse.layout.tables.build import Slot
from docparse.layout.tables.columns import Columns, Piece, cells_in, column_cuts, columns_of, pieces_of
from docparse.layout.tables.header import header_count, merge_wrapped, parted, settle, widen, widen_between
from docparse.layout.tables.ink import Ink, InkLine, line_of, lines_of
from docparse.layout.tables.labels import without_labels
from docparse.layout.tables.rows import RULED, bands_of, group_lines
from docparse.layout.tables.rules import Rule, positions

FIGURES, YEARS = 3, 2  # numbers in a line, and such lines over the first rule: years name columns, more are rows
MIDDLE = 0.3  # em from the middle of a cell of two lines to that beside it
CENTRE = 0.6  # em from the middle of a table to that of a title there at most
HEADER, TALL = 4, 0.4  # lines over the first rule, or share of all lines, at most: more are rows


@dataclass(slots=True)
class Grid:
    """A table before its words are read: what the gates judge and the builder writes."""

    slots: list[Slot]
    columns: Columns
    lines: list[InkLine]
    pieces: list[list[Piece]]
    header_lines: int
    rules: list[Rule]  # horizontal, inside the table, over most of its width
    em: float


def build_grid(ink: Ink, indices: np.ndarray, horizontal: Sequence[Rule], vertical: Sequence[Rule]) -> Grid | None:
    """Lay the words of a region out in rows and columns; None where there are fewer than two of either."""
    lines = lines_of(ink, indices)
    if len(lines) < 2:
        return None
    em = float(np.median(ink.size[indices]))
    inner = [r for r in horizontal if lines[0].y < r.at < lines[-1].y]
    x0, x1 = min(line.x0 for line in lines), max(line.x1 for line in lines)
    full = _full_rules(inner, x0, x1, em)
    over = sum(line.y < full[0].at for line in lines) if full else 0
    first_body = over if over <= max(HEADER, TALL * len(lines)) else 0
    forced = [x for x in positions(list(vertical)) if x0 + em < x < x1 - em]
    body = lines[first_body:] if len(lines) - first_body >= 2 else lines
    cuts = column_cuts(ink, body, em, forced, lines[: len(lines) - len(body)])
    level = bool(cuts)
    cuts = cuts or _cuts_beside_middles(ink, lines, full, em, forced)
    if not cuts:
        return None
    columns = columns_of(ink, body, cuts, x0, x1, vertical)
    pieces = [pieces_of(ink, line, columns) for line in lines]
    complete = sum(len(row) == columns.count for row in pieces[:first_body])
    head, rest = (
        any(ink.value[i] for line in part for i in line.words) for part in (lines[:first_body], lines[first_body:])
    )
    named = rest and not head  # numbers under the rule alone
    counted = sum(sum(map(bool, ink.value[line.words])) >= FIGURES for line in lines[:first_body])
    ruled_off = first_body and (complete < 2 or named) and counted <= YEARS
    header = 0 if not level else first_body if ruled_off else header_count(ink, pieces, columns)
    grid = Grid([], columns, lines, pieces, header, full, em)
    grid.slots = _slots(ink, grid, inner, vertical)
    return grid


def _cuts_beside_middles(
    ink: Ink, lines: Sequence[InkLine], rules: Sequence[Rule], em: float, forced: Sequence[float]
) -> list[float]:
    """The boundaries between columns where no two cells are level: in every row, between rules, one of one line stands
    beside the middle of one of two. Empty elsewhere."""
    bands = [[lines[k] for k in band] for band in bands_of(lines, rules)]
    if len(bands) < RULED or not all(_has_middle(band, em) for band in bands):
        return []
    rows = [line_of(ink, [i for line in band for i in line.words]) for band in bands]
    return column_cuts(ink, rows, em, forced, [])


def _has_middle(lines: Sequence[InkLine], em: float) -> bool:
    """Return whether one of three lines stands beside the others, in the middle between them."""
    return (
        len(lines) == 3
        and abs(lines[1].y - (lines[0].y + lines[2].y) / 2) < MIDDLE * em
        and (lines[1].x1 < min(lines[0].x0, lines[2].x0) or lines[1].x0 > max(lines[0].x1, lines[2].x1))
    )


def _full_rules(rules: Sequence[Rule], x0: float, x1: float, em: float) -> list[Rule]:
    """The rules that reach over most of the width, pieces at one height taken together; double ones once."""
    found: list[Rule] = []
    for at in sorted({round(r.at, 1) for r in rules}):
        pieces = [r for r in rules if abs(r.at - at) < 1.0]
        length = sum(min(r.hi, x1) - max(r.lo, x0) for r in pieces)
        lo, hi = min(r.lo for r in pieces), max(r.hi for r in pieces)
        across = length >= 0.8 * (x1 - x0) and lo <= x0 + em and hi >= x1 - em
        if across and not (found and at - found[-1].at < 4):
            found.append(Rule(at, lo, hi))
    return found


def _slots(ink: Ink, grid: Grid, rules: Sequence[Rule], vertical: Sequence[Rule]) -> list[Slot]:
    slots: list[Slot] = []
    head = [[Piece(list(p.words), p.first, p.last) for p in row] for row in grid.pieces[: grid.header_lines]]
    head = parted(ink, head, grid.pieces[grid.header_lines :], grid.columns)
    head_lines, head = settle(grid.lines[: grid.header_lines], head)
    widen([*head_lines, *grid.lines[grid.header_lines :][:1]], head, grid.columns, rules, grid.em, ink)
    if len(head) > 1:
        widen_between(head_lines[0], head[0], grid.columns, vertical, ink)
    head = merge_wrapped(head_lines, head, rules)
    for row, pieces in enumerate(head):
        slots += _row_slots(row, pieces, header=True)
    _stretch_down(slots, len(head))
    start = grid.header_lines
    body, lines = grid.pieces[start:], grid.lines[start:]
    full = [r for r in grid.rules if r.at > lines[0].y]
    lines, body, labels = without_labels(ink, lines, body, grid.columns, full)
    groups = group_lines(ink, lines, body, grid.columns, full)
    row_of = [number for number, group in enumerate(groups, len(head)) for _ in group]
    slots += [Slot(row_of[a], 0, row_of[b] - row_of[a] + 1, 1, label) for a, b, label in labels]
    for number, group in enumerate(groups, len(head)):
        cells = _row_slots(number, [piece for k in group for piece in body[k]])
        if len(cells) == 1:  # the title of a group
            [title] = cells
            if _is_centred(ink, title, grid):
                title.column, title.colspan = 0, grid.columns.count
            elif title.colspan > 1:
                title.colspan = grid.columns.count - title.column
        slots += cells
    return slots


def _is_centred(ink: Ink, title: Slot, grid: Grid) -> bool:
    """Return whether the one cell of a row stands in the middle of the table, and in no column of words; it
    is no sum."""
    rows = [row for row in grid.pieces[grid.header_lines :] if len(row) > 1]
    own = title.colspan == 1 and any(not ink.value[cell.words].any() for cell in cells_in(rows, title.column))
    box = ink.bounds(title.words)
    ends = [(r.lo, r.hi) for r in grid.rules] or [(line.x0, line.x1) for line in grid.lines]
    middle = (min(x0 for x0, _ in ends) + max(x1 for _, x1 in ends)) / 2
    summed = bool(ink.value[title.words].all())
    return not own and not summed and abs((box.x0 + box.x1) / 2 - middle) < CENTRE * grid.em


def _row_slots(row: int, pieces: Sequence[Piece], *, header: bool = False) -> list[Slot]:
    """The cells of one row; pieces of several lines that share columns are one cell."""
    ordered = sorted(pieces, key=lambda p: p.first)
    cells = chained(ordered, lambda cell, piece: piece.first <= max(p.last for p in cell))
    spans = ((cell, cell[0].first, max(p.last for p in cell) + 1) for cell in cells)
    return [Slot(row, a, 1, b - a, [i for p in cell for i in p.words], header) for cell, a, b in spans]


def _stretch_down(slots: Sequence[Slot], rows: int) -> None:
    """A heading with nothing above (or below) it in a header of several rows reaches over all of them."""
    for s in slots:
        if s.colspan == 1:
            others = [o for o in slots if o is not s and o.column <= s.column < o.column + o.colspan]
            top = max((o.row + o.rowspan for o in others if o.row < s.row), default=0)
            end = min((o.row for o in others if o.row > s.row), default=rows)
            s.row, s.rowspan = top, end - top
