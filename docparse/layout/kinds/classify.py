"""Categories: is this group of lines a heading, a list item, a caption, a footnote, or text, and in which item?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

import msgspec
import numpy as np

from docparse.layout.geometry import level_strokes
from docparse.layout.kinds.headings import is_heading, is_heading_style
from docparse.layout.kinds.style import PageStyle
from docparse.layout.text.groups import Group
from docparse.layout.text.items import Marker, raised_mark
from docparse.layout.text.markers import BULLETS_ALONE
from docparse.layout.text.wording import ABOUT, CAPTION, PART_CAPTION, SENTENCE, count_words
from docparse.types import Block, Box, Category

FLUSH = 0.35  # em between the margins of a paragraph and of the words of an item
INDENTED = 3.0  # em by which code, and text in the type of the item, may be further in
NEAR = 2.5  # em under the list at most
SHORT = 4.0  # em by which an indented block may begin behind the end of the line over it
CLOSE = 1.0  # em between items of a list; sections without text between them stand further apart
WITHIN = 0.7  # share of the caption of a part that lies in the figure
SMALLER = 0.95  # times the size of text: smaller text is notes, and how to cite an article
NEXT = 5  # groups below a heading, at most, until one of several lines shows how wide its column is
RULES = 3  # of a table, at least
ITALIC = 0.9  # of the characters of a pull quote are in italics
CORNER = 2.0  # points between the ends of two strokes that meet


def categorise(
    group: Group, style: PageStyle, floats: Sequence[Box], rulings: np.ndarray, below: Sequence[Group] = ()
) -> Category:
    """Return the category of one group. `floats` are tables and pictures (for captions); `below` stand under it."""
    if is_caption(group, floats):
        return Category.CAPTION
    if is_footnote(group, style, rulings):
        return Category.FOOTNOTE
    if group.is_entry or (group.is_item and (is_counted(group, below) or not is_heading_style(group, style, below))):
        return Category.LIST_ITEM
    heads = is_heading(group, style, below) and not _is_between_rules(group, rulings)
    return Category.SECTION_HEADER if heads else Category.TEXT


def _is_between_rules(group: Group, rulings: np.ndarray) -> bool:
    """Return whether it is a pull quote: so many words in italics with rules right over and under them that are as long
    or longer."""
    if count_words(group.text) < SENTENCE or group.share("italic") < ITALIC:
        return False
    box, reach = group.box, NEAR * group.size
    level = level_strokes(rulings)
    level = level[(level[:, 0] < box.x0 + CORNER) & (level[:, 2] > box.x1 - CORNER)]
    over, under = box.y0 - level[:, 1], level[:, 1] - box.y1
    return bool(((over > 0) & (over < reach)).any() and ((under > 0) & (under < reach)).any())


def is_counted(group: Group, below: Sequence[Group]) -> bool:
    """Return whether the next item of a list stands close under it, in its type: short items may be in capitals."""
    other = below[0] if below else None
    if other is None or group.marker is None or other.marker is None:
        return False
    numbers = [marker.text.rstrip(".)") for marker in (group.marker, other.marker)]
    counts = all(map(str.isdecimal, numbers)) and int(numbers[1]) == int(numbers[0]) + 1
    styles = {(each.size, each.bold, each.italic) for each in (group.lines[0].main, other.lines[0].main)}
    return counts and len(styles) == 1 and not group.share("bold") and other.box.y0 - group.box.y1 < CLOSE * group.size


def followers(groups: Sequence[Group]) -> list[list[Group]]:
    """Return for each group the next ones down the page that share some of its width, none at the foot of a column.

    What a short term stands over may be indented beyond its end.
    """
    order = sorted(groups, key=lambda group: group.box.y0)
    result = {}
    for i, group in enumerate(order):
        reach = group.box.padded(SHORT * group.size)
        under = (o for o in order[i + 1 :] if o.box.center[1] > group.box.y1 and o.box.overlap_x(reach) > 0)
        result[id(group)] = list(islice(under, NEXT))
    return [result[id(group)] for group in groups]


def marker_of(group: Group, category: Category) -> str:
    """Return what `Block.marker` holds: a list item's marker, a footnote's mark, else ""."""
    if category is Category.LIST_ITEM:
        return group.marker.text if group.marker else ""
    if category is not Category.FOOTNOTE:
        return ""
    return (figures_of(group.marker.text) if group.marker else "") or raised_mark(group.lines[0])


def figures_of(marker: str) -> str:
    """Return the figures of a marker, or ""."""
    inner = marker.strip("().")
    return inner if inner.isdecimal() else ""


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


def is_footnote(group: Group, style: PageStyle, rulings: np.ndarray) -> bool:
    """Small print low on the page that begins with a raised mark, or stands under a short stroke; no item of a list."""
    is_bulleted = group.marker is not None and group.marker.text in BULLETS_ALONE
    if not is_low_print(group, style) or is_bulleted:
        return False
    return bool(raised_mark(group.lines[0])) or _under_stroke(group.box, style, rulings)


def is_low_print(group: Group, style: PageStyle) -> bool:
    """Return whether it is small print in the lower part of the page."""
    low = group.box.y0 >= style.page.y0 + 0.55 * style.page.height
    return low and group.size <= SMALLER * style.body


def _under_stroke(box: Box, style: PageStyle, rulings: np.ndarray) -> bool:
    if len(rulings) == 0:
        return False
    flat = np.abs(rulings[:, 1] - rulings[:, 3]) < 1
    width = rulings[:, 2] - rulings[:, 0]
    near = (rulings[:, 1] < box.y0 + 2) & (rulings[:, 1] > box.y0 - 14 * style.body)
    start = np.abs(rulings[:, 0] - box.x0) < 2 * style.body
    strokes = rulings[flat & near & start & (width < 0.45 * style.page.width) & (width > 2 * style.body)]
    return not all(_is_top_of_box(stroke, rulings) or _is_of_table(stroke, rulings[flat]) for stroke in strokes)


def _is_of_table(stroke: np.ndarray, level: np.ndarray) -> bool:
    """Whether others begin and end where a stroke does: a rule between two rows."""
    return bool((np.abs(level[:, [0, 2]] - stroke[[0, 2]]).max(axis=1) < CORNER).sum() >= RULES)


def _is_top_of_box(stroke: np.ndarray, rulings: np.ndarray) -> bool:
    """Whether a stroke is the top of a box: a side of it goes down from one of its ends."""
    ends = np.abs(rulings[:, [0]] - stroke[[0, 2]]).min(axis=1) < CORNER
    return bool((ends & (rulings[:, 3] - rulings[:, 1] > CORNER) & (np.abs(rulings[:, 1] - stroke[1]) < CORNER)).any())


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
