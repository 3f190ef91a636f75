"""The whole document: heading levels, running headers that repeat, paragraphs that go on over a page break."""

from __future__ import annotations

import re
from collections import Counter

import msgspec

from docparse.types import Block, Category, Page

EDGE = 0.15  # share of the page height in which repeated lines count as furniture
SENTENCE_END = (".", "!", "?", ":", "”", '"', "。", "！", "？", "…", ";")


class Outline:
    """Two passes over a document's pages: `add` each page in order, then `refine` each page in order.

    Memory is a few numbers per page: sizes are counted, edge lines are kept as short keys.
    """

    def __init__(self) -> None:
        self._pages = 0
        self._sizes: Counter[float] = Counter()
        self._headings: Counter[tuple[float, bool]] = Counter()
        self._edges: Counter[str] = Counter()
        self._first_page = 0
        self._open: Block | None = None
        self._titled = False

    def add(self, page: Page) -> None:
        """First pass: learn from one page."""
        self._pages += 1
        self._first_page = self._first_page or page.number
        for block in page.blocks:
            if block.category is Category.TEXT:
                self._sizes[_rounded(block.font_size)] += len(block.text)
            elif block.category is Category.SECTION_HEADER:
                self._headings[_style(block)] += 1
            if key := _edge_key(block, page):
                self._edges[key] += 1

    def refine(self, page: Page) -> Page:
        """Second pass: the page with levels, document-wide furniture and continuations filled in."""
        blocks = [self._refine(block, page) for block in page.blocks]
        if page.number == self._first_page:
            blocks = self._with_title(blocks, page)
        return msgspec.structs.replace(page, blocks=tuple(self._continued(blocks)))

    def _refine(self, block: Block, page: Page) -> Block:
        key = _edge_key(block, page)
        if key and self._edges[key] >= max(2, min(4, self._pages // 2)) and not block.category.is_furniture:
            top = block.box.y0 < page.height / 2
            return msgspec.structs.replace(block, category=Category.PAGE_HEADER if top else Category.PAGE_FOOTER)
        if block.category is Category.SECTION_HEADER:
            return msgspec.structs.replace(block, level=self._level(block))
        return block

    def _level(self, block: Block) -> int:
        """1 is kept for the title; numbered headings say their depth, the others are ranked by size and weight."""
        number = re.match(r"(\d+(?:\.\d+)*)\.?\s", block.text)
        if number:
            return min(6, 2 + number.group(1).count("."))
        body = self._sizes.most_common(1)[0][0] if self._sizes else 10.0
        styles = sorted((s for s in self._headings if s[0] > 1.05 * body), key=lambda s: (-s[0], not s[1]))
        ranks: list[float] = []
        for size, _ in styles:
            if not ranks or size < 0.93 * ranks[-1]:
                ranks.append(size)
        size = _style(block)[0]
        return min(6, 2 + sum(rank > 1.07 * size for rank in ranks[:4]))

    def _with_title(self, blocks: list[Block], page: Page) -> list[Block]:
        """On the first page the largest heading in the upper half is the title, if it leads the others clearly."""
        headings = [b for b in blocks if b.category is Category.SECTION_HEADER and b.box.y0 < 0.6 * page.height]
        if not headings:
            return blocks
        title = max(headings, key=lambda b: b.font_size)
        rest = [size for (size, _), _ in self._headings.items() if size < 0.97 * title.font_size]
        body = self._sizes.most_common(1)[0][0] if self._sizes else 10.0
        if title.font_size < 1.15 * body and (rest or title is not blocks[0]):
            return blocks
        return [msgspec.structs.replace(b, category=Category.TITLE, level=1) if b is title else b for b in blocks]

    def _continued(self, blocks: list[Block]) -> list[Block]:
        result = []
        for block in blocks:
            if block.category is Category.TEXT:
                if self._open is not None and _carries_on(self._open, block):
                    block = msgspec.structs.replace(block, continues=True)
                self._open = block
            elif block.category in (Category.SECTION_HEADER, Category.TITLE, Category.LIST_ITEM, Category.FORMULA):
                self._open = None
            result.append(block)
        return result


def _carries_on(before: Block, after: Block) -> bool:
    """An unfinished sentence, then a block that begins in lower case, in the same size."""
    if not before.text or not after.text or abs(before.font_size - after.font_size) > 0.08 * before.font_size:
        return False
    ending, start = before.text.rstrip(), after.text.lstrip()
    if ending.endswith(SENTENCE_END) or not start:
        return False
    return start[0].islower() or (ending[-1] in "-\u00ad\u2010," and start[0].isalnum())


def _style(block: Block) -> tuple[float, bool]:
    return _rounded(block.font_size), block.bold


def _rounded(size: float) -> float:
    return round(2 * size) / 2


def _edge_key(block: Block, page: Page) -> str:
    """A key that is equal for the same running line on different pages, numbers aside; "" away from the edges."""
    near = block.box.y1 < EDGE * page.height or block.box.y0 > (1 - EDGE) * page.height
    text = block.text
    if not near or not text or len(text) > 120:
        return ""
    side = "t" if block.box.y0 < page.height / 2 else "b"
    words = re.sub(r"\d+", "#", text.casefold())
    position = round(block.box.y0 / 6)
    return f"{side}{position}:{words}" if len(words) < 4 else f"{side}:{words}"
