"""Nesting of list items: how deep each one stands, from its indentation, its marker, and the items before it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from docparse.layout.text.markers import readings
from docparse.layout.text.wording import is_rtl
from docparse.types import Block, Category

SAME = 0.6  # em: margins closer than this are one margin
FAR = 3.0  # em: what stands so far under an item is no part of it
INDENT = 6.0  # em: how far in an item's first line may begin; the box of one of several lines begins at the margin
INSIDE = (Category.TEXT, Category.CODE)
DEEPEST = 6


@dataclass(frozen=True)
class _Open:
    """An open level: its margin in points (growing inwards), the kind of its markers, its last number."""

    margin: float
    kind: str
    number: int


class Nesting:
    """Walks the blocks of a document in reading order and says the depth of every list item."""

    def __init__(self) -> None:
        self._open: list[_Open] = []
        self._indents: dict[str, float] = {}  # of each kind of marker in this list, from its outermost margin, points
        self._latest: dict[str, tuple[_Open, ...]] = {}  # what was open at the last item of each kind
        self._above: Block | None = None

    def within(self, block: Block) -> int:
        """Return in how many open items a block stands that is none; its `level` says whether it stands in any.

        A heading, or text out at the margin, ends the list.
        """
        if block.category.is_heading:
            self._end()
        if block.category not in INSIDE or not self._open or self._jumped(block):
            return 0
        above, em, margin = self._above, block.font_size or 10.0, _margin(block)
        deep = sum(margin > entry.margin + SAME * em for entry in self._open)
        if block.category is Category.TEXT and not deep:
            self._end()
        if above is None or block.box.y0 - above.box.y1 > FAR * em or not block.level or not deep:
            return 0
        self._above = block
        return deep

    def new_page(self) -> None:
        """The next item may continue a list, but its place says nothing about the items before."""
        self._above = None

    def level(self, block: Block) -> int:
        """Depth of a list item, 0 for the outermost."""
        margin, em = _margin(block), block.font_size or 10.0
        kind, number = self._reading(block.marker)
        above = self._above
        if above is not None and self._is_beside(block, above, kind, number):
            self._open[-1] = _Open(self._open[-1].margin, kind, number)
            self._above = msgspec.structs.replace(block, box=above.box | block.box)  # the whole row
            return len(self._open) - 1
        if self._jumped(block):
            self._shift(margin, kind)
        self._resume(kind, number, margin, em)
        while self._open and margin < self._open[-1].margin - SAME * em and not self._goes_on(kind, number, margin, em):
            self._open.pop()
        self._climb(kind, number, margin, em)
        if self._open and self._is_sibling(margin, kind, number, em):
            self._open.pop()
        self._open = [*self._open[: DEEPEST - 1], _Open(margin, kind, number)]
        self._indents.setdefault(kind, margin - self._open[0].margin)
        self._latest[kind] = tuple(self._open)
        self._above = block
        return len(self._open) - 1

    def _end(self) -> None:
        self._open = []
        self._indents = {}
        self._latest = {}

    def _reading(self, marker: str) -> tuple[str, int]:
        """The kind of a marker ("(a)", "1.", "•") and its number, 0 for bullets; "i." may be a numeral or a letter."""
        found, expected = list(readings(marker)), {(entry.kind, entry.number + 1) for entry in self._open}
        return next((reading for reading in found if reading in expected), found[0])

    def _is_beside(self, block: Block, above: Block, kind: str, number: int) -> bool:
        """The next of several short items in one row within another item, which stand as deep as the first."""
        last = self._open[-1] if len(self._open) > 1 else None
        following = last is not None and number > 1 and (kind, number) == (last.kind, last.number + 1)
        return following and block.box.is_level(above.box) and block.box.x0 > above.box.x1

    def _jumped(self, block: Block) -> bool:
        """In another column, or on another page, than the item before."""
        above = self._above
        return above is None or block.box.y0 < above.box.y0 or block.box.overlap_x(above.box) <= 0

    def _shift(self, margin: float, kind: str) -> None:
        """Move the open levels to where the indent of this kind of marker says that the list now begins."""
        self._latest = {}
        if kind not in self._indents:
            self._end()
        elif self._open:
            by = margin - self._indents[kind] - self._open[0].margin
            self._open = [_Open(o.margin + by, o.kind, o.number) for o in self._open]

    def _resume(self, kind: str, number: int, margin: float, em: float) -> None:
        """Back to the list that has this number next, at its margin, though what stands in it may begin farther out."""
        last = self._latest.get(kind)
        if last and number == last[-1].number + 1 > 1 and abs(margin - last[-1].margin) < SAME * em:
            self._open = list(last)

    def _goes_on(self, kind: str, number: int, margin: float, em: float) -> bool:
        """The next number of the innermost list: "viii." stands further out than "vii." where they end flush."""
        last = self._open[-1]
        return number > 0 and (kind, number) == (last.kind, last.number + 1) and margin > last.margin - 2 * em

    def _is_sibling(self, margin: float, kind: str, number: int, em: float) -> bool:
        last = self._open[-1]
        if abs(margin - last.margin) < SAME * em:
            return not (kind != last.kind and number == 1 and last.number > 0)  # "(a)" right under "1." begins a list
        return self._goes_on(kind, number, margin, em) and margin - last.margin < INDENT * em

    def _climb(self, kind: str, number: int, margin: float, em: float) -> None:
        """Back to an outer list that stands at the same margin and has this number next."""
        for depth, entry in enumerate(self._open):
            if abs(entry.margin - margin) < SAME * em and number and (kind, number) == (entry.kind, entry.number + 1):
                del self._open[depth + 1 :]
                return


def between_items(blocks: Sequence[Block]) -> list[Block]:
    """Return the blocks, formulas between an item and one that is no outermost one as parts of the first, and text
    there as a part of what holds the second."""
    result = list(blocks)
    last: int | None = None  # the item before, if only such blocks stand behind it
    for i, block in enumerate(blocks):
        if block.category is Category.LIST_ITEM:
            for k in range(last + 1 if last is not None and block.level else i, i):
                if blocks[k].category is not Category.FORMULA and not _is_set_in(blocks[k], blocks[last or 0], block):
                    continue
                inner = blocks[last or 0].level + 1 if blocks[k].category is Category.FORMULA else block.level
                result[k] = msgspec.structs.replace(blocks[k], level=max(inner, blocks[k].level))
            last = i
        elif block.category not in (*INSIDE, Category.FORMULA):
            last = None
    return result


def _is_set_in(block: Block, before: Block, after: Block) -> bool:
    """Return whether a block begins at the margin of the item over it, or farther in; in another column, of the one
    under it."""
    below = block.box.y0 >= before.box.y0 and block.box.overlap_x(before.box) > 0
    return _margin(block) > _margin(before if below else after) - SAME * (block.font_size or 10.0)


def _margin(block: Block) -> float:
    """Distance of the block from the side it is read from, points."""
    return -block.box.x1 if is_rtl(block.text) else block.box.x0
