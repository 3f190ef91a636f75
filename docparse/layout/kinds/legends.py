"""Captions without a label: some lines in smaller type over or under a picture, as magazines have them, and the title
under a label that stands on a line of its own. Also the words of figures over theirs."""

from __future__ import annotations

import re
from collections.abc import Sequence

from docparse.layout.kinds.measures import MARKED, Neighbours
from docparse.layout.kinds.style import PageStyle
from docparse.layout.text.groups import Group
from docparse.layout.text.wording import FIGURE
from docparse.types import Box, Category

SMALL = 0.95  # times the size of running text at most
LINES = 15  # of a caption at most
LOGO = 60.0  # points: the lines beside a smaller picture are an address
NEAR = 3.0  # em to the picture at most
APART = 1.5  # em to other text in its type at least: a box in small type goes on, and a caption does not
OVERHANG = 1.0  # em by which it is wider than the picture at most, unless both have one middle, to as much
LABEL = re.compile(r"\S+\s?(?:\d+|[A-Z]|[IVX]+)(?:[.-]\d+)*[.:]?")  # "Table 1.", and nothing more
CLOSE, TITLE = 1.0, 3  # em from a label to its title, and lines of this, at most
WIDER = 3.0  # times as wide as the picture it may be even so


def legends(
    groups: Sequence[Group], categories: Sequence[Category], pictures: Sequence[Box], style: PageStyle
) -> set[int]:
    """Return which of the paragraphs, by index, are captions: in smaller type than the text, near a picture and within
    its width or centred on it, with no text between, and nothing more in their type on the other side."""
    found = set()
    for i, (group, category) in enumerate(zip(groups, categories, strict=True)):
        small = group.size < SMALL * style.body and len(group.lines) <= LINES
        if category is not Category.TEXT or not small or group.text[:1].islower():
            continue
        others = [other for other in groups if other is not group and other.box.overlap_x(group.box) > 0]
        large = (picture for picture in pictures if min(picture.width, picture.height) > LOGO)
        if any(_belongs(group, picture, others) for picture in large):
            found.add(i)
    return found


def titles_of_labels(
    groups: Sequence[Group], neighbours: Sequence[Neighbours], categories: Sequence[Category]
) -> set[int]:
    """Return which groups, by index, go on a caption that is only a label: right under it, at its margin or middle."""
    found = set()
    for i, beside in enumerate(neighbours):
        if beside.under is None or categories[i] is not Category.CAPTION or not LABEL.fullmatch(groups[i].text.strip()):
            continue
        label, title, em = groups[i].box, groups[beside.under], groups[i].size
        flush = min(abs(label.x0 - title.box.x0), abs(label.center[0] - title.box.center[0])) < OVERHANG * em
        free = categories[beside.under] in (Category.TEXT, Category.SECTION_HEADER) and len(title.lines) <= TITLE
        if free and flush and title.box.y0 - label.y1 < CLOSE * em:
            found.add(beside.under)
    return found


def words_of_drawings(
    groups: Sequence[Group], neighbours: Sequence[Neighbours], categories: Sequence[Category], drawings: Sequence[Box]
) -> set[int]:
    """Return which headings, by index, are words of a figure that was not told as one: close over its caption, or over
    others that are, with strokes of one of the `drawings` near them."""
    found: set[int] = set()
    for i in sorted(range(len(groups)), key=lambda i: -groups[i].box.y0):
        under, box, reach = neighbours[i].under, groups[i].box, NEAR * groups[i].size
        if under is None or categories[i] is not Category.SECTION_HEADER or MARKED.match(groups[i].text):
            continue
        named = under in found or (categories[under] is Category.CAPTION and FIGURE.match(groups[under].text))
        over = (other for other in drawings if other.y0 < box.y0)  # else it is what the caption stands over
        drawn = any(max(box.gap_x(other), box.gap_y(other)) < reach for other in over)
        if named and drawn and groups[under].box.y0 - box.y1 < reach:
            found.add(i)
    return found


def _belongs(group: Group, picture: Box, others: Sequence[Group]) -> bool:
    box, em = group.box, group.size
    within = box.x0 > picture.x0 - OVERHANG * em and box.x1 < picture.x1 + OVERHANG * em
    centred = abs(box.center[0] - picture.center[0]) < OVERHANG * em and box.width < WIDER * picture.width
    if not (within or centred):
        return False
    over = picture.y0 - box.y1
    gap = over if box.y0 < picture.y0 else box.y0 - picture.y1
    if not 0 <= gap < NEAR * em:
        return False
    between = Box(box.x0, min(box.y1, picture.y1), box.x1, max(box.y0, picture.y0))
    if any(other.box.overlap_y(between) > 0 for other in others):
        return False
    alike = (other for other in others if abs(other.size - em) < (1 - SMALL) * em)
    return not any(box.gap_y(other.box) < APART * em for other in alike)
