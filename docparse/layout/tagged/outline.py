"""Headings of a tagged document: the tree's own levels, its title, and text that only looks like a heading."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from docparse.layout.document.levels import DEEPEST, number_depth
from docparse.layout.document.titles import ABSTRACT
from docparse.layout.text.wording import HEADING_WORDS
from docparse.types import Block, Category, Page

OUTERMOST = 1  # level of headings
ALIKE = 0.99  # times the size of type, of type as large


class TaggedHeadings:
    """Two passes over the pages, as those of `docparse.layout.document.outline.Outline`.

    `known` says whether the tree names headings anywhere. Where it does, large type on its tagged pages is no heading
    unless the tree says so, or it has a number and the tree names others that are set like it: word processors tag
    numbered headings as lists. A title in type larger than all headings they tag as text: then the headings stand a
    level below it.
    """

    def __init__(self) -> None:
        self.known = False
        self._largest = 0.0  # size of type of the headings that the tree names, points
        self._outermost = 0  # headings of the first level
        self._leading = 0.0  # size of the largest type that looks like a heading before the first of these, points
        self._styles: dict[tuple[float, bool], int] = {}  # the level of these headings, by how they are set
        self._met = self._titled = False  # a heading that the tree names, and a title, on the second pass

    def add(self, page: Page) -> None:
        """First pass: learn from one page."""
        for block in page.blocks:
            if block.category.is_heading and not block.level_known and not self.known:
                self._leading = max(self._leading, block.font_size)
            if block.category.is_heading and block.level_known:
                self.known = True
                self._largest = max(self._largest, block.font_size)
                self._outermost += block.level == OUTERMOST
                self._styles.setdefault((block.font_size, block.bold), block.level)

    def refine(self, page: Page) -> Sequence[Block]:
        """Second pass: the blocks of a page with their headings settled."""
        if not self.known or page.structure != "tagged":
            return page.blocks
        return [self._settled(block) for block in page.blocks]

    def _settled(self, block: Block) -> Block:
        if not block.category.is_heading:
            return block
        style, depth = (block.font_size, block.bold), number_depth(block.text)
        if depth > 0 and block.bold and style in self._styles and not block.level_known:
            level = self._styles[style] + depth - 1
            block = msgspec.structs.replace(block, level=level, level_known=True)
        if block.level_known:
            self._met = True
            if self._is_led:
                return msgspec.structs.replace(block, level=min(DEEPEST, block.level + 1))
            title = block.level == OUTERMOST and self._outermost == 1 and not self._titled
            return msgspec.structs.replace(block, category=Category.TITLE) if title else block
        large = not self._met and block.font_size > ALIKE * self._largest
        if large and (ABSTRACT.match(block.text) or HEADING_WORDS.fullmatch(block.text.strip())):
            return msgspec.structs.replace(block, level=OUTERMOST + self._is_led, level_known=True)
        leads = large and not self._titled and self._outermost > 1  # a title may be as large as the headings
        if leads or (not self._met and block.font_size > self._largest):
            self._titled = True
            return msgspec.structs.replace(block, category=Category.TITLE, level=OUTERMOST, level_known=True)
        return msgspec.structs.replace(block, category=Category.TEXT, level=0)

    @property
    def _is_led(self) -> bool:
        """Return whether a title that the tree calls text is larger than all headings, which then stand a level below
        it."""
        return self._leading > self._largest and self._outermost > 0
