"""The verdict on a built candidate: is it a table, or what looks like one, or a form?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

import numpy as np

from docparse.layout.chained import grouped
from docparse.layout.tables import lookalikes
from docparse.layout.tables.aligned import Grid
from docparse.layout.tables.build import Slot
from docparse.layout.tables.candidates import Candidate
from docparse.layout.tables.ink import Ink
from docparse.layout.tables.lattice import Lattice
from docparse.layout.tables.rules import Rule, positions

FORM = 3  # cells of a head with nothing under it, or of labels with nothing beside them, at least
DENSE = 0.2  # of the cells of a grid that have words: fewer are the labels of a plot
ACROSS, EVEN = 0.8, 2.0  # of the width of a table, its rules; points by which their ends differ at most
SMALLER = 0.2  # of the usual size, by which that of a column differs at most
ALIGNED = 6  # cells under and beside others: three rows of four


def is_lattice_table(slots: Sequence[Slot], grid: Lattice) -> bool:
    """Cells with words in two rows and columns, and a fifth of all; or a form, in which only the first row, or column,
    is filled, but all of it."""
    filled = [s for s in slots if s.words]
    across, down = len({s.column for s in filled}), len({s.row for s in filled})
    whole = len(filled) == (grid.columns if down == 1 else grid.rows)
    if min(across, down) < 2:
        return whole and len(filled) >= FORM
    right, bottom = max(s.column + s.colspan for s in filled), max(s.row + s.rowspan for s in filled)
    return sum(s.rowspan * s.colspan for s in filled) >= DENSE * right * bottom


def is_table(ink: Ink, grid: Grid, candidate: Candidate) -> bool:
    """Regular rows that are nothing else; the fewer rules there are, the more the words must tell."""
    rows, regular = {s.row for s in grid.slots}, _regular_rows(grid)
    framed = len(positions(candidate.horizontal)) >= 3  # a head apart from the body
    drawn = candidate.kind == "ruled" or (candidate.kind == "booktabs" and len(positions(_across(candidate))) >= 3)
    lookalike = lookalikes.ALL if drawn else lookalikes.ALL + lookalikes.UNRULED
    if regular < 0.2 or _is_staggered(grid) or any(other(ink, grid) for other in lookalike):
        return False
    values = lookalikes.value_share(ink, grid)
    if candidate.kind == "booktabs":
        whole = _regular_rows(grid, 2 if framed else grid.columns.count) == 1
        return values >= 0.4 or sum((framed, len(rows) >= 3, whole)) >= 2
    if candidate.kind == "aligned":
        if len(rows) < 3:
            return len(rows) == 2 and len(grid.pieces) == max(1, grid.header_lines) + 1  # a header and its one row
        if lookalikes.is_wrapped(ink, grid) or lookalikes.has_fractions(ink, grid, candidate.horizontal):
            return False
        return values >= 0.6 or _is_set_apart(ink, grid)
    return True


def _is_staggered(grid: Grid) -> bool:
    """Return whether hardly any column has cells in two rows: the numerators of fractions, and the signs between
    them."""
    places = {(k, slot.row) for slot in grid.slots for k in range(slot.column, slot.column + slot.colspan)}
    rows = Counter(column for column, _ in places)
    return sum(count > 1 for count in rows.values()) < 2


def _across(candidate: Candidate) -> list[Rule]:
    """The rules from one side of a table to the other, as long as the longest; bars of fractions are not."""
    longest = max(candidate.horizontal, key=lambda rule: rule.length)
    alike = (r for r in candidate.horizontal if max(abs(r.lo - longest.lo), abs(r.hi - longest.hi)) < EVEN)
    return [rule for rule in alike if rule.length > ACROSS * candidate.box.width]


def _is_set_apart(ink: Ink, grid: Grid) -> bool:
    """Return whether words of about one size stand in columns with a header or no holes."""
    cells = [piece for row in grid.pieces[1:] for piece in row]
    columns = grouped((piece.first, float(ink.size[piece.words].max())) for piece in cells)  # small capitals differ
    usual = median(size for sizes in columns.values() for size in sizes)
    # OCR guesses the size of each word: names beside small print show in whole columns
    alike = all(abs(median(sizes) / usual - 1) < SMALLER for sizes in columns.values())
    return alike and (_is_headed(ink, grid) or _is_complete(grid))


def _is_headed(ink: Ink, grid: Grid) -> bool:
    """Return whether the first row is set apart: by a rule under it, or by type that the rows below are not set in."""
    lines = [line for line, row in zip(grid.lines, grid.pieces, strict=True) if len(row) >= 2]
    bold = [all(ink.words[i].bold for i in line.words) for line in lines]
    ruled = any(upper.y < rule.at < lower.y for upper, lower in pairwise(lines[:2]) for rule in grid.rules)
    return len(grid.pieces[0]) >= 2 and (ruled or (bold[0] and sum(bold) <= 0.4 * len(bold)))


def _is_complete(grid: Grid) -> bool:
    """Return whether four or more lines, or three of three cells with a column of values, have a cell in every column;
    nothing wraps."""
    count = grid.columns.count
    wide = [len(row) - 1 for row in grid.pieces if len(row) >= 3]
    rows = Counter(slot.row for slot in grid.slots if slot.words)
    if sum(wide[1:]) >= ALIGNED and len(wide) >= 0.4 * len(rows):
        return True
    whole = sum(cells == count for cells in rows.values())
    least = 3 if count > 2 and any(grid.columns.value[1:]) else 4
    return len(rows) >= least and whole >= 0.85 * len(rows)


def _regular_rows(grid: Grid, least: int = 2) -> float:
    """Share of the rows with cells in two or more columns, or in `least`."""
    cells = Counter(slot.row for slot in grid.slots)
    return float(np.mean([count >= least for count in cells.values()])) if cells else 0.0
