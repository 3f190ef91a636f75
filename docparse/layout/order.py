"""Reading order: which of the boxes on a page a person reads first, second, third.

What stands in one frame (a card, a sidebar) is read in one go: within the frame, and around it, the rest applies.
Bands across the page are found first (a full-width title, the columns under it, a full-width table); bands that
share a gutter are read column by column. What no straight cut divides (newspapers) is sorted topologically by
Breuel's two rules (T. M. Breuel, "High performance document layout analysis", SDIUT 2003).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from docparse.layout.ocr.region import Region
from docparse.pdf.content import NO_STROKES
from docparse.types import Box, union

Interval = tuple[float, float]
GUTTER = 0.6  # em: white so wide parts columns
OVER = 0.5  # em by which a box may reach over a stroke beside it: OCR is no more exact, and columns stand as near
IN_LINE = 0.7  # of the narrower of two gutters that bands over each other share
APART = 1.0  # em of white above a row of cards, at least: headings of two columns stand at one height by chance, too
MOST = 0.5  # of the height of boxes: a stroke down so much of it parts them
WHITE = 4.0  # em between the parts of two columns at most, however wide their gutter is
LABEL = 2.5  # em: labels beside text are lower
HELD = 0.8  # of a box lies in the frame that holds it: a little may hang over the edge
SIDE = 10.0  # em: letterheads are lower
MOST_INTERLOCKED = 1500  # boxes; a page of confetti beyond that is read from top to bottom


@dataclass(frozen=True)
class _Unit:
    """What is read in one go: a box, or a frame with all that it holds, in reading order."""

    box: Box
    members: tuple[int, ...]
    framed: bool = False


@dataclass(frozen=True)
class _Page:
    """The boxes being ordered; `em` is the text size that gaps are compared with, in points."""

    boxes: Sequence[Box]
    em: float
    rtl: bool
    strokes: np.ndarray
    headed: Sequence[bool] = ()  # begins with a heading
    closed: Sequence[bool] = ()  # ends with one
    framed: Sequence[bool] = ()


def reading_order(
    boxes: Sequence[Box],
    *,
    em: float = 10.0,
    rtl: bool = False,
    strokes: np.ndarray = NO_STROKES,
    frames: Sequence[Box] = (),
    headings: Sequence[bool] = (),
) -> list[int]:
    """Return the indices of `boxes` in reading order; the same boxes in any input order give the same sequence.

    `em` is the size of body text in points. `rtl` reads columns from right to left. `strokes` is float32 [n, 4], the
    horizontal and vertical lines drawn on the page: one down a gutter keeps columns together, one across parts them.
    What lies in one of `frames`, or on another box, is read together. `headings` says of each box whether it is one.
    """
    page = _Page(boxes, em, rtl, strokes, headings or [False] * len(boxes))
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
    """What holds boxes, the smallest first: frames, and boxes that others are printed on, these with their index."""
    if not boxes:
        return []
    x0, y0, x1, y1 = np.array([(b.x0, b.y0, b.x1, b.y1) for b in boxes]).T
    across = np.minimum(x1[:, None], x1) - np.maximum(x0[:, None], x0)
    down = np.minimum(y1[:, None], y1) - np.maximum(y0[:, None], y0)
    common = np.clip(across, 0, None) * np.clip(down, 0, None)
    on = common > HELD * ((x1 - x0) * (y1 - y0))[:, None]  # box `row` lies on box `column`
    on &= ~on.T  # nor do two that cover each other
    found = [(frame, -1) for frame in frames] + [(boxes[i], i) for i in np.flatnonzero(on.any(axis=0)).tolist()]
    return sorted(found, key=lambda holder: (holder[0].area, holder[0].y0, holder[0].x0, holder[0].x1))


def _read(page: _Page, units: Sequence[_Unit]) -> list[int]:
    """The members of all units in reading order."""
    boxes = [_shrunk(_beside(unit.box, page), 0.1 * page.em) for unit in units]
    canonical = sorted(range(len(boxes)), key=lambda i: (boxes[i].y0, boxes[i].x0, boxes[i].y1, boxes[i].x1))
    headed = [page.headed[unit.members[0]] for unit in units]
    closed = [page.headed[unit.members[-1]] for unit in units]
    here = _Page(boxes, page.em, page.rtl, page.strokes, headed, closed, [unit.framed for unit in units])
    return [i for k in _order(here, canonical) for i in units[k].members]


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


def _beside(box: Box, page: _Page) -> Box:
    """The box without what reaches a little over strokes that run down beside most of it."""
    x, reach = _strokes_beside(page, box.y0, box.y1), OVER * page.em
    left = x[(x > box.x0) & (x < box.x0 + reach)].max(initial=box.x0)
    right = x[(x < box.x1) & (x > box.x1 - reach)].min(initial=box.x1)
    return Box(float(left), box.y0, float(right), box.y1) if left < right else box


def _shrunk(box: Box, margin: float) -> Box:
    """A little smaller, so that boxes which merely touch do not hide the gap between them."""
    dx, dy = min(margin, box.width / 4), min(margin, box.height / 4)
    return Box(box.x0 + dx, box.y0 + dy, box.x1 - dx, box.y1 - dy)


def _order(page: _Page, items: list[int]) -> list[int]:
    if len(items) <= 1:
        return items
    bands = _bands(page, items)
    if len(bands) > 1:
        return [i for band in bands for i in _order(page, band)]
    columns = _parted(page, items, _gaps(page, items))
    if len(columns) == 2 and not page.rtl and (rows := _labelled(page, *columns)):
        return [i for row in rows for i in _order(page, row)]
    if len(columns) > 1:
        return [i for column in (reversed(columns) if page.rtl else columns) for i in _order(page, column)]
    return _topological(page, items) if len(items) <= MOST_INTERLOCKED else items


def _labelled(page: _Page, labels: list[int], others: list[int]) -> list[list[int]]:
    """The rows of a narrow column of short labels, such as dates, each level with the first box of what it belongs to;
    empty where they are none. Headings may stand between them, with nothing beside them."""
    boxes = page.boxes
    narrow = 2 * max(boxes[i].width for i in labels) < max(boxes[i].width for i in others)
    tops = [boxes[i].y0 for i in others]
    level = [i for i in labels if min(abs(boxes[i].y0 - top) for top in tops) < 0.5 * page.em]
    apart = all(
        page.headed[i] and all(boxes[i].overlap_y(boxes[k]) <= 0 for k in others) for i in set(labels) - set(level)
    )
    short = all(boxes[i].height < LABEL * page.em for i in labels)
    if not (narrow and apart and short) or len(level) < 2 or len(others) == len(level):
        return []
    starts = [boxes[i].y0 - 0.5 * page.em for i in labels]
    rows: list[list[int]] = [[] for _ in range(len(labels) + 1)]
    for i in sorted((*labels, *others), key=lambda i: boxes[i].y0):
        rows[sum(start <= boxes[i].y0 for start in starts)].append(i)
    return rows


def _bands(page: _Page, items: list[int]) -> list[list[int]]:
    """Cut at horizontal white space, then put strips back together that are rows of the same columns."""
    strips = _columned(page, _beside_stroke(page, _parted(page, items, _gaps(page, items, "y"), "y")))
    bands: list[list[int]] = []
    for last, strip in pairwise([[], *strips]):
        if bands and _same_columns(page, bands[-1], strip):
            bands[-1] += strip
            continue
        if bands and len(bands[-1]) > len(last) == 1 and page.headed[last[0]] and page.closed[last[0]]:
            bands[-1:] = [[i for i in bands[-1] if i != last[0]], last]  # a heading under the columns is of this strip
        bands.append(strip)
    return bands


def _beside_stroke(page: _Page, strips: list[list[int]]) -> list[list[int]]:
    """The strips, those beside one stroke down most of them put together, where it has boxes on both sides and none
    across: white between the questions of one column is none between those of the other."""
    items = [i for strip in strips for i in strip]
    top, bottom = min(page.boxes[i].y0 for i in items), max(page.boxes[i].y1 for i in items)
    for x0, y0, x1, y1 in page.strokes.tolist():
        if y1 - y0 <= max(x1 - x0, MOST * (bottom - top)):
            continue
        held = [any(y0 < page.boxes[i].center[1] < y1 for i in strip) for strip in strips]
        boxes = [page.boxes[i] for strip, own in zip(strips, held, strict=True) if own for i in strip]
        sides = [box.x0 >= x0 for box in boxes if box.x0 >= x0 or box.x1 <= x1]
        if sum(held) > 1 and len(sides) == len(boxes) and 0 < sum(sides) < len(sides):
            first, last = held.index(True), len(held) - held[::-1].index(True)
            return [*strips[:first], [i for strip in strips[first:last] for i in strip], *strips[last:]]
    return strips


def _columned(page: _Page, strips: list[list[int]]) -> list[list[int]]:
    """The strips, neighbours that both have columns put together where these are the same: then it is known what lies
    across a gutter that one strip alone leaves wider."""
    result: list[list[int]] = []
    for strip in strips:
        both = bool(result) and all(_gaps(page, part) for part in (result[-1], strip))
        if both and _same_columns(page, result[-1], strip):
            result[-1] = result[-1] + strip
        else:
            result.append(strip)
    return result


def _same_columns(page: _Page, upper: list[int], lower: list[int]) -> bool:
    """True where one has columns, both together still have, and no wide white band begins a new row of cards."""
    gutters = _gaps(page, upper + lower)
    above, below = _gaps(page, upper), _gaps(page, lower)
    if not gutters or not (above or below) or (above and below and not _in_line(gutters, above, below, page.em)):
        return False
    top, bottom = max(page.boxes[i].y1 for i in upper), min(page.boxes[i].y0 for i in lower)
    one, cards = not above, bottom - top > APART * page.em and _begins_cards(page, lower, gutters)
    annotated = not below and _are_sides(page, upper, above)
    annotated |= bool(_tops(page, upper, above)) and _are_crossed(above, gutters)  # figures, each over its label
    fewer = _is_row_of_cards(page, upper) and all(page.framed[i] for i in lower)  # cards of the last row
    if annotated or fewer or (cards and (one or _begins_cards(page, upper, gutters))):
        return False
    heading = one and page.closed[upper[-1]] and not _heads_later(page, upper[-1], lower, gutters)
    if heading and _tops(page, lower, gutters):
        return False  # a heading over both columns, set at the left
    if (drawn := _drawn(page, gutters, top, bottom)) is not None:
        return drawn
    widest = max(b - a for a, b in gutters)
    if bottom - top <= max(2.5 * page.em, min(1.2 * widest, WHITE * page.em)):
        return True
    return not (above and below)


def _are_crossed(gutters: Sequence[Interval], left: Sequence[Interval]) -> bool:
    """Return whether of some gutters none is `left` where boxes below reach over them."""
    return any(all(a >= d or c >= b for c, d in left) for a, b in gutters)


def _in_line(common: Sequence[Interval], above: Sequence[Interval], below: Sequence[Interval], em: float) -> bool:
    """True where two gutters share an em, or most of their width; names side by side over columns share less."""
    for start, end in common:
        around = [high - low for low, high in (*above, *below) if low <= start and end <= high]
        if end - start >= min(em, IN_LINE * min(around, default=0.0)):
            return True
    return False


def _heads_later(page: _Page, i: int, items: list[int], gutters: list[Interval]) -> bool:
    """Whether a box begins where a column of the items does that is not read first."""
    columns = _parted(page, items, gutters)
    if page.rtl:
        return any(abs(page.boxes[i].x1 - max(page.boxes[k].x1 for k in c)) < page.em for c in columns[:-1] if c)
    return any(abs(page.boxes[i].x0 - min(page.boxes[k].x0 for k in c)) < page.em for c in columns[1:] if c)


def _is_row_of_cards(page: _Page, items: list[int]) -> bool:
    """Several frames that begin and end at one height."""
    tops, bottoms = [page.boxes[i].y0 for i in items], [page.boxes[i].y1 for i in items]
    level = max(max(tops) - min(tops), max(bottoms) - min(bottoms)) < 0.5 * page.em
    return len(items) > 1 and level and all(page.framed[i] for i in items)


def _begins_cards(page: _Page, items: list[int], gutters: list[Interval]) -> bool:
    """Side by side, at one height, stand frames, or the headings of cards that have none."""
    tops = _tops(page, items, gutters)
    return bool(tops) and (all(page.framed[i] for i in tops) or all(page.headed[i] for i in tops))


def _are_sides(page: _Page, items: list[int], gutters: list[Interval]) -> bool:
    """True for a few lines at either side, as in a letterhead: they begin at one height, no heading of what follows,
    and the white between them is wider than each."""
    columns = _parted(page, items, gutters)
    if len(columns) != 2 or not _tops(page, items, gutters) or any(page.closed[column[-1]] for column in columns):
        return False
    white = gutters[0][1] - gutters[0][0]
    sides = [union(page.boxes[i] for i in column) for column in columns]
    return all(side.width < white and side.height < SIDE * page.em for side in sides)


def _tops(page: _Page, items: list[int], gutters: list[Interval]) -> list[int]:
    """The topmost item of each column where all stand at one height, else none."""
    tops = [min(column, key=lambda i: page.boxes[i].y0) for column in _parted(page, items, gutters) if column]
    highest = [page.boxes[i].y0 for i in tops]
    return tops if len(tops) > 1 and max(highest) - min(highest) < 0.5 * page.em else []


def _drawn(page: _Page, gutters: list[Interval], top: float, bottom: float) -> bool | None:
    """What a drawn line says of the boxes above `top` and below `bottom`: columns go on, they end, or None."""
    x0, y0, x1, y1 = page.strokes.T
    for left, right in gutters:
        across = (y0 >= top - page.em) & (y1 <= bottom + page.em) & (x0 < left - page.em) & (x1 > right + page.em)
        if across.any():
            return False
        down = (x0 >= left) & (x1 <= right) & (y0 < top - page.em) & (y1 > bottom + page.em)
        if down.any():
            return True
    return None


def _gaps(page: _Page, items: list[int], axis: str = "x") -> list[Interval]:
    """White strips with boxes on both sides: gutters (axis "x"), or across the page ("y"), where any white parts, as it
    does around a stroke down most of the boxes."""
    extents = sorted((getattr(page.boxes[i], axis + "0"), getattr(page.boxes[i], axis + "1")) for i in items)
    least, drawn = 0.0, NO_STROKES
    if axis == "x":
        top, bottom = min(page.boxes[i].y0 for i in items), max(page.boxes[i].y1 for i in items)
        least, drawn = GUTTER * page.em, _strokes_beside(page, top, bottom)
    gaps: list[Interval] = []
    reach = extents[0][1]
    for start, end in extents:
        if start - reach > least or ((reach < drawn) & (drawn < start)).any():
            gaps.append((reach, start))
        reach = max(reach, end)
    return gaps


def _strokes_beside(page: _Page, top: float, bottom: float) -> np.ndarray:
    """float [n]: the x of the strokes that run down most of the way from `top` to `bottom`."""
    x0, y0, x1, y1 = page.strokes.T
    common = np.minimum(y1, bottom) - np.maximum(y0, top)
    return x0[(y1 - y0 > x1 - x0) & (common > MOST * (bottom - top))]


def _parted(page: _Page, items: list[int], gaps: list[Interval], axis: str = "x") -> list[list[int]]:
    """The items between the gaps."""
    parts: list[list[int]] = [[] for _ in range(len(gaps) + 1)]
    for i in items:
        parts[sum(getattr(page.boxes[i], axis + "0") >= gap[1] for gap in gaps)].append(i)
    return parts


def _topological(page: _Page, items: list[int]) -> list[int]:
    """Breuel's order; where the rules contradict each other, the topmost, leftmost box goes first."""
    before = _before([page.boxes[i] for i in items], page.rtl)
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


def _before(boxes: Sequence[Box], rtl: bool) -> np.ndarray:
    """bool [n, n]: does box `a` (row) come before box `b` (column)?

    Rule 1: boxes that share horizontal extent are read downwards. Rule 2: a box wholly to the left comes first,
    unless a box that shares horizontal extent with both stands between them vertically.
    """
    x0, y0, x1, y1 = np.array([[b.x0, b.y0, b.x1, b.y1] for b in boxes]).T
    if rtl:
        x0, x1 = -x1, -x0
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
