"""The page as a whole: the order in which its blocks are read, and the pictures cut out of it.

On a tagged page blocks stand as the tree says, and all others at the place that geometry gives them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from statistics import median

import numpy as np

from docparse.layout.blocks import crops, with_image_names
from docparse.layout.order.reading_order import ranked, reading_order
from docparse.layout.state import PageState
from docparse.layout.text.answers import answers_together
from docparse.layout.text.endings import PROOFS, PROVED, column_of, is_at_edge
from docparse.layout.text.markers import readings
from docparse.pdf.structure import NONE
from docparse.types import Block, Box, Category, corners, union

Place = tuple[int, int]
COUNTED = ("1.", "1、")  # the kinds of markers that number a question


def order(state: PageState) -> PageState:
    """Put everything into reading order: headers, body, footers."""
    body = state.body
    boxes = [_in_column(block) for block in body]
    units = proofs_together(answers_together(body), body)
    whole = [union(boxes[i] for i in unit) for unit in units]
    headings = [body[unit[0]].category is Category.SECTION_HEADER for unit in units]
    numbers = [_number(body[unit[0]]) for unit in units]
    rtl = sum(line.rtl for line in state.lines) > len(state.lines) / 2
    em, strokes = state.page_style.body, _between_blocks(state)
    found = reading_order(
        whole, em=em, rtl=rtl, strokes=strokes, frames=state.frames, headings=headings, numbers=numbers
    )
    found = [i for k in ranked(whole, found, state.regions) for i in units[k]]
    found = tagged_order(boxes, _places(body, state), found)
    return replace(state, blocks=state.framed([body[i] for i in found]))


def _in_column(block: Block) -> Box:
    """The box of a block; that of code is as wide as its usual line, as long ones may run over a gutter."""
    box = block.box
    if block.category is not Category.CODE:
        return box
    lengths = [len(line) for line in block.text.split("\n") if line]
    return Box(box.x0, box.y0, box.x0 + box.width * median(lengths) / max(lengths), box.y1)


def proofs_together(units: Sequence[list[int]], body: Sequence[Block]) -> list[list[int]]:
    """Return the units, each box that ends a proof with the lowest that stands beside or over it in its column."""
    marks = {i for i, block in enumerate(body) if block.text in PROVED}
    if len(marks) > PROOFS:
        return list(units)
    found = {unit[0]: [*unit] for unit in units if marks.isdisjoint(unit)}
    boxes = {first: union(body[i].box for i in unit) for first, unit in found.items()}
    for i in sorted(marks):
        mark = body[i].box
        column = column_of(mark, list(boxes.values()))
        beside = [*boxes.values(), *(body[k].box for k in marks - {i})]
        before = Box(column.x0, -math.inf, mark.x1, mark.center[1])
        over = [k for k, box in boxes.items() if box.intersection(before) > 0]
        over = over if is_at_edge(mark, column, beside) else []
        ended = max(over, key=lambda k: boxes[k].y1, default=None)
        if ended is None:
            found[i] = [i]
        else:
            found[ended].append(i)
    return list(found.values())


def _number(block: Block) -> int:
    """The number of the item that a block begins; 0 for another marker, or none."""
    return next((number for kind, number in readings(block.marker) if kind in COUNTED), 0)


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
    for x0, y0, x1, y1 in (corners(table.box.padded(2)) for table in state.tables):
        strokes = strokes[~((strokes >= (x0, y0, x0, y0)) & (strokes <= (x1, y1, x1, y1))).all(axis=1)]
    return strokes


def _places(body: Sequence[Block], state: PageState) -> list[Place | None]:
    """Return where each block stands in the order of the structure tree; None where the tree does not know it."""
    known = {id(block): place for block, place in state.places}
    for group, block in zip(state.groups, state.texts, strict=True):
        if state.plan.of_group(group) != NONE:
            known[id(block)] = state.plan.start(group.lines)
    return [known.get(id(block)) for block in body]


def tagged_order(boxes: Sequence[Box], places: Sequence[Place | None], geometric: Sequence[int]) -> list[int]:
    """Return the order of blocks, as indices.

    `places` are where blocks stand in the order of the tree, None for those it does not know: such a block follows
    the one right above it, or the last one in `geometric`, the order that geometry gives to all.
    """
    known = sorted((i for i, place in enumerate(places) if place is not None), key=lambda i: (places[i], i))
    if not known:
        return list(geometric)
    behind: dict[int, list[int]] = {i: [] for i in known}
    last, first = None, []
    for i in geometric:
        if places[i] is not None:
            last = i
        elif (above := _above(boxes, known, i)) is not None:
            behind[above].append(i)
        elif last is not None:
            behind[last].append(i)
        else:
            first.append(i)
    return [*first, *(block for i in known for block in (i, *behind[i]))]


def _above(boxes: Sequence[Box], known: Sequence[int], i: int) -> int | None:
    """The lowest of the known blocks over block `i`; of several the last in order."""
    box = boxes[i]
    over = [k for k in known if boxes[k].overlap_x(box) > 0 and boxes[k].center[1] < box.center[1]]
    lowest = max(over, key=lambda k: (boxes[k].y1, known.index(k)), default=None)
    if lowest is None:
        return None
    between = boxes[lowest] | box  # a short line may stand between the two and under neither
    inner = [k for k in known if boxes[k].inside(between) > 0.9 and boxes[k].y1 <= box.y0 + 0.1 * box.height]
    return max((lowest, *inner), key=lambda k: (boxes[k].y1, known.index(k)))
