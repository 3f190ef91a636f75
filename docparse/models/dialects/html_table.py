"""Tables as HTML, both ways.

The reader knows the tags of tables and takes everything else for the text of cells, so that no unbalanced tag and no
`<` of a formula swallows words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from docparse.models.dialects.grid import Grid
from docparse.models.dialects.inline import Marks, read_spans, write_spans
from docparse.render.tables import place
from docparse.types import Cell, Spans, Table

TABLE_TAG = re.compile(r"<(/?)table\b[^<>]*>", re.IGNORECASE)
_TAG = re.compile(r"<(/?)(table|thead|tbody|tfoot|tr|td|th|caption|colgroup|col)\b([^<>]*)>", re.IGNORECASE)
_SPAN = re.compile(r"\b(row|col)span\s*=\s*[\"']?\s*(\d{1,4})", re.IGNORECASE)


@dataclass(frozen=True)
class HtmlStyle:
    """How a model writes tables: with `th` for header cells, with `thead` and `tbody` about the rows, with white space
    before every `row`, `cell`, end of a row (`close`) and before the closing tag (`end`)."""

    header_cells: bool = False
    sections: bool = False
    row: str = ""
    cell: str = ""
    close: str = ""
    end: str = ""
    tag: str = "<table>"


def write_html(table: Table, math: Marks, style: HtmlStyle) -> str:
    """`table` as a model writes it; math, line breaks and spans are kept, emphasis in cells is not."""
    grid, covered = place(table)
    lines = []
    for r, row in enumerate(grid):
        cells = (_cell(cell, math, style) for c, cell in enumerate(row) if cell or (r, c) not in covered)
        lines.append(f"{style.row}<tr>{''.join(style.cell + cell for cell in cells)}{style.close}</tr>")
    head = 0
    if style.sections:
        while head < len(grid) and any(grid[head]) and all(cell is None or cell.header for cell in grid[head]):
            head += 1
    if not head:
        return f"{style.tag}{''.join(lines)}{style.end}</table>"
    body = f"<tbody>{''.join(lines[head:])}</tbody>" if lines[head:] else ""
    return f"{style.tag}<thead>{''.join(lines[:head])}</thead>{body}{style.end}</table>"


def _cell(cell: Cell | None, math: Marks, style: HtmlStyle) -> str:
    if cell is None:
        return "<td></td>"
    tag = "th" if cell.header and style.header_cells else "td"
    spans = f' rowspan="{cell.rowspan}"' if cell.rowspan > 1 else ""
    spans += f' colspan="{cell.colspan}"' if cell.colspan > 1 else ""
    words = write_spans(cell.spans, math, emphasis=False, breaks=True, html=True)
    return f"<{tag}{spans}>{words}</{tag}>"


def read_html(text: str) -> tuple[Table, Spans]:
    """The table that `text` holds, cut off or not, and the words of its `caption`.

    Cells of a `thead` are header cells as `th` are. The text of a table in a cell is text of the cell; words outside
    of all cells go to the cell before them.
    """
    reader = _Reader()
    at = 0
    for tag in _TAG.finditer(text):
        reader.words(text[at : tag.start()])
        reader.tag(tag)
        at = tag.end()
    reader.words(text[at:])
    reader.close()
    return reader.grid.table(), reader.caption


class _Reader:
    def __init__(self) -> None:
        self.grid = Grid()
        self.caption: Spans = ()
        self.depth = 0
        self.in_head = False
        self.between_rows = True
        self.open = ""  # the tag of the open cell or caption
        self.attributes = ""
        self.parts: list[str] = []

    def words(self, text: str) -> None:
        if self.open or self.depth > 1 or text.strip():
            self.parts.append(text)

    def tag(self, tag: re.Match[str]) -> None:
        closing, name = bool(tag[1]), tag[2].lower()
        nested = self.depth > 1
        if name == "table":
            self.depth = max(0, self.depth + (-1 if closing else 1))
        if nested or self.depth > 1:
            self.parts.append(" ")
        elif name in ("thead", "tbody", "tfoot"):
            self.close()
            self.in_head = name == "thead" and not closing
        elif name == "tr":
            self.close()
            self.between_rows = True
            if not closing:
                self._row()
        elif name in ("td", "th", "caption"):
            self.close()
            if not closing:
                self.open, self.attributes = name, tag[3]

    def _row(self) -> None:
        self.grid.next_row()
        self.between_rows = False

    def close(self) -> None:
        """End the open cell or caption; words that stand in none go where they can be found."""
        spans = read_spans("".join(self.parts), breaks=True)
        name, self.open, self.parts = self.open, "", []
        if name == "caption":
            self.caption = (*self.caption, *spans)
        elif name:
            if self.between_rows:
                self._row()
            wanted = {found[1].lower(): int(found[2]) for found in _SPAN.finditer(self.attributes)}
            header = name == "th" or self.in_head
            self.grid.add(spans, rowspan=wanted.get("row", 1), colspan=wanted.get("col", 1), header=header)
        elif spans:
            self.grid.append(spans)
            self.between_rows = self.between_rows and not self.grid.rows
