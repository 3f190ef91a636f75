"""The true layout of a sheet as docparse's own types, from which its Markdown writer gives the sheet's Markdown."""

from __future__ import annotations

from collections.abc import Iterable

from docparse.synthetic.sheet import Element, Piece, Sheet
from docparse.types import Block, Box, Category, Cell, Page, Span, Table

CATEGORIES = {
    "heading": Category.SECTION_HEADER,
    "paragraph": Category.TEXT,
    "item": Category.LIST_ITEM,
    "table": Category.TABLE,
    "formula": Category.FORMULA,
    "header": Category.PAGE_HEADER,
    "footer": Category.PAGE_FOOTER,
}


def page(sheet: Sheet) -> Page:
    """Return the sheet's blocks in reading order, in points; running heads and page numbers among them."""
    blocks = tuple(block(element) for element in sheet.elements)
    return Page(number=1, width=sheet.width, height=sheet.height, blocks=blocks)


def block(element: Element) -> Block:
    category = Category.TITLE if element.level == 1 else CATEGORIES[element.kind]
    size = max((piece.run.size for piece in element.pieces if piece.run), default=0.0)
    return Block(
        category=category,
        box=Box(*element.box),
        spans=() if element.cells else spans(element.pieces),
        table=_table(element) if element.cells else None,
        level=element.level,
        marker=element.marker,
        font_size=size,
        bold=element.kind == "heading",
    )


def spans(pieces: Iterable[Piece]) -> tuple[Span, ...]:
    """Return the words of `pieces` without markup, pieces of one style together."""
    result: list[Span] = []
    for piece in pieces:
        if piece.style == "markup":
            continue
        math, bold = piece.style == "math", piece.style == "bold"
        if result and (result[-1].math, result[-1].bold) == (math, bold):
            result[-1] = Span(result[-1].text + piece.text, math, bold)
        else:
            result.append(Span(piece.text, math, bold))
    return tuple(result)


def _table(element: Element) -> Table:
    cells = tuple(
        Cell(row, column, spans(pieces), header=row == 0)
        for row, line in enumerate(element.cells)
        for column, pieces in enumerate(line)
    )
    return Table(len(element.cells), len(element.cells[0]), cells)
