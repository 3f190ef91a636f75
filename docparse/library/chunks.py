"""A document in pieces for retrieval: each with its headings, pages and boxes.

What stands under one heading is put together as far as it fits. What alone is too long is cut where a reader would:
between sentences, else words; between rows of a table, whose header is repeated; between lines of code.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise

import msgspec

from docparse.render import RenderOptions
from docparse.render.flow import Part, flow
from docparse.render.inline import markdown_line
from docparse.render.markdown import block_markdown, heading_level, list_marker
from docparse.render.tables import Grid, header_rows, place
from docparse.render.text import code_lines, one_line
from docparse.types import Block, Box, Category, Page, Span, Spans, Table, plain

CJK = "\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef"  # a character may begin a piece
TOKEN = re.compile(rf"[{CJK}]\s*|[^\s{CJK}]+\s*|\s+")
SENTENCE_END = re.compile(r"[.!?。！？][\"'”’)\]]*\s*$")


@dataclass(frozen=True)
class Chunk:
    """A piece of a document: `text` is Markdown, `headings` those that it stands under, outermost first, and `boxes`
    where it stands on each of its pages."""

    text: str
    headings: tuple[str, ...]
    boxes: dict[int, Box]

    @property
    def pages(self) -> tuple[int, ...]:
        return tuple(self.boxes)

    @property
    def text_with_headings(self) -> str:
        """Return what to embed: the headings on a line each, then the text."""
        return "\n".join([*self.headings, self.text])


@dataclass
class Collected:
    """The chunk that is being put together."""

    max_chars: int
    headings: list[Part] = field(default_factory=list)
    used: int = 0  # of the headings, the first ones that some chunk has
    text: str = ""
    boxes: dict[int, Box] = field(default_factory=dict)

    def add(self, text: str, boxes: dict[int, Box], separator: str) -> Iterator[Chunk]:
        if self.text and len(self.text) + len(separator) + len(text) > self.max_chars:
            yield from self.end()
        self.text += separator + text if self.text else text
        for page, box in boxes.items():
            self.boxes[page] = self.boxes[page] | box if page in self.boxes else box

    def end(self) -> Iterator[Chunk]:
        if self.text:
            self.used = len(self.headings)
            yield Chunk(self.text, tuple(one_line(part.block.spans) for part in self.headings), self.boxes)
            self.text, self.boxes = "", {}

    def under(self, heading: Part) -> Iterator[Chunk]:
        """Go on under another heading. One with nothing below it is a chunk itself: its words are not to be lost."""
        yield from self.end()
        level = heading_level(heading.block)
        while self.headings and heading_level(self.headings[-1].block) >= level:
            yield from self.leave()
        self.headings.append(heading)

    def leave(self) -> Iterator[Chunk]:
        heading = self.headings.pop()
        if self.used > len(self.headings):
            self.used = len(self.headings)
        else:
            for spans in cut_spans(heading.block.spans, self.max_chars):
                yield from self.add(markdown_line(spans), heading.boxes, "")
                yield from self.end()


def chunks_of(pages: Iterable[Page], max_chars: int, options: RenderOptions) -> list[Chunk]:
    """Return the words of `pages` in chunks of `max_chars` at most; see `Document.chunks`."""
    options = replace(options, images="none")
    collected, before = Collected(max_chars), None
    chunks: list[Chunk] = []
    for part in flow(pages, keep_headers=options.keep_headers):
        if isinstance(part, Page):
            continue
        if part.block.category.is_heading:
            if one_line(part.block.spans):
                chunks += collected.under(part)
            before = None
            continue
        separator = "\n" if before is part.block.category is Category.LIST_ITEM else "\n\n"
        before = part.block.category
        pieces = list(pieces_of(part.block, max_chars, options))
        for piece in pieces:
            chunks += collected.end() if len(pieces) > 1 else []
            chunks += collected.add(piece, part.boxes, separator)
    chunks += collected.end()
    while collected.headings:
        chunks += collected.leave()
    return chunks


def pieces_of(block: Block, limit: int, options: RenderOptions) -> Iterator[str]:
    """Yield a block as Markdown, in as many pieces as it takes."""
    if block.category is Category.LIST_ITEM:
        marker, spans = list_marker(block)
        prefix = f"{'  ' * block.level}{marker} "
        for piece in cut_spans(spans, max(1, limit - len(prefix))):
            if line := markdown_line(piece, "item"):
                yield prefix + line
                prefix = " " * len(prefix)
        return
    whole = block_markdown(block, options)
    if len(whole) <= limit or block.category is Category.FORMULA:
        yield from [whole] if whole else []
    elif block.category is Category.CODE:
        yield from cut_code(block, limit, options)
    elif block.table is not None:
        yield from cut_table(block, block.table, limit, options)
    else:
        marker_span = (Span(f"{block.marker} "),) if block.category is Category.FOOTNOTE and block.marker else ()
        lines = (markdown_line(piece) for piece in cut_spans((*marker_span, *block.spans), limit))
        yield from (line for line in lines if line)


def cut_code(block: Block, limit: int, options: RenderOptions) -> Iterator[str]:
    """Yield as many lines at a time as fit, each time in fences."""
    lines: list[str] = []
    piece = ""
    for line in code_lines(block.text).split("\n"):
        if piece and len(_code(block, [*lines, line], options)) > limit:
            yield piece
            lines = []
        lines.append(line)
        piece = _code(block, lines, options)
    if piece:
        yield piece


def cut_table(block: Block, table: Table, limit: int, options: RenderOptions) -> Iterator[str]:
    """Yield as many rows at a time as fit, below the header if there is room. Spanned rows stay together."""
    grid, _ = place(table)
    head = list(range(header_rows(grid)))
    shown = not head  # the header, in some piece
    waiting: list[int] = []
    for group, after in pairwise([*row_groups(grid, len(head)), []]):
        waiting += group
        if after and len(_rows(block, table, head + waiting + after, options)) <= limit:
            continue
        piece = _rows(block, table, head + waiting, options)
        if head and len(piece) > limit:
            if not shown:
                yield _rows(block, table, head, options)
            piece = _rows(block, table, waiting, options)
        shown, waiting = True, []
        yield piece
    if not shown:
        yield _rows(block, table, head, options)


def row_groups(grid: Grid, first: int) -> list[list[int]]:
    """Return the rows from `first` on, those together that a cell spans."""
    groups: list[list[int]] = []
    end = first  # of the group at hand
    for number in range(first, len(grid)):
        if number >= end:
            groups.append([])
        groups[-1].append(number)
        end = max([end, number + 1, *(cell.row + cell.rowspan for cell in grid[number] if cell)])
    return groups


def _rows(block: Block, table: Table, numbers: list[int], options: RenderOptions) -> str:
    """The table with only these rows."""
    at = {number: index for index, number in enumerate(numbers)}
    cells = [cell for row in place(table)[0] for cell in row if cell and cell.row in at]
    kept = tuple(msgspec.structs.replace(cell, row=at[cell.row]) for cell in cells)
    return block_markdown(msgspec.structs.replace(block, table=Table(len(numbers), table.columns, kept)), options)


def cut_spans(spans: Spans, limit: int) -> Iterator[Spans]:
    """Yield running text in pieces that are at most `limit` characters of Markdown, or one word: whole sentences where
    that leaves no piece less than half full. No piece ends within a word or a formula."""
    if len(markdown_line(spans)) <= limit:
        yield spans
        return
    words = deque(words_of(spans))
    while words:
        piece = [words.popleft()]
        size = _length(piece[0])
        while words and size + _length(words[0]) <= limit + 1:  # the last one has no space behind it
            size += _length(words[0])
            piece.append(words.popleft())
        ends = [at for at, word in enumerate(piece, start=1) if SENTENCE_END.search(plain(word))]
        if words and ends and ends[-1] > len(piece) // 2:
            while len(piece) > ends[-1]:
                words.appendleft(piece.pop())
        while len(piece) > 1 and len(markdown_line(_flat(piece))) > limit:
            words.appendleft(piece.pop())
        yield _flat(piece)


def words_of(spans: Spans) -> Iterator[Spans]:
    """Yield the words with their styles, the space behind them included; what is printed without a space between is one
    word, but for scripts that have none."""
    word: list[Span] = []
    for span in spans:
        for text in [span.text] if span.math else TOKEN.findall(span.text):
            if word and _may_end(word[-1].text, text):
                yield tuple(word)
                word = []
            word.append(msgspec.structs.replace(span, text=text))
    if word:
        yield tuple(word)


def _may_end(before: str, after: str) -> bool:
    return before[-1:].isspace() or after[:1].isspace() or bool(re.match(rf"[{CJK}]{{2}}$", before[-1:] + after[:1]))


def _length(word: Spans) -> int:
    return len(markdown_line(word)) + word[-1].text[-1:].isspace()


def _flat(words: Iterable[Spans]) -> Spans:
    return tuple(span for word in words for span in word)


def _code(block: Block, lines: list[str], options: RenderOptions) -> str:
    return block_markdown(msgspec.structs.replace(block, spans=(Span("\n".join(lines)),)), options)
