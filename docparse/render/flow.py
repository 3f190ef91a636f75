"""A document as one stream of pages and blocks, with the paragraphs and tables that pages cut in two put together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import msgspec

from docparse.guard import Guard
from docparse.hyphenation import seam
from docparse.render.options import RenderOptions
from docparse.types import Block, Box, Category, Page, Span, Spans, Table, plain

# A paragraph waits this many pages for its other half, so that a run of picture pages holds no memory.
_PATIENCE = 8
JOINABLE = (Category.TEXT, Category.LIST_ITEM, Category.CODE)
# A paragraph does not reach across these: what follows a heading or a formula stays behind it.
ENDS_A_PARAGRAPH = (Category.TITLE, Category.SECTION_HEADER, Category.FORMULA)


@dataclass
class Part:
    """A block and where it stands on which page; a paragraph that goes on over a page break stands in several boxes."""

    block: Block
    boxes: dict[int, Box]

    def join(self, block: Block, page: int) -> None:
        self.block = joined(self.block, block)
        self.boxes[page] = self.boxes[page] | block.box if page in self.boxes else block.box


def flow(pages: Iterable[Page], *, keep_headers: bool = False) -> Iterator[Page | Part]:
    """Yield each page, then its blocks in reading order; a block that `continues` is joined to the paragraph before it,
    a table to the table.

    What stands between the two halves (the page itself, figures, footnotes) follows the whole paragraph. A failed page
    ends it: nobody knows what stood there. Running headers and footers are left out unless `keep_headers`.
    """
    paragraph: Part | None = None  # that may go on, and everything after it
    after: list[Page | Part] = []

    def ended() -> Iterator[Page | Part]:
        nonlocal paragraph, after
        yield from [paragraph, *after] if paragraph else []
        paragraph, after = None, []

    for page in pages:
        if page.status == "failed" or sum(isinstance(item, Page) for item in after) >= _PATIENCE:
            yield from ended()
        if paragraph:
            after.append(page)
        else:
            yield page
        for block in page.blocks:
            if block.category.is_furniture and not keep_headers:
                continue
            if block.continues and (cut := _cut(paragraph, after, block)):
                cut.join(block, page.number)
            elif block.category not in JOINABLE and paragraph and block.category not in ENDS_A_PARAGRAPH:
                after.append(Part(block, {page.number: block.box}))
            else:
                yield from ended()
                part = Part(block, {page.number: block.box})
                if block.category in (*JOINABLE, Category.TABLE):
                    paragraph = part
                else:
                    yield part
    yield from ended()


def _cut(paragraph: Part | None, after: Sequence[Page | Part], block: Block) -> Part | None:
    """Return what the block carries on: the last table that waits, or the paragraph."""
    if block.table is None:
        return paragraph if paragraph and paragraph.block.table is None and block.category in JOINABLE else None
    waiting = [part for part in (paragraph, *after) if isinstance(part, Part) and part.block.table is not None]
    return waiting[-1] if waiting else None


class Writer(Protocol):
    """A writer that prints a document piece by piece."""

    def page(self, page: Page) -> None: ...

    def block(self, block: Block) -> None: ...

    def end(self) -> None: ...


def write_flow(writer: Writer, pages: Iterable[Page], options: RenderOptions) -> None:
    """Hand the pages and blocks of `flow` to `writer`, then end it; a block that it fails at comes as plain text."""
    number = 0
    for item in flow(pages, keep_headers=options.keep_headers):
        if isinstance(item, Page):
            number = item.number
            writer.page(item)
        else:
            _write_block(writer, item.block, f"{item.block.category} on page {number}", options.guard)
    writer.end()


def _write_block(writer: Writer, block: Block, name: str, guard: Guard) -> None:
    guard(name, lambda: writer.block(block), lambda: writer.block(as_text(block)))


def as_text(block: Block) -> Block:
    """Return the words of a block, a table's too, as a paragraph."""
    cells = [plain(cell.spans) for cell in block.table.cells] if block.table else []
    words = " ".join(filter(None, [block.marker, block.text, *cells]))
    return Block(category=Category.TEXT, box=block.box, spans=(Span(words),) if words else ())


def joined(first: Block, second: Block) -> Block:
    """Return one block with the words of both: a space between them unless a hyphen or the script does without, a line
    break between lines of code. Of two tables the second follows without the rows that repeat the first's."""
    if first.table is not None and second.table is not None:
        return msgspec.structs.replace(first, table=_stacked(first.table, second.table))
    if first.category is Category.CODE:
        return msgspec.structs.replace(first, spans=(*first.spans, Span("\n"), *second.spans))
    return msgspec.structs.replace(first, spans=join_spans(first.spans, second.spans))


def _stacked(first: Table, second: Table) -> Table:
    head = second.repeats(first)
    shift = first.rows - head
    below = (msgspec.structs.replace(cell, row=cell.row + shift) for cell in second.cells if cell.row >= head)
    return Table(first.rows + second.rows - head, max(first.columns, second.columns), (*first.cells, *below))


def join_spans(first: Spans, second: Spans) -> Spans:
    """Return the halves of a paragraph as one, by the rule of a line end: "exam-" + "ple", but "COVID-" + "19"."""
    if not first or not second:
        return first or second
    before, after = first[-1].text.rstrip(), second[0].text.lstrip()
    if first[-1].math or second[0].math:
        return (*first, Span(" "), *second)
    space, cut = seam(before, after)
    if cut:
        return (*first[:-1], msgspec.structs.replace(first[-1], text=before[:-1]), *second)
    return (*first, Span(space), *second) if space else (*first, *second)
