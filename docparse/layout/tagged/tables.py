"""Tables that the tree names, row by row and cell by cell, where the page bears them out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from math import inf

import msgspec

from docparse.layout.chained import grouped
from docparse.layout.code.listing import line_ends
from docparse.layout.document.hyphens import SOFT
from docparse.layout.tables.build import Slot
from docparse.layout.tables.header import mark_header
from docparse.layout.tables.ink import Ink
from docparse.layout.tagged.plan import Plan
from docparse.layout.text.inline import spans_of
from docparse.layout.text.line_finding import lines_of
from docparse.layout.text.words import Word
from docparse.pdf.structure import NONE, Element, Structure
from docparse.types import Block, Box, Category, Cell, Source, Spans, Table, union

ROW_PARTS = ("THead", "TBody", "TFoot")


@dataclass(frozen=True)
class TaggedTable:
    """A table as a block, the words that it takes, and its place in the order of the tree."""

    block: Block
    words: Sequence[Word]
    place: tuple[int, int]


def tagged_tables(plan: Plan, words: Sequence[Word], source: Source, *, scripts: bool) -> list[TaggedTable]:
    """Return the tables of the tree that are tables on the page too; `words` are those of the page, upright."""
    tables = _tables_of(plan.structure)
    cells = {cell for rows in tables for row in rows for cell in row}
    held = ((plan.units[unit].cell, word) for word in words if (unit := plan.of(word)) != NONE)
    of_cell = grouped((cell, word) for cell, word in held if cell in cells)
    found = []
    for rows in (_across(rows, of_cell) for rows in tables):
        inside = [word for row in rows for cell in row for word in of_cell.get(cell, ())]
        own = _once(rows, of_cell)
        if _is_table(plan, rows, own):
            table = _table(plan, rows, own, scripts=scripts)
            box = union(word.box for row in rows for cell in row for word in own.get(cell, ()))
            block = Block(category=Category.TABLE, box=box.rounded(), table=table, source=source)
            found.append(TaggedTable(block, inside, min(map(plan.place, inside))))
    return found


def _tables_of(structure: Structure) -> list[list[list[int]]]:
    """The tables of a tree, with the cells of every row as elements. A table around another one is a frame, and no
    table."""
    tables: dict[int, list[list[int]]] = {}
    rows: dict[int, list[int]] = {}
    frames: set[int] = set()
    for index, element in enumerate(structure.elements):
        if element.kind == "Table":
            tables[index] = []
            frames.update(structure.up(element.parent))
        elif element.kind == "TR":
            table, outer, *_ = (*structure.up(element.parent), NONE, NONE)
            if table != NONE and structure.elements[table].kind in ROW_PARTS:
                table = outer
            if table in tables:
                rows[index] = []
                tables[table].append(rows[index])
        elif element.parent in rows:  # an element that is no cell is a cell without words
            rows[element.parent].append(index)
    return [table for index, table in tables.items() if index not in frames]


def _once(rows: Sequence[Sequence[int]], words: dict[int, list[Word]]) -> dict[int, list[Word]]:
    """The words of each cell, those of a head that is printed again over the rest of the table left out: beside it, in
    the next column of the page."""
    result = dict(words)
    for row in rows:
        halves = [(said[: len(said) // 2], said[len(said) // 2 :]) for cell in row if (said := words.get(cell))]
        again = all([a.text for a in half] == [b.text for b in rest] for half, rest in halves)
        if len(halves) > 1 and again and _are_beside(*zip(*halves, strict=True)):
            result |= {cell: words[cell][: len(words[cell]) // 2] for cell in row if cell in words}
    return result


def _across(rows: Sequence[list[int]], words: dict[int, list[Word]]) -> list[list[int]]:
    """The rows, the cells with words of each in the order in which they stand, from the left or, as most pairs of them,
    from the right: some files name them in another one."""
    places = {cell: min(word.box.x0 for word in words[cell]) for row in rows for cell in row if cell in words}
    held = [[cell for cell in row if cell in places] for row in rows]
    steps = [places[b] - places[a] for own in held for a, b in pairwise(own)]
    leftward = 2 * sum(step < 0 for step in steps) > len(steps)
    ordered = (iter(sorted(own, key=places.__getitem__, reverse=leftward)) for own in held)
    return [[next(own) if cell in places else cell for cell in row] for row, own in zip(rows, ordered, strict=True)]


def _are_beside(one: Sequence[Sequence[Word]], other: Sequence[Sequence[Word]]) -> bool:
    """Return whether words of some cells and others stand in different columns of the page."""
    left, right = (union(word.box for said in half for word in said) for half in (one, other))
    return left.overlap_x(right) <= 0


def _is_table(plan: Plan, rows: Sequence[Sequence[int]], words: dict[int, list[Word]]) -> bool:
    """More than one cell, no headings in them; rows go down, cells go across."""
    cells = {cell for row in rows for cell in row if cell in words}
    if len(cells) < 2 or any(plan.kinds[i] == "heading" and unit.cell in cells for i, unit in enumerate(plan.units)):
        return False
    boxes = [[union(word.box for word in words[cell]) for cell in row if cell in words] for row in rows]
    boxes = [row for row in boxes if row]
    down = [b[0].y1 > a[0].y0 or b[0].x0 > a[-1].x1 for a, b in pairwise(boxes)]  # or in the next column
    pairs = [pair for row in boxes for pair in pairwise(row)]
    across = all(left.overlap_x(right) < 0.5 * min(left.width, right.width) for left, right in pairs)
    return all(down) and across


def _table(plan: Plan, rows: Sequence[Sequence[int]], words: dict[int, list[Word]], *, scripts: bool) -> Table:
    elements = plan.structure.elements
    boxes = {cell: union(word.box for word in words[cell]) for row in rows for cell in row if cell in words}
    places = _places(elements, rows, boxes, _extents(_places(elements, rows, boxes), boxes))
    places = _without_bare_sides(places, boxes)
    columns = max(place.column + place.colspan for place in places)
    own = [words.get(place.element, ()) for place in places]
    spans = [_spans(said, scripts=scripts) for said in own]
    cells = [
        Cell(p.row, p.column, said, p.rowspan, p.colspan, elements[p.element].kind == "TH")
        for p, said in zip(places, spans, strict=True)
    ]
    if not any(cell.header for cell in cells):
        cells = _with_header(cells, own)
    return Table(rows=len(rows), columns=columns, cells=tuple(cells))


def _spans(words: Sequence[Word], *, scripts: bool) -> Spans:
    """The text of a cell."""
    lines = lines_of(words) if words else []
    return spans_of(lines, scripts=scripts, divided=SOFT, ended=line_ends([line.words for line in lines]))


@dataclass(frozen=True, slots=True)
class _Place:
    """The place in the grid of a cell, an element of the tree."""

    element: int
    row: int
    column: int
    rowspan: int
    colspan: int


def _without_bare_sides(places: Sequence[_Place], boxes: dict[int, Box]) -> list[_Place]:
    """The places without the columns at the sides that no cell with words needs: Word tags the indent of a row as an
    empty cell."""
    worded = [p for p in places if p.element in boxes]
    left, right = min(p.column + p.colspan for p in worded) - 1, max(p.column for p in worded) + 1
    if right - left < 2:  # one column alone is no table
        return list(places)
    kept = []
    for p in places:
        first, end = max(p.column, left), min(p.column + p.colspan, right)
        if first < end:
            kept.append(replace(p, column=first - left, colspan=end - first))
    return kept


def _extents(places: Sequence[_Place], boxes: dict[int, Box]) -> list[tuple[float, float]]:
    """Return where the words of each column begin and end, in the rows that fill all columns; (inf, -inf) where none
    tells."""
    covered = Counter(p.row + k for p in places for k in range(p.rowspan) for _ in range(p.colspan))
    found = [(inf, -inf)] * max(p.column + p.colspan for p in places)
    for p in places:
        if p.colspan == 1 and covered[p.row] == len(found) and p.element in boxes:
            (start, end), box = found[p.column], boxes[p.element]
            found[p.column] = min(start, box.x0), max(end, box.x1)
    return found


def _is_left_of(column: int, box: Box, extents: Sequence[tuple[float, float]]) -> bool:
    """Return whether words are of a later column: behind the end of this one, or where none is known in one that is."""
    if extents[column][1] > -inf:
        return extents[column][1] <= box.x0
    return any(start < box.x1 and box.x0 < end for start, end in extents[column + 1 :])


def _places(
    elements: Sequence[Element],
    rows: Sequence[Sequence[int]],
    boxes: dict[int, Box],
    extents: Sequence[tuple[float, float]] = (),
) -> list[_Place]:
    """The grid, as HTML lays it out: each cell goes to the next free place of its row. In a row of fewer cells than
    places (Chromium names no empty cells without borders) it is the next one whose column, of these `extents`, does
    not lie left of its words."""
    taken: set[tuple[int, int]] = set()
    places = []
    for y, row in enumerate(rows):
        missing = sum((y, x) not in taken for x in range(len(extents))) - sum(elements[index].colspan for index in row)
        x = 0
        for index in row:
            while (y, x) in taken or (missing > 0 and index in boxes and _is_left_of(x, boxes[index], extents)):
                missing -= (y, x) not in taken
                x += 1
            rowspan = min(elements[index].rowspan, len(rows) - y)
            colspan = elements[index].colspan
            while any((y, column) in taken for column in range(x, x + colspan)):
                colspan -= 1
            taken |= {(y + dy, x + dx) for dy in range(rowspan) for dx in range(colspan)}
            places.append(_Place(index, y, x, rowspan, colspan))
            x += colspan
    return places


def _with_header(cells: Sequence[Cell], words: Sequence[Sequence[Word]]) -> list[Cell]:
    """The cells, with the header that the look of the table tells: the tree names none."""
    ink = Ink.of([word for cell in words for word in cell])
    places = iter(range(len(ink.words)))
    own = [list(islice(places, len(cell))) for cell in words]
    slots = [Slot(c.row, c.column, c.rowspan, c.colspan, at) for c, at in zip(cells, own, strict=True)]
    mark_header(ink, slots)
    return [msgspec.structs.replace(cell, header=slot.header) for cell, slot in zip(cells, slots, strict=True)]


def holds_together(plan: Plan, words: Sequence[Word], taken: Sequence[int]) -> bool:
    """Return whether the tree holds together what a table would part. `taken` are the words of a table that geometry
    found.

    A heading, an item or a caption is no cell; nor is a paragraph of which the table has but a part.
    """
    inside = [unit for i in taken if (unit := plan.of(words[i])) != NONE]
    if any(plan.kinds[unit] not in ("text", "free") for unit in inside):
        return True
    chosen = set(taken)
    beside = {plan.of(word) for i, word in enumerate(words) if i not in chosen}
    return any(plan.kinds[unit] != "free" and unit in beside for unit in inside)
