"""The order of a tagged page: blocks of the tree as it says, all others at the place that geometry gives them."""

from __future__ import annotations

from collections.abc import Sequence

from docparse.types import Box

Place = tuple[int, int]


def tagged_order(boxes: Sequence[Box], places: Sequence[Place | None], geometric: Sequence[int]) -> list[int]:
    """Return the order of blocks, as indices.

    `places` are where blocks stand in the order of the tree, None for those it does not know: such a block follows
    the one right above it, or precedes the one right below. `geometric` is the order that geometry gives to all.
    """
    known = sorted((i for i, place in enumerate(places) if place is not None), key=lambda i: (places[i], i))
    if not known:
        return list(geometric)
    behind: dict[int, list[int]] = {i: [] for i in known}
    before: dict[int, list[int]] = {i: [] for i in known}
    last = None
    for i in geometric:
        if places[i] is not None:
            last = i
        elif (above := _above(boxes, known, i)) is not None:
            behind[above].append(i)
        elif (below := _below(boxes, known, i)) is not None:
            before[below].append(i)
        elif last is not None:
            behind[last].append(i)
        else:
            before[known[0]].append(i)
    return [block for i in known for block in (*before[i], i, *behind[i])]


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


def _below(boxes: Sequence[Box], known: Sequence[int], i: int) -> int | None:
    box = boxes[i]
    under = [k for k in known if boxes[k].overlap_x(box) > 0]
    return min(under, key=lambda k: (boxes[k].y0, known.index(k)), default=None)
