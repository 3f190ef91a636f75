"""Authors side by side under the title of a paper: each stands over a column, and all are read before the columns."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, takewhile

from docparse.layout.chained import chained
from docparse.layout.order.bands import PageBoxes, gaps_of, parted
from docparse.types import Box

HEIGHT = 2.0  # em: authors with their addresses are higher, the label of a column is not
INSET = 2.0  # em from the margins of a column to the names over it, at least
FLUSH = 0.25  # em from its left margin to text that begins there, at most: a scan may lean, addresses be nearly as wide
APART = 1.0  # em of white between a row of authors and the next, at least


def authors_apart(page: PageBoxes, items: list[int]) -> list[list[int]]:
    """Return the items in parts: those down to a heading over columns, each row of the authors that are centred between
    it and the text of the columns, and the rest; all in one where there are no such authors."""
    strips = parted(page, items, gaps_of(page, items, "y"), "y") if items else []
    for first in range(1, len(strips) - 1):
        *others, title = strips[first - 1]
        titles = all(page.headed[i] for i in strips[first])  # of two texts
        if others or not page.headed[title] or len(strips[first]) < 2 or titles:
            continue
        if authors := _authors(page, page.boxes[title], strips[first:]):
            rows = chained(authors, lambda row, strip: _white(page, row[-1], strip) < APART * page.em)
            parts = [strips[:first], *rows, strips[first + len(authors) :]]
            return [[i for strip in part for i in strip] for part in parts]
    return [items]


def _white(page: PageBoxes, upper: list[int], lower: list[int]) -> float:
    return page.around(lower).y0 - page.around(upper).y1


def _authors(page: PageBoxes, title: Box, strips: Sequence[list[int]]) -> Sequence[list[int]]:
    """The first strips under a title that reaches over the white between columns, where they are names over each column
    and what stands under names. Text begins at the margin of its column or with a heading."""
    unions = accumulate(strips, lambda above, strip: [*above, *strip])
    held = list(takewhile(lambda above: gaps_of(page, above), unions))
    if len(held) < 2:
        return []
    gutters = gaps_of(page, held[-1])
    columns = [page.around(column) for column in parted(page, held[-1], gutters)]

    def insets(strip: list[int]) -> list[tuple[float, float]]:
        pieces = [(page.around(part), k) for k, part in enumerate(parted(page, strip, gutters)) if part]
        return [(box.x0 - columns[k].x0, columns[k].x1 - box.x1) for box, k in pieces]

    over = any(title.x0 < left and right < title.x1 for left, right in gutters)
    named = len(insets(strips[0])) == len(columns) and min(map(min, insets(strips[0]))) > INSET * page.em
    found = list(takewhile(lambda strip: min(insets(strip))[0] > FLUSH * page.em, strips[: len(held)]))
    if not (over and named) or len(found) == len(held):
        return []
    while found and all(page.headed[i] for i in found[-1]):
        found.pop()
    high = found and page.around([*found[0], *found[-1]]).height > HEIGHT * page.em
    return found if high else []
