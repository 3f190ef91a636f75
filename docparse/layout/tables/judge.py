"""The verdict on a built candidate: is it a table?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from docparse.layout.tables import gates
from docparse.layout.tables.aligned import Grid
from docparse.layout.tables.build import Slot
from docparse.layout.tables.candidates import Candidate
from docparse.layout.tables.ink import Ink
from docparse.layout.tables.lattice import Lattice
from docparse.layout.tables.rules import positions
from docparse.types import Box

NEWSPAPER = 7  # columns: so many with numbers among them are no running text
OTHERS = (gates.is_prose, gates.is_contents, gates.is_code_or_formula, gates.is_list)


def is_lattice_table(ink: Ink, slots: Sequence[Slot], grid: Lattice, box: Box) -> bool:
    """Cells with words in two rows and columns, none a page of text, filling the grid or its first row and column."""
    filled = [s for s in slots if s.words]
    if len({s.row for s in filled}) < 2 or len({s.column for s in filled}) < 2:
        return False
    first_column = np.mean([bool(s.words) for s in slots if s.column == 0])
    first_row = np.mean([bool(s.words) for s in slots if s.row == 0])
    share = sum(s.rowspan * s.colspan for s in filled) / (grid.rows * grid.columns)
    return bool(share >= 0.3 or (first_column >= 0.7 and first_row >= 0.5))


def is_table(ink: Ink, grid: Grid, candidate: Candidate) -> bool:
    """Regular rows that are nothing else; the fewer rules there are, the more the words must tell."""
    rows, regular = {s.row for s in grid.slots}, gates.regular_rows(grid)
    if regular < 0.2 or any(is_other(ink, grid) for is_other in OTHERS):
        return False
    values = gates.value_share(ink, grid)
    if candidate.kind == "booktabs":
        framed = len(positions(candidate.horizontal)) >= 3  # a head apart from the body
        return values >= 0.4 or (framed and (len(rows) >= 3 or regular == 1))
    if candidate.kind == "aligned":
        if len(rows) < 3 or regular < 0.5 or (grid.columns.count < NEWSPAPER and gates.is_wrapped(ink, grid)):
            return len(rows) < 3 and gates.is_strip(ink, grid)
        return values >= 0.6 or gates.is_set_apart(ink, grid)
    return True
