"""Categories: is this group of lines a heading, a list item, a caption, a footnote, or text, and in which item?"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec
import numpy as np

from docparse.layout.kinds.notes import figures_of, is_footnote
from docparse.layout.kinds.style import PageStyle
from docparse.layout.text.groups import Group
from docparse.layout.text.items import Marker, raised_mark
from docparse.layout.text.wording import ABOUT, CAPTION, PART_CAPTION
from docparse.types import Block, Box, Category

FLUSH = 0.35  # em between the margins of a paragraph and of the words of an item
INDENTED = 3.0  # em by which code, and text in the type of the item, may be further in
NEAR = 2.5  # em under the list at most
WITHIN = 0.7  # share of the caption of a part that lies in the figure


def categorise(group: Group, style: PageStyle, floats: Sequence[Box], rulings: np.ndarray, *, heads: bool) -> Category:
    """Return the category of one group. `floats` are tables and pictures (for captions); `heads` says that it looks
    like a heading."""
    if is_caption(group, floats):
        return Category.CAPTION
    if is_footnote(group, style, rulings):
        return Category.FOOTNOTE
    if group.is_entry or (group.is_item and not heads):
        return Category.LIST_ITEM
    return Category.SECTION_HEADER if heads else Category.TEXT


def marker_of(group: Group, category: Category) -> str:
    """Return what `Block.marker` holds: a list item's marker, a footnote's mark, else ""."""
    if category is Category.LIST_ITEM:
        return group.marker.text if group.marker else ""
    if category is not Category.FOOTNOTE:
        return ""
    return (figures_of(group.marker.text) if group.marker else "") or raised_mark(group.lines[0])


def is_caption(group: Group, floats: Sequence[Box]) -> bool:
    """It begins like a caption, and stands by a float or is punctuated like one; that of a part stands in a float."""
    text, box = group.text, group.box
    if PART_CAPTION.match(text):
        return any(box.inside(other) > WITHIN for other in floats)
    if not CAPTION.match(text):
        return False
    column = [other for other in floats if box.overlap_x(other) > 0.3 * min(box.width, other.width)]
    near = any(box.gap_y(other) < 4 * group.size for other in column)
    return (near and not ABOUT.match(text)) or re.match(r"\S+\s*\S*[.:|]", text[:14]) is not None


def inside_items(groups: Sequence[Group], categories: Sequence[Category]) -> set[int]:
    """Return the paragraphs, by index, that belong to an item above them."""
    pairs = zip(groups, categories, strict=True)
    items = [(group, group.marker) for group, category in pairs if category is Category.LIST_ITEM and group.marker]
    above = [item.box for item, _ in items]
    found = set()
    for i in sorted(range(len(groups)), key=lambda i: groups[i].box.y0):
        if categories[i] is not Category.TEXT or not _is_under(groups[i].box, groups[i].size, above):
            continue
        if any(_is_within(groups[i], *item) for item in items):
            found.add(i)
            above.append(groups[i].box)
    return found


def code_inside(code: Sequence[Block], groups: Sequence[Group]) -> list[Block]:
    """Return the blocks of code, those that belong to an item above them with `level` 1."""
    items = [(group, group.marker) for group in groups if group.is_item and group.marker]
    above = [item.box for item, _ in items]

    def belongs(block: Block) -> bool:
        box, em = block.box, block.font_size
        margins = (marker.words for item, marker in items if _is_over(item, box))
        return _is_under(box, em, above) and any(-FLUSH * em < box.x0 - x < INDENTED * em for x in margins)

    return [msgspec.structs.replace(block, level=1) if belongs(block) else block for block in code]


def _is_within(group: Group, item: Group, marker: Marker) -> bool:
    """Under the item, and flush with its words, or further in and in its type."""
    if not _is_over(item, group.box):
        return False
    em = group.size
    inner = min(line.start for line in group.lines) - marker.words
    alike = group.lines[0].main.font == item.lines[-1].main.font or not group.share("bold")
    further = abs(item.size - em) < 0.02 * em and alike and -FLUSH * em < inner < INDENTED * em
    return abs(inner) < FLUSH * em or further


def _is_over(item: Group, box: Box) -> bool:
    return item.box.y0 < box.y0 and item.box.overlap_x(box) > 0


def _is_under(box: Box, em: float, above: Sequence[Box]) -> bool:
    """Right under one of these boxes."""
    return any(0.5 * em > other.y1 - box.y0 > -NEAR * em and other.overlap_x(box) > 0 for other in above)
