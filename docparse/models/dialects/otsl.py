"""Tables as OTSL, both ways: one tag for every position of the grid (Lysak et al., 2023, arXiv:2305.03393).

`<fcel>` a cell with text, `<ecel>` an empty one, `<lcel>` a position that the cell to the left covers, `<ucel>` one
that the cell above covers, `<xcel>` one that is covered from both, `<nl>` the end of a row. PaddleOCR-VL writes these
six; `<ched>`, `<rhed>` and `<srow>` (header cells, section rows) are read too.
"""

from __future__ import annotations

import re

from docparse.models.dialects.grid import covering
from docparse.models.dialects.inline import Marks, read_spans, write_spans
from docparse.types import Cell, Span, Table

TAG = re.compile(r"<(fcel|ecel|lcel|ucel|xcel|ched|rhed|srow|nl)>")
_STARTS = ("fcel", "ecel", "ched", "rhed", "srow")


def write_otsl(table: Table, math: Marks, *, headers: bool = False) -> str:
    """`table` as PaddleOCR-VL writes it, on one line; which cells are headers is said only with `headers`."""
    lines = []
    for r, row in enumerate(covering(table)):
        tags = []
        for c, cell in enumerate(row):
            left, above = cell is not None and cell.column < c, cell is not None and cell.row < r
            if left or above:
                tags.append("<xcel>" if left and above else "<lcel>" if left else "<ucel>")
            else:
                words = write_spans(cell.spans, math, emphasis=False, breaks=True) if cell else ""
                head = "<ched>" if headers and cell and cell.header else "<fcel>"
                tags.append(f"{head}{words}" if words else "<ecel>")
        lines.append("".join(tags) + "<nl>")
    return "".join(lines)


def read_otsl(text: str) -> Table:
    """The table that `text` holds, cut off or not. Words before the first tag become a cell; a position said to be
    covered by a cell that is not there is an empty cell, and words after such a tag are not lost."""
    rows = _rows(text)
    columns = max((len(row) for row in rows), default=0)
    covered: set[tuple[int, int]] = set()
    cells: list[Cell] = []
    for r, row in enumerate(rows):
        for c, (tag, words) in enumerate(row):
            if (r, c) in covered:
                if words.strip():
                    cells[-1] = _with_words(cells[-1], words)
                continue
            colspan = 1
            while c + colspan < len(row) and row[c + colspan][0] == "lcel" and (r, c + colspan) not in covered:
                colspan += 1
            rowspan = 1
            while r + rowspan < len(rows) and _continues(rows[r + rowspan], c, colspan):
                rowspan += 1
            covered |= {(r + i, c + j) for i in range(rowspan) for j in range(colspan)}
            header = tag in ("ched", "rhed")
            cells.append(Cell(r, c, read_spans(words, breaks=True), rowspan, colspan, header))
    return Table(len(rows), columns, tuple(cells))


def _rows(text: str) -> list[list[tuple[str, str]]]:
    """Tag and text of every position, row by row."""
    rows: list[list[tuple[str, str]]] = [[]]
    first = TAG.search(text)
    if before := text[: first.start() if first else None].strip():
        rows[-1].append(("fcel", before))
    tags = list(TAG.finditer(text))
    ends = [tag.start() for tag in tags[1:]] + [len(text)]
    for tag, end in zip(tags, ends, strict=True):
        words = text[tag.end() : end]
        if tag[1] != "nl":
            rows[-1].append((tag[1], words))
            continue
        rows.append([("fcel", words)] if words.strip() else [])
    if not rows[-1]:
        rows.pop()
    return rows


def _continues(row: list[tuple[str, str]], column: int, width: int) -> bool:
    """Whether `row` says that the cell above reaches into it, over its whole width."""
    tags = [tag for tag, _ in row[column : column + width]]
    return tags == ["ucel"] + ["xcel"] * (width - 1)


def _with_words(cell: Cell, words: str) -> Cell:
    spans = (*cell.spans, Span(" "), *read_spans(words, breaks=True)) if cell.spans else read_spans(words, breaks=True)
    return Cell(cell.row, cell.column, spans, cell.rowspan, cell.colspan, cell.header)
