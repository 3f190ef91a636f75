"""Tables as GitHub pipe tables, both ways: a header row, a row of dashes, no spans."""

from __future__ import annotations

import re

from docparse.models.dialects.inline import Marks, read_spans, write_spans
from docparse.render.tables import place
from docparse.types import Cell, Table

# The first line of a table, seen from its start: a pipe in it, and a row of dashes with a pipe below it.
FIRST_LINE = (
    r"(?=[^\n|]*+\|[^\n]*+\n(?=[^\n|]*+\|)"
    r"[ \t]*+\|?[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*+\|?[ \t\r]*+(?:\n|\Z))"
)
_PIPE = re.compile(r"(?<!\\)\|")


def write_pipes(table: Table, math: Marks) -> str:
    """`table` with its words where a cell starts; the positions that it covers are empty."""
    grid, _ = place(table)
    if not grid or not grid[0]:
        return ""
    lines = [
        "| "
        + " | ".join(write_spans(cell.spans, math, breaks=True).replace("|", r"\|") if cell else "" for cell in row)
        for row in grid
    ]
    lines.insert(1, "|" + " --- |" * len(grid[0]))
    return "\n".join(line if line.endswith("|") else line + " |" for line in lines)


def read_pipes(lines: list[str]) -> Table:
    """The lines of a pipe table; the cells of the first are headers, the second is dashes."""
    rows = [_cells(line) for index, line in enumerate(lines) if index != 1]
    columns = max(map(len, rows), default=0)
    cells = [
        Cell(r, c, read_spans(words.replace(r"\|", "|"), breaks=True), header=r == 0)
        for r, row in enumerate(rows)
        for c, words in enumerate(row)
    ]
    return Table(len(rows), columns, tuple(cells))


def _cells(line: str) -> list[str]:
    line = line.strip()
    line = line[1:] if line.startswith("|") else line
    line = line[:-1] if line.endswith("|") and not line.endswith(r"\|") else line
    return _PIPE.split(line)
