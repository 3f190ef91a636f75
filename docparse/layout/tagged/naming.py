"""Categories and blocks of tagged groups: the tree's word where it has one, else what geometry sees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import msgspec

from docparse.layout.blocks import plain_block, text_block
from docparse.layout.kinds.furniture import is_of_binding
from docparse.layout.state import PageState
from docparse.layout.tagged.code import code_text
from docparse.layout.tagged.plan import Plan
from docparse.layout.tagged.units import Kind
from docparse.layout.text.groups import Group
from docparse.layout.text.items import list_marker, printed, without_item_marker
from docparse.layout.text.lines import Line
from docparse.layout.text.wording import SITE
from docparse.pdf.structure import NONE
from docparse.types import Block, Box, Category, Span, union

NAMED: dict[Kind, Category] = {
    "heading": Category.SECTION_HEADER,
    "item": Category.LIST_ITEM,
    "caption": Category.CAPTION,
    "note": Category.FOOTNOTE,
    "code": Category.CODE,
}
DRAWN = "•"  # the marker of an item whose label is drawn, not printed
PARAGRAPH = 3  # lines: what runs along the pages is shorter
LARGE = 1.15  # times the size of the text: running heads are no larger, titles of slides are


def category_of(group: Group, seen: Category, plan: Plan) -> Category:
    """Return the category of a group; `seen` is what it looks like.

    A paragraph of the tree may look like a caption, a note or an item. Where the tree has lists, the marker of an item
    that it does not name must be sure. A numbered item of bold type that text follows may look like a heading: word
    processors number headings as lists.
    """
    unit = plan.of_group(group)
    kind = plan.kinds[unit] if unit != NONE else "free"
    if kind == "free":
        return seen
    if kind == "item" and seen is Category.SECTION_HEADER and _is_numbered_heading(group, unit, plan):
        return seen
    if kind in NAMED:
        return NAMED[kind] if plan.leads(group) or kind != "item" else Category.TEXT
    named = seen is not Category.LIST_ITEM or "item" not in plan.kinds
    typed = group.marker is not None and group.marker.sure
    return seen if plan.leads(group) and (named or typed) else Category.TEXT


def _is_numbered_heading(group: Group, unit: int, plan: Plan) -> bool:
    """Return whether an item is all bold, begins with a number, and no other item stands next to it."""
    beside = (plan.kinds[i] for i in (unit - 1, unit + 1) if 0 <= i < len(plan.kinds))
    return group.is_bold and group.text[:1].isdigit() and "item" not in beside


def block_of(group: Group, category: Category, state: PageState, plan: Plan) -> Block | None:
    """Return the block of a group that the tree names; None where what it looks like says all.

    Text that goes on behind a column or a displayed formula `continues` the block before, unless it is a web address.
    """
    index = plan.of_group(group)
    free = index == NONE or plan.kinds[index] == "free"
    if free or (category is Category.SECTION_HEADER and plan.kinds[index] == "item"):
        return None
    unit, kind = plan.units[index], plan.kinds[index]
    if kind == "code":
        block = plain_block(group, category, state.source)
        return msgspec.structs.replace(block, spans=(Span(code_text(group)),), level=unit.level, level_known=True)
    if not plan.leads(group):
        block = text_block(group, category, state)
        goes_on = category is Category.TEXT and SITE.fullmatch(group.text) is None
        return msgspec.structs.replace(block, continues=goes_on, level_known=True)
    if kind in ("item", "note"):
        return _labelled(group, category, state, plan)
    if kind == "heading" or (unit.item != NONE and category is Category.TEXT):
        return msgspec.structs.replace(text_block(group, category, state), level=unit.level, level_known=True)
    return None


def _labelled(group: Group, category: Category, state: PageState, plan: Plan) -> Block:
    """An item or note with its label as its marker."""
    unit = plan.units[plan.of_group(group)]
    marker, rest = _label_apart(group, plan)
    if rest is None:  # a label without words
        return text_block(group, Category.TEXT, state)
    if not marker and category is Category.LIST_ITEM:  # its label is the beginning of its text
        marker = list_marker(rest.lines[0])
        if marker:
            rest = replace(rest, lines=(without_item_marker(rest.lines[0], marker), *rest.lines[1:]))
    block = msgspec.structs.replace(text_block(rest, category, state), box=group.box.rounded())
    if category is not Category.LIST_ITEM:
        return msgspec.structs.replace(block, marker=marker)
    marker = printed(marker) or (DRAWN if unit.labelled else "")
    return msgspec.structs.replace(block, marker=marker, level=unit.level, level_known=True)


def _label_apart(group: Group, plan: Plan) -> tuple[str, Group | None]:
    """The label of an item or note, and the group without it."""
    label, lines = [], []
    for line in group.lines:
        own = [word for word in line.words if plan.is_label[word.index]]
        label += own
        words = tuple(word for word in line.words if not plan.is_label[word.index])
        if words:
            lines.append(Line(words) if own else line)
    return Line(tuple(label)).text if label else "", Group(lines) if lines else None


def without_tagged(
    furniture: Mapping[int, Category], groups: Sequence[Group], floats: Sequence[Box], body: float, plan: Plan
) -> dict[int, Category]:
    """Return the running headers and footers: on an untagged page those found. `body` is the size of most text.

    What the tree names is none, but for the characters where papers are bound. What it leaves out and
    stands above all that it names, or below, is, unless it is set in larger type than text, as slides of typst have
    their titles there, or is a paragraph of it, in a box of its own.
    """
    if not plan.units:
        return dict(furniture)
    units = [plan.of_group(group) for group in groups]
    named = [unit != NONE and (plan.units[unit].named or plan.kinds[unit] in NAMED) for unit in units]
    found = {i: category for i, category in furniture.items() if not named[i] or is_of_binding(groups[i])}
    tagged = [group.box for group, unit in zip(groups, units, strict=True) if unit != NONE] + list(floats)
    if not tagged:
        return found
    extent = union(tagged)
    for i, group in enumerate(groups):
        if units[i] != NONE or group.size > LARGE * body or len(group.lines) >= PARAGRAPH:
            continue
        if group.box.y1 <= extent.y0 or group.box.y0 >= extent.y1:
            found[i] = Category.PAGE_HEADER if group.box.y1 <= extent.y0 else Category.PAGE_FOOTER
    return found
