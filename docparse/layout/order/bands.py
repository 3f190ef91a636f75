"""Bands across a page, and the columns in them: a full-width title, the columns under it, a full-width table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from docparse.layout.chained import chained
from docparse.pdf.content import NO_STROKES
from docparse.types import Box, union

Interval = tuple[float, float]
GUTTER = 0.6  # em: white so wide parts columns
IN_LINE = 0.7  # of the narrower of two gutters that bands over each other share
APART = 1.0  # em of white above a row of cards, at least: headings of two columns stand at one height by chance, too
MOST = 0.5  # of the height of boxes: a stroke down so much of it parts them
WHITE = 4.0  # em between the parts of two columns at most, however wide their gutter is
SIDE = 10.0  # em: letterheads are lower


@dataclass(frozen=True)
class PageBoxes:
    """The boxes being ordered; `em` is the text size that gaps are compared with, in points."""

    boxes: Sequence[Box]
    em: float
    strokes: np.ndarray
    headed: Sequence[bool] = ()  # begins with a heading
    closed: Sequence[bool] = ()  # ends with one
    framed: Sequence[bool] = ()  # is a frame, with all that it holds
    numbers: Sequence[int] = ()  # of the items that they begin with, 0 for none

    def around(self, items: Iterable[int]) -> Box:
        """Return the box around some of the boxes."""
        return union(self.boxes[i] for i in items)


def bands_of(page: PageBoxes, items: list[int]) -> list[list[int]]:
    """Cut at horizontal white space, then put strips back together that are rows of the same columns."""
    strips = parted(page, items, gaps_of(page, items, "y"), "y")
    strips = _columned(page, _beside_stroke(page, _with_columns_of_cards(page, strips)))
    bands: list[list[int]] = []
    for last, strip in pairwise([[], *strips]):
        if bands and _same_columns(page, bands[-1], strip):
            bands[-1] += strip
            continue
        if bands and len(bands[-1]) > len(last) == 1 and page.closed[last[0]]:
            bands[-1:] = [[i for i in bands[-1] if i != last[0]], last]  # a heading under the columns is of this strip
        bands.append(strip)
    return bands


def _with_columns_of_cards(page: PageBoxes, strips: list[list[int]]) -> list[list[int]]:
    """The strips, those of frames in the same columns put together where some stand at different heights: cards that
    fill column after column, and no rows."""

    def goes_on(run: list[list[int]], strip: list[int]) -> bool:
        both = [i for part in (*run, strip) for i in part]
        return all(page.framed[i] for i in both) and bool(gaps_of(page, both))

    def is_uneven(strip: list[int]) -> bool:
        gutters = gaps_of(page, strip)
        return bool(gutters) and not _tops(page, strip, gutters)

    runs = chained(strips, goes_on)
    joined = ([[i for strip in run for i in strip]] if any(map(is_uneven, run)) else run for run in runs)
    return [strip for run in joined for strip in run]


def _beside_stroke(page: PageBoxes, strips: list[list[int]]) -> list[list[int]]:
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


def _columned(page: PageBoxes, strips: list[list[int]]) -> list[list[int]]:
    """The strips, neighbours that both have columns put together where these are the same: then it is known what lies
    across a gutter that one strip alone leaves wider."""

    def goes_on(run: list[list[int]], strip: list[int]) -> bool:
        upper = [i for part in run for i in part]
        return all(gaps_of(page, part) for part in (upper, strip)) and _same_columns(page, upper, strip)

    return [[i for part in run for i in part] for run in chained(strips, goes_on)]


def _same_columns(page: PageBoxes, upper: list[int], lower: list[int]) -> bool:
    """True where both together have columns that go on."""
    gutters = gaps_of(page, upper + lower)
    return bool(gutters) and (_counts_down(page, upper, lower, gutters) or _go_on(page, upper, lower, gutters))


def _go_on(page: PageBoxes, upper: list[int], lower: list[int], gutters: list[Interval]) -> bool:
    """True where one has columns, and no wide white band begins a new row of cards."""
    above, below = gaps_of(page, upper), gaps_of(page, lower)
    if not (above or below) or (above and below and not _in_line(gutters, above, below, page.em)):
        return False
    top, bottom = max(page.boxes[i].y1 for i in upper), min(page.boxes[i].y0 for i in lower)
    one, cards = not above, bottom - top > APART * page.em and _begins_cards(page, lower, gutters)
    annotated = not below and (_are_sides(page, upper, above) or _is_between(page.around(lower), above))
    annotated |= bool(_tops(page, upper, above)) and _are_crossed(above, gutters)  # figures, each over its label
    if annotated or (cards and (one or _begins_cards(page, upper, gutters))):
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


def _counts_down(page: PageBoxes, upper: list[int], lower: list[int], gutters: list[Interval]) -> bool:
    """Return whether the numbers of items rise down column after column, and would not if what is over white between
    them were read first."""

    def rise(columns: Sequence[list[int]]) -> bool:
        found = [page.numbers[i] for column in columns for i in column if page.numbers[i]]
        return all(a < b for a, b in pairwise(found))

    if not all(any(page.numbers[i] for i in part) for part in (upper, lower)):
        return False
    columns = [sorted(column, key=lambda i: page.boxes[i].y0) for column in parted(page, upper + lower, gutters)]
    parts = (set(upper), set(lower))
    return rise(columns) and not rise([[i for i in column if i in part] for part in parts for column in columns])


def _are_crossed(gutters: Sequence[Interval], left: Sequence[Interval]) -> bool:
    """Return whether of some gutters none is `left` where boxes below reach over them."""
    return any(all(a >= d or c >= b for c, d in left) for a, b in gutters)


def _in_line(common: Sequence[Interval], above: Sequence[Interval], below: Sequence[Interval], em: float) -> bool:
    """True where two gutters share an em, or most of their width; names side by side over columns share less."""

    def least(start: float, end: float) -> float:
        around = (high - low for low, high in (*above, *below) if low <= start and end <= high)
        return min(em, IN_LINE * min(around, default=0.0))

    return any(end - start >= least(start, end) for start, end in common)


def _heads_later(page: PageBoxes, i: int, items: list[int], gutters: list[Interval]) -> bool:
    """Return whether a box begins where a column of the items does that is not read first."""
    columns = parted(page, items, gutters)
    return any(abs(page.boxes[i].x0 - min(page.boxes[k].x0 for k in c)) < page.em for c in columns[1:] if c)


def _begins_cards(page: PageBoxes, items: list[int], gutters: list[Interval]) -> bool:
    """Side by side, at one height, stand frames, or the headings of cards that have none."""
    tops = _tops(page, items, gutters)
    return bool(tops) and (all(page.framed[i] for i in tops) or all(page.headed[i] for i in tops))


def _are_sides(page: PageBoxes, items: list[int], gutters: list[Interval]) -> bool:
    """True for a few lines at either side, as in a letterhead: they begin at one height, no heading of what follows,
    and the white between them is wider than each."""
    columns = parted(page, items, gutters)
    if len(columns) != 2 or not _tops(page, items, gutters) or any(page.closed[column[-1]] for column in columns):
        return False
    white = gutters[0][1] - gutters[0][0]
    sides = [page.around(column) for column in columns]
    return all(side.width < white and side.height < SIDE * page.em for side in sides)


def _is_between(box: Box, gutters: list[Interval]) -> bool:
    """Return whether a box stands in white alone: what two names over it have in common."""
    return any(left < box.x0 and box.x1 < right for left, right in gutters)


def _tops(page: PageBoxes, items: list[int], gutters: list[Interval]) -> list[int]:
    """The topmost item of each column where all stand at one height, else none."""
    tops = [min(column, key=lambda i: page.boxes[i].y0) for column in parted(page, items, gutters) if column]
    highest = [page.boxes[i].y0 for i in tops]
    return tops if len(tops) > 1 and max(highest) - min(highest) < 0.5 * page.em else []


def _drawn(page: PageBoxes, gutters: list[Interval], top: float, bottom: float) -> bool | None:
    """Return what a drawn line says of the boxes above `top` and below `bottom`: columns go on, they end, or None."""
    x0, y0, x1, y1 = page.strokes.T
    for left, right in gutters:
        across = (y0 >= top - page.em) & (y1 <= bottom + page.em) & (x0 < left - page.em) & (x1 > right + page.em)
        if across.any():
            return False
        down = (x0 >= left) & (x1 <= right) & (y0 < top - page.em) & (y1 > bottom + page.em)
        if down.any():
            return True
    return None


def gaps_of(page: PageBoxes, items: list[int], axis: str = "x") -> list[Interval]:
    """White strips with boxes on both sides: gutters (axis "x"), or across the page ("y"), where any white parts, as it
    does around a stroke down most of the boxes, and beside a frame, whose air is inside of it."""
    framed = [bool(page.framed) and page.framed[i] for i in items]
    ends = [(getattr(page.boxes[i], axis + "0"), getattr(page.boxes[i], axis + "1")) for i in items]
    extents = sorted((*end, frame) for end, frame in zip(ends, framed, strict=True))
    least, drawn = 0.0, NO_STROKES
    if axis == "x":
        top, bottom = min(page.boxes[i].y0 for i in items), max(page.boxes[i].y1 for i in items)
        least, drawn = GUTTER * page.em, strokes_beside(page, top, bottom)
    gaps: list[Interval] = []
    reach, beside = extents[0][1:]
    for start, end, frame in extents:
        white = 0.0 if frame or beside else least
        if start - reach > white or ((reach < drawn) & (drawn < start)).any():
            gaps.append((reach, start))
        if end > reach:
            reach, beside = end, frame
    return gaps


def strokes_beside(page: PageBoxes, top: float, bottom: float) -> np.ndarray:
    """float [n]: the x of the strokes that run down most of the way from `top` to `bottom`."""
    x0, y0, x1, y1 = page.strokes.T
    common = np.minimum(y1, bottom) - np.maximum(y0, top)
    return x0[(y1 - y0 > x1 - x0) & (common > MOST * (bottom - top))]


def parted(page: PageBoxes, items: list[int], gaps: list[Interval], axis: str = "x") -> list[list[int]]:
    """The items between the gaps."""
    parts: list[list[int]] = [[] for _ in range(len(gaps) + 1)]
    for i in items:
        parts[sum(getattr(page.boxes[i], axis + "0") >= gap[1] for gap in gaps)].append(i)
    return parts
