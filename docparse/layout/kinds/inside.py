"""What stands in a list item besides its own words: paragraphs and code, as far in as the words behind its marker."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from docparse.layout.text.groups import Group
from docparse.types import Block, Box, Category

FLUSH = 0.35  # em between the margins of a paragraph and of the words of an item
INDENTED = 3.0  # em by which code, and text in the type of the item, may be further in
NEAR = 2.5  # em under the list at most


def inside_items(groups: Sequence[Group], categories: Sequence[Category]) -> set[int]:
    """Return the paragraphs, by index, that belong to an item above them."""
    pairs = zip(groups, categories, strict=True)
    items = [group for group, category in pairs if category is Category.LIST_ITEM and group.marker]
    bottoms = [group.box for group in items]
    found = set()
    for i in sorted(range(len(groups)), key=lambda i: groups[i].box.y0):
        group = groups[i]
        if categories[i] is not Category.TEXT or not _is_under(group.box, bottoms, group.size):
            continue
        if any(_is_above(item, group.box) and _is_within(group, item) for item in items):
            found.add(i)
            bottoms.append(group.box)
    return found


def code_inside(code: Sequence[Block], items: Sequence[Group]) -> list[Block]:
    """Return the blocks of code, those that belong to an item above them with `level` 1."""

    def belongs(block: Block) -> bool:
        em = block.font_size
        near = _is_under(block.box, [item.box for item in items], em)
        return near and any(
            _is_above(item, block.box) and -FLUSH * em < block.box.x0 - _words(item) < INDENTED * em for item in items
        )

    return [msgspec.structs.replace(block, level=1) if belongs(block) else block for block in code]


def _is_within(group: Group, item: Group) -> bool:
    """Flush with the words of the item, or further in and in its type."""
    em = group.size
    inner = min(line.start for line in group.lines) - _words(item)
    alike = group.lines[0].main.font == item.lines[-1].main.font or not group.share("bold")
    further = abs(item.size - em) < 0.02 * em and alike and -FLUSH * em < inner < INDENTED * em
    return abs(inner) < FLUSH * em or further


def _words(item: Group) -> float:
    return item.marker.words if item.marker else item.box.x0


def _is_above(item: Group, box: Box) -> bool:
    return item.box.y0 < box.y0 and item.box.overlap_x(box) > 0


def _is_under(box: Box, above: Sequence[Box], em: float) -> bool:
    """Right under one of these boxes."""
    return any(0.5 * em > other.y1 - box.y0 > -NEAR * em and other.overlap_x(box) > 0 for other in above)
