"""Tables as HTML, as OTSL and as pipes, both ways; whatever the markup, cells are read into one grid.

HTML: only the tags of tables are tags, everything else is the text of cells, so that no unbalanced tag and no `<` of a
formula swallows words. OTSL (Lysak et al., 2023, arXiv:2305.03393) has a tag for every position: `<fcel>` a cell with
text, `<ecel>` an empty one, `<lcel>` a position that the cell to the left covers, `<ucel>` one that the cell above
covers, `<xcel>` one that is covered from both, `<nl>` the end of a row; PaddleOCR-VL writes these six, `<ched>`,
`<rhed>` and `<srow>` (header cells, section rows) are read too. Pipes are GitHub's: a header row, a row of dashes.
"""

from __future__ import annotations

import re

from msgspec.structs import replace

from docparse.models.dialects.inline import Marks, read_spans, write_spans
from docparse.render.tables import HtmlStyle, place, to_html, to_pipe
from docparse.types import Cell, Span, Spans, Table

TABLE_TAG = re.compile(r"<(/?)table\b[^<>]*>", re.IGNORECASE)
_TAG = re.compile(r"<(/?)(table|thead|tbody|tfoot|tr|td|th|caption|colgroup|col)\b([^<>]*)>", re.IGNORECASE)
_SPAN = re.compile(r"\b(row|col)span\s*=\s*[\"']?\s*(\d{1,4})", re.IGNORECASE)
_WIDEST = 200  # a `colspan` beyond this is a slip of the model's
_OTSL = re.compile(r"<(fcel|ecel|lcel|ucel|xcel|ched|rhed|srow|nl)>")
# The first line of a table of pipes, seen from its start: a pipe in it, and a row of dashes with a pipe below it.
FIRST_LINE = (
    r"(?=[^\n|]*+\|[^\n]*+\n(?=[^\n|]*+\|)"
    r"[ \t]*+\|?[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*+\|?[ \t\r]*+(?:\n|\Z))"
)
_PIPE = re.compile(r"(?<!\\)\|")


class Grid:
    """Takes cells row by row, each in the next free column; spans end before another cell and at the table's end."""

    def __init__(self) -> None:
        self.rows = 0
        self._cells: list[Cell] = []
        self._free_from: dict[int, int] = {}  # column -> first row that no cell so far covers
        self._column = 0

    def next_row(self) -> None:
        self.rows += 1
        self._column = 0

    def covered(self, column: int) -> bool:
        """Return whether a cell so far covers that column of the current row."""
        return self._free_from.get(column, 0) >= self.rows

    def add(self, spans: Spans, *, rowspan: int = 1, colspan: int = 1, header: bool = False) -> None:
        self.rows = max(1, self.rows)
        while self.covered(self._column):
            self._column += 1
        row, width, rowspan = self.rows - 1, 1, max(1, rowspan)
        while width < min(colspan, _WIDEST) and not self.covered(self._column + width):
            width += 1
        self._free_from.update(dict.fromkeys(range(self._column, self._column + width), row + rowspan))
        self._cells.append(Cell(row, self._column, spans, rowspan, width, header))
        self._column += width

    def append(self, spans: Spans) -> None:
        """More words for the last cell, or a cell of their own where there is none."""
        if not self._cells:
            return self.add(spans)
        last = self._cells[-1]
        joined = (*last.spans, Span(" "), *spans) if last.spans else spans
        self._cells[-1] = replace(last, spans=joined)

    def table(self) -> Table:
        cells = [replace(cell, rowspan=min(cell.rowspan, self.rows - cell.row)) for cell in self._cells]
        return Table(self.rows, max((cell.column + cell.colspan for cell in cells), default=0), tuple(cells))


# ---- HTML


def write_html(table: Table, math: Marks, style: HtmlStyle) -> str:
    """`table` as a model writes it; math, line breaks and spans are kept, emphasis in cells is not."""
    return to_html(table, lambda spans: write_spans(spans, math, emphasis=False, breaks=True, html=True), style)


def read_html(text: str) -> tuple[Table, Spans]:
    """Return the table that `text` holds, cut off or not, and the words of its `caption`. Words outside of all cells go
    to the cell before them, a table in a cell is text."""
    reader, pieces = _HtmlReader(), _TAG.split(text)
    reader.words(pieces[0])
    for slash, name, attributes, words in zip(*(pieces[i::4] for i in (1, 2, 3, 4)), strict=True):
        reader.tag(bool(slash), name.lower(), attributes)
        reader.words(words)
    reader.close()
    return reader.grid.table(), reader.caption


class _HtmlReader:
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

    def tag(self, closing: bool, name: str, attributes: str) -> None:
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
            self.between_rows = closing
            if not closing:
                self.grid.next_row()
        elif name in ("td", "th", "caption"):
            self.close()
            if not closing:
                self.open, self.attributes = name, attributes

    def close(self) -> None:
        """End the open cell or caption; words that stand in none go where they can be found."""
        spans = read_spans("".join(self.parts), breaks=True)
        name, self.open, self.parts = self.open, "", []
        if name == "caption":
            self.caption = (*self.caption, *spans)
        elif name:
            if self.between_rows:
                self.grid.next_row()
            self.between_rows = False
            wanted = {found[1].lower(): int(found[2]) for found in _SPAN.finditer(self.attributes)}
            header = name == "th" or self.in_head
            self.grid.add(spans, rowspan=wanted.get("row", 1), colspan=wanted.get("col", 1), header=header)
        elif spans:
            self.grid.append(spans)
            self.between_rows = self.between_rows and not self.grid.rows


# ---- OTSL


def write_otsl(table: Table, math: Marks, *, headers: bool = False) -> str:
    """`table` as PaddleOCR-VL writes it, on one line; which cells are headers is said only with `headers`."""
    grid, _ = place(table)
    owners = {
        (r, c): cell
        for cell in (cell for row in grid for cell in row if cell)
        for r in range(cell.row, cell.row + cell.rowspan)
        for c in range(cell.column, cell.column + cell.colspan)
    }

    def position(r: int, c: int) -> str:
        cell = owners.get((r, c))
        left, above = cell is not None and cell.column < c, cell is not None and cell.row < r
        if left or above:
            return "<xcel>" if left and above else "<lcel>" if left else "<ucel>"
        words = write_spans(cell.spans, math, emphasis=False, breaks=True) if cell else ""
        return f"{'<ched>' if headers and cell and cell.header else '<fcel>'}{words}" if words else "<ecel>"

    return "".join("".join(position(r, c) for c in range(len(row))) + "<nl>" for r, row in enumerate(grid))


def read_otsl(text: str) -> Table:
    """Return the table that `text` holds, cut off or not. Words before the first tag become a cell; a position said to
    be covered by a cell that is not there is an empty cell, and words after such a tag are not lost."""
    before, *pieces = _OTSL.split(text)
    rows: list[list[tuple[str, str]]] = [[("fcel", before)] if before.strip() else []]  # tag and text of each position
    for tag, words in zip(pieces[::2], pieces[1::2], strict=True):
        if tag != "nl":
            rows[-1].append((tag, words))
        else:
            rows.append([("fcel", words)] if words.strip() else [])
    grid = Grid()
    for r, row in enumerate(rows if rows[-1] else rows[:-1]):
        grid.next_row()
        for c, (tag, words) in enumerate(row):
            spans = read_spans(words, breaks=True)
            if grid.covered(c):
                if spans:
                    grid.append(spans)
                continue
            width = height = 1
            while c + width < len(row) and row[c + width][0] == "lcel" and not grid.covered(c + width):
                width += 1
            width = min(width, _WIDEST)
            below = ["ucel"] + ["xcel"] * (width - 1)
            while r + height < len(rows) and [tag for tag, _ in rows[r + height][c : c + width]] == below:
                height += 1
            grid.add(spans, rowspan=height, colspan=width, header=tag in ("ched", "rhed"))
    return grid.table()


# ---- pipes


def write_pipes(table: Table, math: Marks) -> str:
    """`table` with its words where a cell starts; the positions that it covers are empty."""
    return to_pipe(table, lambda spans: write_spans(spans, math, breaks=True).replace("|", r"\|"))


def read_pipes(lines: list[str]) -> Table:
    """Return the lines of a pipe table; the cells of the first are headers, the second is dashes."""
    grid = Grid()
    for index, line in enumerate(lines):
        if index == 1:
            continue
        grid.next_row()
        inner = line.strip().removeprefix("|")
        inner = inner[:-1] if inner.endswith("|") and not inner.endswith(r"\|") else inner
        for words in _PIPE.split(inner):
            grid.add(read_spans(words.replace(r"\|", "|"), breaks=True), header=index == 0)
    return grid.table()
