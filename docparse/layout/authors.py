"""Authors side by side under the title of a paper: each stands over a column, and all are read before the columns."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, takewhile

from docparse.layout.bands import PageBoxes, gaps_of, parted
from docparse.layout.chained import chained
from docparse.types import Box

HEIGHT = 2.0  # em: authors with their addresses are higher, the label of a column is not
INSET = 2.0  # em from the margins of a column to the names over it, at least
FLUSH = 0.15  # em from its left margin to text that begins there, at most: addresses may be nearly as wide
APART = 1.0  # em of white between a row of authors and the next, at least


def authors_apart(page: PageBoxes, items: list[int]) -> list[list[int]]:
    """Return the items in parts: those down to a heading over columns, each row of the authors that are centred between
    it and the text of the columns, and the rest; all in one where there are no such authors."""
    strips = parted(page, items, gaps_of(page, items, "y"), "y") if items else []
    for first in range(1, len(strips) - 1):
        above, (title, *others), beside = strips[:first], strips[first - 1], strips[first]
        if others or not page.headed[title] or len(beside) < 2:
            continue
        under = _in_columns(page, strips[first:])
        if under and (authors := _authors(page, page.boxes[title], under)):
            rows = chained(authors, lambda row, strip: not _is_apart(page, row[-1], strip))
            parts = [above, *rows, strips[first + len(authors) :]]
            return [[i for strip in part for i in strip] for part in parts]
    return [items]


def _in_columns(page: PageBoxes, strips: Sequence[list[int]]) -> Sequence[list[int]]:
    """The first strips, as far as the white between columns goes down."""
    unions = accumulate(strips, lambda above, strip: [*above, *strip])
    return strips[: sum(1 for _ in takewhile(lambda above: gaps_of(page, above), unions))]


def _is_apart(page: PageBoxes, upper: list[int], lower: list[int]) -> bool:
    return page.around(lower).y0 - page.around(upper).y1 > APART * page.em


def _authors(page: PageBoxes, title: Box, strips: Sequence[list[int]]) -> Sequence[list[int]]:
    """The first strips under a title that reaches over the columns, where they are names over each of these and what
    stands under names. Text begins at the margin of its column or with a heading."""
    items = [i for strip in strips for i in strip]
    gutters = gaps_of(page, items)
    columns = [page.around(column) for column in parted(page, items, gutters)]

    def pieces(strip: list[int]) -> list[tuple[Box, Box]]:
        parts = zip(parted(page, strip, gutters), columns, strict=True)
        return [(page.around(part), column) for part, column in parts if part]

    def is_inside(strip: list[int]) -> bool:
        return all(box.x0 - column.x0 > FLUSH * page.em for box, column in pieces(strip))

    names = pieces(strips[0])
    inset = all(min(box.x0 - column.x0, column.x1 - box.x1) > INSET * page.em for box, column in names)
    over = any(title.x0 < left and right < title.x1 for left, right in gutters)
    found = list(takewhile(is_inside, strips))
    if not (inset and over) or len(names) < len(columns) or len(found) == len(strips):
        return []
    while found and all(page.headed[i] for i in found[-1]):
        found.pop()
    high = found and page.around([*found[0], *found[-1]]).height > HEIGHT * page.em
    return found if high else []
