"""What is normal on a page: the size, weight and font of its running text, against which headings stand out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from docparse.layout.text.groups import Group
from docparse.layout.text.wording import ends_sentence
from docparse.types import Box

HEADING_SIZE = 1.12  # times the size of prose
NOISY_HEADING_SIZE = 1.35  # the same where OCR measured the sizes
PROSE = 25  # characters: a line at least this long is prose
NARROW = 4  # lines: a paragraph of so many is prose however short its lines, as in the columns of a newspaper
TEXT_SIZE_SHARE = 0.2  # of the text: a size that so much of it has is a text size
ITALIC = 0.3  # of the running text
EDGE = 0.08  # of the height of a slide, where running heads stand, often the longest lines on it
COLOURED = 0.9  # of a line's characters in another colour than the page's text: a heading or a link


@dataclass(frozen=True)
class PageStyle:
    """What is normal on this page.

    `body` is the middle size of running text in points, `prose` the largest size that a good part of the text has;
    `bold` says that running text is set in bold, `italic` that a good part of it is in italics, as theorems are,
    `letters` that the parts of the page, as of an index, have letters. `font` is the name of the usual one, "" on
    pixels.
    """

    body: float
    prose: float
    heading: float  # times the prose size from which a line looks like a heading
    bold: bool
    page: Box
    letters: bool = False
    italic: bool = False
    font: str = ""

    @property
    def noisy(self) -> bool:
        """Return whether sizes were measured on pixels, where nothing tells italics either."""
        return self.heading > HEADING_SIZE


def page_style(groups: Sequence[Group], page: Box, *, noisy: bool = False) -> PageStyle:
    """Return the size of most prose characters (lines long enough to be prose, and those of items, in the usual
    colour or sentences), of all characters if there is no prose."""
    heading = NOISY_HEADING_SIZE if noisy else HEADING_SIZE
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
        return PageStyle(10.0, 10.0, heading, False, page)
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
    running = [group for group in groups if len(group.lines) > 1 or ends_sentence(group.text)]  # no headings
    text = sum(group.characters for group in running)
    bold = sum(group.share("bold") * group.characters for group in running) > 0.5 * text
    words = (word for group in running for line in group.lines for word in line.words)
    slanted = sum(len(word.text) for word in words if word.italic and not word.math)
    initials = [group.text for group in groups if len(group.text) == 1 and group.text.isupper()]
    letters = len(initials) > 1 and len(set(initials)) == len(initials)
    fonts = Counter[str]()
    for line in prose:
        fonts[line.main.font] += line.characters
    font = fonts.most_common(1)[0][0]
    return PageStyle(body, max([body, *common]), heading, bold, page, letters, slanted > ITALIC * text, font)
