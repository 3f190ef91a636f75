"""Cells placed on a grid as markup lists them: row by row, each in the next free column."""

from __future__ import annotations

from docparse.render.tables import place
from docparse.types import Cell, Span, Spans, Table

_WIDEST = 200  # a `colspan` beyond this is a slip of the model's


class Grid:
    """Takes cells row by row; spans are cut where they would meet another cell or leave the table."""

    def __init__(self) -> None:
        self.rows = 0
        self._cells: list[Cell] = []
        self._free_from: dict[int, int] = {}  # column -> first row that no rowspan from above covers
        self._column = 0

    def next_row(self) -> None:
        self.rows += 1
        self._column = 0

    def add(self, spans: Spans, *, rowspan: int = 1, colspan: int = 1, header: bool = False) -> None:
        """A cell in the next free column of the current row."""
        if not self.rows:
            self.next_row()
        row = self.rows - 1
        while self._free_from.get(self._column, 0) > row:
            self._column += 1
        width = 1
        while width < min(colspan, _WIDEST) and self._free_from.get(self._column + width, 0) <= row:
            width += 1
        rowspan = max(1, rowspan)
        self._free_from.update(dict.fromkeys(range(self._column, self._column + width), row + rowspan))
        self._cells.append(Cell(row, self._column, spans, rowspan, width, header))
        self._column += width

    def append(self, spans: Spans) -> None:
        """More words for the last cell, or a cell of their own where there is none."""
        if not self._cells:
            self.add(spans)
            return
        last = self._cells[-1]
        joined = (*last.spans, Span(" "), *spans) if last.spans else spans
        self._cells[-1] = Cell(last.row, last.column, joined, last.rowspan, last.colspan, last.header)

    def table(self) -> Table:
        """The table so far."""
        cells = [
            Cell(c.row, c.column, c.spans, min(c.rowspan, self.rows - c.row), c.colspan, c.header) for c in self._cells
        ]
        columns = max((cell.column + cell.colspan for cell in cells), default=0)
        return Table(self.rows, columns, tuple(cells))


def covering(table: Table) -> list[list[Cell | None]]:
    """For every position of the grid the cell that covers it; None where there is none."""
    grid, _ = place(table)
    cover: list[list[Cell | None]] = [[None] * len(row) for row in grid]
    for row in grid:
        for cell in row:
            if cell:
                for r in range(cell.row, cell.row + cell.rowspan):
                    for c in range(cell.column, cell.column + cell.colspan):
                        cover[r][c] = cell
    return cover
