"""Categories: is this group of lines a heading, a list item, a caption, a footnote, or text, and in which item?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

import msgspec
import numpy as np

from docparse.layout.kinds.headings import is_heading, is_heading_style
from docparse.layout.kinds.style import PageStyle
from docparse.layout.text.groups import Group
from docparse.layout.text.items import Marker, raised_mark
from docparse.layout.text.markers import BULLETS_ALONE, readings
from docparse.layout.text.side_heads import side_heads
from docparse.layout.text.wording import ABOUT, CAPTION, PART_CAPTION, SENTENCE, count_words, ends_sentence
from docparse.types import Block, Box, Category

FLUSH = 0.35  # em between the margins of a paragraph and of the words of an item
INDENTED = 3.0  # em by which code, and text in the type of the item, may be further in
NEAR = 2.5  # em under the list at most
SHORT = 4.0  # em by which an indented block may begin behind the end of the line over it
CLOSE = 1.0  # em between items of a list; sections without text between them stand further apart
WITHIN = 0.7  # share of the caption of a part that lies in the figure
SMALLER = 0.95  # times the size of text: smaller text is notes, and how to cite an article
CROWD, CROWDED = 3, 1.5  # headings, and em between them: of a form, an address or a title page
NEXT = 3  # groups below a heading, at most, until one of several lines shows how wide its column is
ALIKE, LARGER = 0.08, 1.05  # share by which sizes of one type differ, measured ones too; times the size of text
CORNER = 2.0  # points between the ends of two strokes that meet


def categorise(
    group: Group, style: PageStyle, floats: Sequence[Box], rulings: np.ndarray, below: Sequence[Group] = ()
) -> Category:
    """Return the category of one group. `floats` are tables and pictures (for captions); `below` stand under it."""
    if is_caption(group, floats):
        return Category.CAPTION
    if is_footnote(group, style, rulings):
        return Category.FOOTNOTE
    if group.is_entry or (group.is_item and (_is_counted(group, below) or not is_heading_style(group, style, below))):
        return Category.LIST_ITEM
    return Category.SECTION_HEADER if is_heading(group, style, below) else Category.TEXT


def _is_counted(group: Group, below: Sequence[Group]) -> bool:
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


def crowds(groups: Sequence[Group], categories: Sequence[Category], below: Sequence[Sequence[Group]]) -> set[int]:
    """Return the headings, by index, that stand in one type close under each other, three or more: they head nothing
    and are the lines of a form or an address. `below` are the `followers` of the groups."""
    headings = {id(group): i for i, group in enumerate(groups) if categories[i] is Category.SECTION_HEADER}
    under = {i: headings.get(id(others[0])) for i, others in enumerate(below) if others}
    found: set[int] = set()
    for i in headings.values():
        crowd = [i]
        while (after := under.get(crowd[-1])) is not None and _goes_with(groups[crowd[-1]], groups[after]):
            crowd.append(after)
        found.update(crowd if len(crowd) >= CROWD else ())
    return found


def outvoted(groups: Sequence[Group], categories: Sequence[Category], below: Sequence[Sequence[Group]]) -> set[int]:
    """Return the headings, by index, whose like are terms more often: bold lines in one type and at one margin, with as
    much white over them, over text that is as far in. `below` are the `followers` of the groups."""
    styles, white = {}, {}
    for i, (group, others) in enumerate(zip(groups, below, strict=True)):
        if categories[i] in (Category.SECTION_HEADER, Category.TEXT) and len(group.lines) == 1 and _is_all_bold(group):
            em, box = group.size, group.box
            indent = others[0].box.x0 - box.x0 if others else 0.0
            styles[i] = (group.lines[0].main.font, round(em, 1), round(box.x0 / em), indent > FLUSH * em)
            over = (other.box.y1 for other in groups if other.box.y0 < box.y0 and other.box.overlap_x(box) > 0)
            white[i] = (box.y0 - max(over, default=-np.inf)) / em
    found = set()
    for i, style in styles.items():
        like = [categories[j] for j in styles if styles[j] == style and white[j] > white[i] - FLUSH]
        if categories[i] is Category.SECTION_HEADER and like.count(Category.TEXT) > like.count(Category.SECTION_HEADER):
            found.add(i)
    return found


def in_series(groups: Sequence[Group], categories: Sequence[Category], style: PageStyle) -> set[int]:
    """Return the items, by index, that are headings: single lines, whose numbers go with those of headings in their
    type and of no other items. On pixels, where the weight of a few letters is rough, type larger than text is one."""
    numbers: dict[tuple[str, int], list[int]] = {}
    for i, (group, category) in enumerate(zip(groups, categories, strict=True)):
        if group.marker is not None and category in (Category.SECTION_HEADER, Category.LIST_ITEM):
            for reading in readings(group.marker.text):
                numbers.setdefault(reading, []).append(i)

    def is_head(i: int, reading: tuple[str, int]) -> bool:
        kind, number = reading
        beside = [j for near in (number - 1, number + 1) for j in numbers.get((kind, near), ())]
        heads = [categories[j] is Category.SECTION_HEADER and _is_set_like(groups[i], groups[j], style) for j in beside]
        return number > 0 and bool(heads) and all(heads)

    lone = {(i, reading) for reading, found in numbers.items() for i in found if len(groups[i].lines) == 1}
    return {i for i, reading in lone if not ends_sentence(groups[i].text) and is_head(i, reading)}


def in_margin(groups: Sequence[Group], categories: Sequence[Category]) -> set[int]:
    """Return the texts, by index, that are headings in the margin beside what they head."""
    lines = [line for group in groups for line in group.lines]
    first = {id(lines[i]) for i in side_heads(lines)}
    return {i for i, group in enumerate(groups) if categories[i] is Category.TEXT and id(group.lines[0]) in first}


def _is_set_like(item: Group, heading: Group, style: PageStyle) -> bool:
    """Whether an item is in the type of a heading."""
    one, other = (group.lines[0].main for group in (item, heading))
    alike = abs(one.size - other.size) < ALIKE * other.size and one.font == other.font
    return alike and (one.bold == other.bold or (style.noisy and one.size > LARGER * style.prose))


def pulled(groups: Sequence[Group], categories: Sequence[Category]) -> set[int]:
    """Return the headings, by index, that are pull quotes: so many words that the text of the page says them, too. A
    notice in smaller type, of how to cite an article, says its title."""
    texts = [group for group, category in zip(groups, categories, strict=True) if category is Category.TEXT]
    usual = max((group.size for group in texts), key=lambda size: _characters_in(texts, size), default=0.0)
    text = " ".join(_letters(group) for group in texts if group.size > SMALLER * usual)
    headings = (i for i, category in enumerate(categories) if category is Category.SECTION_HEADER)
    long = (i for i in headings if count_words(groups[i].text) >= SENTENCE)
    return {i for i in long if _letters(groups[i]) in text}


def _characters_in(groups: Sequence[Group], size: float) -> int:
    return sum(group.characters for group in groups if group.size == size)


def _letters(group: Group) -> str:
    """The letters and digits of a group, whatever its lines and hyphens."""
    return "".join(char for char in group.text.casefold() if char.isalnum())


def _is_all_bold(group: Group) -> bool:
    return group.share("bold") > 0.9


def _goes_with(upper: Group, lower: Group) -> bool:
    """In one type, and close under it."""
    sized, close = abs(upper.size - lower.size) < 0.03 * upper.size, lower.box.y0 - upper.box.y1 < CROWDED * upper.size
    return sized and close and _is_all_bold(upper) == _is_all_bold(lower)


def marker_of(group: Group, category: Category) -> str:
    """Return what `Block.marker` holds: a list item's marker, a footnote's mark, else ""."""
    if category is Category.LIST_ITEM:
        return group.marker.text if group.marker else ""
    return raised_mark(group.lines[0]) if category is Category.FOOTNOTE else ""


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
    low = group.box.y0 >= style.page.y0 + 0.55 * style.page.height
    is_bulleted = group.marker is not None and group.marker.text in BULLETS_ALONE
    if not low or group.size > SMALLER * style.body or is_bulleted:
        return False
    return bool(raised_mark(group.lines[0])) or _under_stroke(group.box, style, rulings)


def _under_stroke(box: Box, style: PageStyle, rulings: np.ndarray) -> bool:
    if len(rulings) == 0:
        return False
    flat = np.abs(rulings[:, 1] - rulings[:, 3]) < 1
    width = rulings[:, 2] - rulings[:, 0]
    near = (rulings[:, 1] < box.y0 + 2) & (rulings[:, 1] > box.y0 - 14 * style.body)
    start = np.abs(rulings[:, 0] - box.x0) < 2 * style.body
    strokes = rulings[flat & near & start & (width < 0.45 * style.page.width) & (width > 2 * style.body)]
    return not all(_is_edge(stroke, rulings) for stroke in strokes)


def _is_edge(stroke: np.ndarray, rulings: np.ndarray) -> bool:
    """Whether the stroke is the edge of a box: a side of it goes down from one of its ends."""
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
