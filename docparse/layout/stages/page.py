"""The page as a whole: the order in which its blocks are read, and the pictures cut out of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from docparse.layout.blocks import crops, with_image_names
from docparse.layout.order import ranked, reading_order
from docparse.layout.state import PageState
from docparse.layout.tagged.ordering import tagged_order
from docparse.layout.text.turned import is_vertical
from docparse.pdf.structure import NONE
from docparse.types import Block, Category


def order(state: PageState) -> PageState:
    """Put everything into reading order: headers, body, footers."""
    body = state.body
    boxes = [block.box for block in body]
    headings = [block.category is Category.SECTION_HEADER for block in body]
    rtl = sum(line.rtl for line in state.lines) > len(state.lines) / 2 or is_vertical(state.words)
    em, strokes = state.page_style.body, _between_blocks(state)
    found = reading_order(boxes, em=em, rtl=rtl, strokes=strokes, frames=state.frames, headings=headings)
    found = tagged_order(boxes, _places(body, state), ranked(boxes, found, state.regions))
    return replace(state, blocks=state.framed([body[i] for i in found]))


def wants_images(state: PageState) -> bool:
    return state.settings.images != "none"


def images(state: PageState) -> PageState:
    """Cut out pictures, and formulas that could not be read."""
    content = state.content
    blocks = with_image_names(state.blocks, content.number)
    return replace(state, blocks=blocks, assets=crops(blocks, lambda: content.render(state.settings.resolution)))


def _between_blocks(state: PageState) -> np.ndarray:
    """The strokes of the page; those inside tables part nothing."""
    strokes = state.rulings
    for box in (table.box.padded(2) for table in state.tables):
        inside = (strokes >= (box.x0, box.y0, box.x0, box.y0)) & (strokes <= (box.x1, box.y1, box.x1, box.y1))
        strokes = strokes[~inside.all(axis=1)]
    return strokes


def _places(body: Sequence[Block], state: PageState) -> list[tuple[int, int] | None]:
    """Where each block stands in the order of the structure tree; None where the tree does not know it."""
    known = {id(block): place for block, place in state.places}
    for group, block in zip(state.groups, state.texts, strict=True):
        if state.plan.of_group(group) != NONE:
            known[id(block)] = state.plan.start(group.lines)
    return [known.get(id(block)) for block in body]
