"""What is normal on a page: the size of its running text, against which headings stand out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from docparse.layout.text.groups import Group
from docparse.layout.text.wording import ends_sentence
from docparse.types import Box

PROSE = 25  # characters: a line at least this long is prose
NARROW = 4  # lines: a paragraph of so many is prose however short its lines, as in the columns of a newspaper
TEXT_SIZE_SHARE = 0.2  # of the text: a size that so much of it has is a text size
EDGE = 0.08  # of the height of a slide, where running heads stand, often the longest lines on it
COLOURED = 0.9  # of a line's characters in another colour than the page's text: a heading or a link


@dataclass(frozen=True)
class PageStyle:
    """The usual type and spacing of a page.

    `body` is the middle size of running text in points, `prose` the largest size that a good part of the text has.
    """

    body: float
    prose: float
    page: Box


def page_style(groups: Sequence[Group], page: Box) -> PageStyle:
    """Return the size of most prose characters (lines long enough to be prose, and those of items, in the usual
    colour or sentences), of all characters if there is no prose."""
    lines = [line for group in groups for line in group.lines]
    top, bottom = page.y0 + EDGE * page.height, page.y1 - EDGE * page.height
    if page.width > page.height:
        lines = [line for line in lines if top < line.box.center[1] < bottom] or lines
    items = {id(line) for group in groups if group.is_item and not group.share("bold") for line in group.lines}
    columns = (group for group in groups if len(group.lines) >= NARROW and group.share("mono") < 0.5)
    narrow = {id(line) for group in columns for line in group.lines}
    long = [line for line in lines if line.characters >= PROSE or id(line) in narrow]
    taken = {*map(id, long), *items}
    prose = [line for line in lines if id(line) in taken] if long else lines
    if not prose:
        return PageStyle(10.0, 10.0, page)
    sentences = {id(line) for group in groups if ends_sentence(group.text) for line in group.lines}
    prose = [line for line in prose if line.share("tinted") < COLOURED or id(line) in sentences] or prose
    sizes = np.array([line.size for line in prose])
    weights = np.array([line.characters for line in prose], dtype=float)
    rank = np.argsort(sizes, kind="stable")
    middle = np.searchsorted(np.cumsum(weights[rank]), weights.sum() / 2)
    body = float(sizes[rank][middle])
    # of the long lines of each size, how much of the text: two text sizes (a bibliography) are both prose
    least = TEXT_SIZE_SHARE * weights.sum() if long else np.inf
    common = [size for size in set(sizes) if weights[np.abs(sizes - size) < 0.03 * size].sum() > least]
    return PageStyle(body, max([body, *common]), page)
