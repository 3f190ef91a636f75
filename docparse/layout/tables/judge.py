"""The verdict on a built candidate: is it a table?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from docparse.layout.ocr.region import Region
from docparse.layout.tables import gates
from docparse.layout.tables.aligned import Grid
from docparse.layout.tables.build import Slot
from docparse.layout.tables.candidates import Candidate
from docparse.layout.tables.ink import Ink
from docparse.layout.tables.lattice import Lattice
from docparse.layout.tables.rules import positions
from docparse.types import Category


def is_lattice_table(
    ink: Ink, slots: Sequence[Slot], grid: Lattice, candidate: Candidate, hints: Sequence[Region]
) -> bool:
    filled = [s for s in slots if s.words]
    if len({s.row for s in filled}) < 2 or len({s.column for s in filled}) < 2:
        return False
    share = gates.fill(slots, grid.rows, grid.columns)
    first_column = np.mean([bool(s.words) for s in slots if s.column == 0])
    first_row = np.mean([bool(s.words) for s in slots if s.row == 0])
    inked = float(((ink.box[:, 2] - ink.box[:, 0]) * ink.size)[[i for s in filled for i in s.words]].sum())
    if inked < 0.02 * candidate.box.area:
        return False
    longest = np.mean(sorted(len(s.words) for s in filled)[len(filled) // 2 :])
    if longest > 60 or (len(filled) <= 4 and longest > 25):
        return False
    figure = any(h.category is Category.PICTURE and candidate.box.inside(h.box) > 0.8 for h in hints)
    if share >= (0.6 if figure else 0.3):
        return True
    form = bool(grid.rows >= 4 and grid.columns >= 3 and grid.below.mean() > 0.9 and grid.right.mean() > 0.9)
    return bool(first_column >= 0.7) and (form or (not figure and bool(first_row >= 0.5)))


def is_table(ink: Ink, grid: Grid, candidate: Candidate, hints: Sequence[Region]) -> bool:
    rows = {s.row for s in grid.slots}
    if len(rows) < 2 or grid.columns.count < 2 or gates.regular_rows(grid) < (0.2 if candidate.closed else 0.35):
        return False
    if gates.is_prose(ink, grid) or gates.is_contents(ink, grid) or gates.is_code_or_formula(ink, grid):
        return False
    values = gates.value_share(ink, grid)
    if gates.is_list(ink, grid) and values < 0.5:
        return False
    if candidate.kind == "aligned":
        regular = gates.regular_rows(grid)
        clear = values >= 0.85 and regular >= 0.75 and grid.columns.count >= 3
        others = (
            (Category.PICTURE,) if clear else (Category.PICTURE, Category.TEXT, Category.FORMULA, Category.LIST_ITEM)
        )
        denied = any(h.category in others and h.score > 0.6 and candidate.box.inside(h.box) > 0.7 for h in hints)
        return not denied and values >= 0.6 and regular >= 0.6 and len(rows) >= 3
    if candidate.kind == "booktabs":
        framed = len(positions(candidate.horizontal)) >= 3  # a head apart from the body
        return values >= 0.4 or (framed and (len(rows) >= 3 or gates.regular_rows(grid) == 1))
    return True
