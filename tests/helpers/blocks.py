"""Blocks and pages in few words, and what is written of them."""

import io

from docparse.render import RenderOptions, write_html, write_markdown
from docparse.types import Block, Box, Category, Cell, DocumentInfo, Page, Span, Table

INFO = DocumentInfo(name="<i>.pdf & co", sha256="0" * 64, pages=1)


def block(category, words=(), *, box=Box(10, 20, 110, 40), **fields):  # noqa: B008
    """`block("Text", "words", ...)`, or with a tuple of spans in the place of the words."""
    spans = ((Span(words),) if words else ()) if isinstance(words, str) else words
    return Block(category=Category(category), box=box, spans=spans, **fields)


def page(number, *blocks, failed="", width=612, height=792, **fields):
    """`page(1, block, ...)` or `page(2, failed="timeout")`."""
    if failed:
        fields |= {"status": "failed", "error_category": failed, "error": f"page {number}: {failed}"}
    return Page(number=number, width=width, height=height, blocks=blocks, **fields)


def math(tex):
    return Span(tex, math=True)


def table(*rows):
    """A table of plain cells; "" leaves its place empty."""
    cells = (Cell(r, c, (Span(text),)) for r, row in enumerate(rows) for c, text in enumerate(row) if text)
    return Table(len(rows), len(rows[0]), tuple(cells))


def markdown(*pages, **options):
    out = io.StringIO()
    write_markdown(iter(pages), out, RenderOptions(**options))
    return out.getvalue()


def html(*pages, **options):
    out = io.StringIO()
    write_html(INFO, iter(pages), out, RenderOptions(**options))
    return out.getvalue()
