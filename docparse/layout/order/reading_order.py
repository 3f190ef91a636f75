"""Reading order: which of the boxes on a page a person reads first, second, third.

What stands in one frame (a card, a sidebar) is read in one go: within the frame, and around it, the rest applies.
Bands across the page are found first (a full-width title, the columns under it, a full-width table); bands that
share a gutter are read column by column. What no straight cut divides (newspapers) is sorted topologically by
Breuel's two rules (T. M. Breuel, "High performance document layout analysis", SDIUT 2003).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from docparse.layout.geometry import corners_of
from docparse.layout.ocr.region import Region
from docparse.layout.order.authors import authors_apart
from docparse.layout.order.bands import PageBoxes, bands_of, gaps_of, parted, strokes_beside
from docparse.pdf.content import NO_STROKES
from docparse.types import Box

OVER = 0.5  # em by which a box may reach over a stroke beside it: OCR is no more exact, and columns stand as near
LABEL = 2.5  # em: labels beside text are lower
HELD = 0.8  # of a box lies in the frame that holds it: a little may hang over the edge
MOST_INTERLOCKED = 1500  # boxes; a page of confetti beyond that is read from top to bottom


@dataclass(frozen=True)
class _Unit:
    """A part of the page that is read in one go: a box, or a frame with all that it holds, in reading order."""

    box: Box
    members: tuple[int, ...]
    framed: bool = False


def reading_order(
    boxes: Sequence[Box],
    *,
    em: float = 10.0,
    rtl: bool = False,
    strokes: np.ndarray = NO_STROKES,
    frames: Sequence[Box] = (),
    headings: Sequence[bool] = (),
    numbers: Sequence[int] = (),
) -> list[int]:
    """Return the indices of `boxes` in reading order; the same boxes in any input order give the same sequence.

    `em` is the size of body text in points. `rtl` reads columns from right to left. `strokes` is float32 [n, 4], the
    horizontal and vertical lines drawn on the page: one down a gutter keeps columns together, one across parts them.
    What lies in one of `frames`, or on another box, is read together. `headings` says of each box whether it is one,
    `numbers` which item it begins, 0 for none: they rise down the columns.
    """
    if rtl:  # columns of the page in a mirror are read from left to right
        boxes, frames = ([Box(-box.x1, box.y0, -box.x0, box.y1) for box in each] for each in (boxes, frames))
        strokes = strokes[:, [2, 1, 0, 3]] * (-1, 1, -1, 1)
    headed = headings or [False] * len(boxes)
    page = PageBoxes(boxes, em, strokes, headed, numbers=numbers or [0] * len(boxes))
    units = [_Unit(box, (i,)) for i, box in enumerate(boxes)]
    for frame, own in _holders(boxes, frames):
        inside = [unit for unit in units if unit.box.inside(frame) > HELD]
        under = [unit for unit in inside if own in unit.members]  # a picture is read before the words printed on it
        rest = [unit for unit in inside if own not in unit.members]
        if rest:
            members = [*(i for unit in under for i in unit.members), *_read(page, rest)]
            outside = [unit for unit in units if unit.box.inside(frame) <= HELD]
            units = [*outside, _Unit(frame, tuple(members), framed=True)]
    return _read(page, units)


def _holders(boxes: Sequence[Box], frames: Sequence[Box]) -> list[tuple[Box, int]]:
    """Return what holds boxes, the smallest first: frames, and boxes that others are printed on, these with their
    index."""
    if not boxes:
        return []
    x0, y0, x1, y1 = corners_of(boxes).T
    across = np.minimum(x1[:, None], x1) - np.maximum(x0[:, None], x0)
    down = np.minimum(y1[:, None], y1) - np.maximum(y0[:, None], y0)
    common = np.clip(across, 0, None) * np.clip(down, 0, None)
    on = common > HELD * ((x1 - x0) * (y1 - y0))[:, None]  # box `row` lies on box `column`
    on &= ~on.T  # nor do two that cover each other
    found = [(frame, -1) for frame in frames] + [(boxes[i], i) for i in np.flatnonzero(on.any(axis=0)).tolist()]
    return sorted(found, key=lambda holder: (holder[0].area, holder[0].y0, holder[0].x0, holder[0].x1))


def _read(page: PageBoxes, units: Sequence[_Unit]) -> list[int]:
    """The members of all units in reading order."""
    boxes = [_shrunk(_beside(unit.box, page), 0.1 * page.em) for unit in units]
    canonical = sorted(range(len(boxes)), key=lambda i: (boxes[i].y0, boxes[i].x0, boxes[i].y1, boxes[i].x1))
    headed = [page.headed[unit.members[0]] for unit in units]
    closed = [page.headed[unit.members[-1]] for unit in units]
    numbers = [page.numbers[unit.members[0]] for unit in units]
    here = PageBoxes(boxes, page.em, page.strokes, headed, closed, [unit.framed for unit in units], numbers)
    order = [k for part in authors_apart(here, canonical) for k in _order(here, part)]
    return [i for k in order for i in units[k].members]


def ranked(boxes: Sequence[Box], order: Sequence[int], regions: Sequence[Region]) -> list[int]:
    """Return the indices in `order`, sorted by the reading position of the detected region each box lies in.

    For detectors that order their regions. A box in no region stays behind the box it followed in `order`.
    """
    placed = [region for region in regions if region.order >= 0]
    ranks: dict[int, int] = {}
    last = -1
    for i in order:
        home = max(placed, key=lambda region: boxes[i].intersection(region.box), default=None)
        if home is not None and boxes[i].inside(home.box) > 0.5:
            last = home.order
        ranks[i] = last
    return sorted(order, key=ranks.__getitem__)


def _beside(box: Box, page: PageBoxes) -> Box:
    """The box without what reaches a little over strokes that run down beside most of it."""
    x, reach = strokes_beside(page, box.y0, box.y1), OVER * page.em
    left = x[(x > box.x0) & (x < box.x0 + reach)].max(initial=box.x0)
    right = x[(x < box.x1) & (x > box.x1 - reach)].min(initial=box.x1)
    return Box(float(left), box.y0, float(right), box.y1) if left < right else box


def _shrunk(box: Box, margin: float) -> Box:
    """A little smaller, so that boxes which merely touch do not hide the gap between them."""
    dx, dy = min(margin, box.width / 4), min(margin, box.height / 4)
    return Box(box.x0 + dx, box.y0 + dy, box.x1 - dx, box.y1 - dy)


def _order(page: PageBoxes, items: list[int]) -> list[int]:
    if len(items) <= 1:
        return items
    bands = bands_of(page, items)
    if len(bands) > 1:
        return [i for band in bands for i in _order(page, band)]
    columns = parted(page, items, gaps_of(page, items))
    if len(columns) == 2 and (rows := _labelled(page, *columns)):
        return [i for row in rows for i in _order(page, row)]
    if len(columns) > 1:
        return [i for column in columns for i in _order(page, column)]
    return _topological(page, items) if len(items) <= MOST_INTERLOCKED else items


def _labelled(page: PageBoxes, labels: list[int], others: list[int]) -> list[list[int]]:
    """The rows of a narrow column of short labels, such as dates, or of nothing but headings, each level with the first
    box of what it belongs to; empty where they are none. Headings may stand between them, with nothing beside them."""
    boxes = page.boxes
    narrow = 2 * max(boxes[i].width for i in labels) < max(boxes[i].width for i in others)
    narrow |= all(page.headed[i] for i in labels)
    tops = [boxes[i].y0 for i in others]
    level = [i for i in labels if min(abs(boxes[i].y0 - top) for top in tops) < 0.5 * page.em]
    between = set(labels) - set(level)
    apart = all(page.headed[i] and all(boxes[i].overlap_y(boxes[k]) <= 0 for k in others) for i in between)
    short = all(boxes[i].height < LABEL * page.em for i in labels)
    if not (narrow and apart and short) or len(level) < 2 or len(others) == len(level):
        return []
    starts = [boxes[i].y0 - 0.5 * page.em for i in labels]
    rows: list[list[int]] = [[] for _ in range(len(labels) + 1)]
    for i in sorted((*labels, *others), key=lambda i: boxes[i].y0):
        rows[sum(start <= boxes[i].y0 for start in starts)].append(i)
    rows = [row for row in rows if row]
    return rows if len(rows) > 1 else []  # labels at one height are no column of them


def _topological(page: PageBoxes, items: list[int]) -> list[int]:
    """Breuel's order; where the rules contradict each other, the topmost, leftmost box goes first."""
    before = _before([page.boxes[i] for i in items])
    waiting = before.sum(axis=0)  # how many boxes must still come before each one
    result: list[int] = []
    for _ in items:
        first = int(np.argmin(waiting))  # argmin takes the earliest of equals, and `items` are in canonical order
        result.append(items[first])
        waiting = waiting - before[first]
        waiting[first] = np.iinfo(waiting.dtype).max
        before[first] = False
        before[:, first] = False
    return result


def _before(boxes: Sequence[Box]) -> np.ndarray:
    """bool [n, n]: does box `a` (row) come before box `b` (column)?

    Rule 1: boxes that share horizontal extent are read downwards. Rule 2: a box wholly to the left comes first,
    unless a box that shares horizontal extent with both stands between them vertically.
    """
    x0, y0, x1, y1 = corners_of(boxes).T
    middle = (y0 + y1) / 2
    common = np.minimum(x1[:, None], x1) - np.maximum(x0[:, None], x0)
    shares = common > 0.1 * np.minimum(x1 - x0, (x1 - x0)[:, None])
    rank = np.lexsort((np.arange(len(boxes)), middle)).argsort()
    above = rank[:, None] < rank
    left = (x1[:, None] <= x0) & ~shares
    for a in range(len(boxes)):
        if not left[a].any():
            continue
        between = np.flatnonzero(shares[a])
        low, high = np.minimum(middle[a], middle), np.maximum(middle[a], middle)
        parted = shares[between] & (middle[between, None] > low) & (middle[between, None] < high)
        left[a] &= ~parted.any(axis=0)
    before = (shares & above) | left
    np.fill_diagonal(before, False)
    return before
