"""Endings: dates or prices that stand at the right edge of a column, on the line that they belong to, and the boxes
that end proofs."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace

from docparse.layout.text.groups import Group
from docparse.layout.text.lines import Line
from docparse.layout.text.stacks import BaselineRows, joined
from docparse.layout.text.wording import count_words
from docparse.layout.text.words import LEVEL
from docparse.types import Box

DASH = re.compile(r"(?<=\s)[–—-]\s")
YEARS = re.compile(r"(?:19|20)\d\d(?:\s?[–—-]\s?(?:19|20)?\d\d)?")
DATED = re.compile(r"(?:19|20)\d\d(?:\s?[–—-]\s?[^\W\d_]+\.?)?$")  # 2019, or 2019 – present
LONGEST = 4  # words
APART = 1.5  # em from the line before it at least
EDGE = 0.4  # em between edges that agree
ALONE = 2.2  # em over and under it in which nothing else stands that is no part of the column on its left
PROVED = frozenset("□■◻◼∎")  # at the end of a proof
PROOFS = 12  # of a page at most: more such boxes are to tick, or a pattern
NEAR = 3.0  # em from a box to the words that say what it stands for
ALIKE = 0.15  # share by which sizes of the line and its ending differ


def joined_endings(lines: Sequence[Line]) -> list[Line]:
    """Return the lines from top to bottom, every short piece at the right edge as one with the line on its left.

    Two or more that end at one edge, each alone at its height or in a stack that is ragged on the left, and apart from
    the next, are no column of their own; the lines that they end begin where others do. A year is an ending, too, where
    one ends a whole line at the same edge. Of three and more pieces in a row, as the answers to choose from, none is
    one. The first and the last row of a page are left as they are: running titles and page numbers stand so, too.
    """
    rows = BaselineRows(lines)
    found = {j: i for j in range(len(lines)) if (i := _line_of(lines, rows, j)) is not None}
    ended = set(found.values())
    pairs = {j: i for j, i in found.items() if i not in found and j not in ended}
    dated = {k for k, line in enumerate(lines) if DATED.search(line.text)}
    of_kind = {j: {*pairs, *(dated if j in dated else ())} for j in pairs}
    ends = {j: i for j, i in pairs.items() if any(_are_entries(lines[j], lines[k]) for k in of_kind[j])}
    return joined(lines, [(i, j) for j, i in ends.items()])


def _line_of(lines: Sequence[Line], rows: BaselineRows, j: int) -> int | None:
    """The line that ends with this piece, if it is an ending."""
    piece, i = lines[j], rows.before(j)
    if i is None or piece.rtl or _is_long(piece):
        return None
    line = lines[i]
    if piece.box.x0 - line.box.x1 < APART * piece.size or abs(line.size - piece.size) > ALIKE * line.size:
        return None
    begin = (other.box.x0 for k, other in enumerate(lines) if k != i)
    if rows.is_outermost(j) or not any(abs(x - line.box.x0) < EDGE * line.size for x in begin):
        return None
    over = [other for k, other in enumerate(lines) if k != j and other.box.overlap_x(piece.box) > 0]
    beside = [other for other in over if other.box.x0 >= line.box.x1]
    near = [other for other in beside if abs(other.baseline - piece.baseline) < ALONE * piece.size]
    if not all(_is_ragged(piece, other) and rows.before(lines.index(other)) is not None for other in near):
        return None
    below = min((o for o in over if o.baseline > piece.baseline), key=lambda o: o.baseline, default=None)
    heads = below is not None and below in beside and _is_long(below)
    return None if heads else i  # else it is the heading of a card or of a column


def _are_entries(one: Line, other: Line) -> bool:
    """Return whether two endings at one edge are of two entries."""
    return _agree(one, other) and abs(one.baseline - other.baseline) > ALONE * one.size


def _is_long(piece: Line) -> bool:
    return count_words(DASH.sub("", piece.text)) > LONGEST


def _is_ragged(piece: Line, other: Line) -> bool:
    """A place over a date: they end at one edge and begin at two, as the lines of no column do."""
    unlike = abs(piece.box.x0 - other.box.x0) > EDGE * piece.size or piece.main.italic != other.main.italic
    worded = all(any(map(str.isalpha, each.text)) or YEARS.fullmatch(each.text) for each in (piece, other))
    return _agree(piece, other) and unlike and worded


def _agree(piece: Line, other: Line) -> bool:
    return abs(piece.box.x1 - other.box.x1) < EDGE * piece.size


def with_ends_of_proofs(groups: Sequence[Group]) -> list[Group]:
    """Return the groups, the box at the right edge that ends a proof as the last word of the text that ends level with
    it."""
    places = [k for k, group in enumerate(groups) if group.text not in PROVED]
    boxes = [groups[k].box for k in places]
    marks = [k for k, group in enumerate(groups) if group.text in PROVED]
    found: list[Group | None] = list(groups)
    for k in marks if len(marks) <= PROOFS else ():
        mark = groups[k].lines[0]
        column = column_of(mark.box, boxes)
        level = [i for i in places if _ends_level(groups[i].lines[-1], mark, column)]
        others = [group.box for group in groups if group is not groups[k] and group.text in PROVED]
        if level and is_at_edge(mark.box, column, [*boxes, *others]):
            ended = max(level, key=lambda i: groups[i].box.x1)
            *before, last = groups[ended].lines
            found[ended] = replace(groups[ended], lines=(*before, Line((*last.words, *mark.words))))
            found[k] = None
    return [group for group in found if group is not None]


def is_at_edge(mark: Box, column: Box, others: Sequence[Box]) -> bool:
    """Return whether a box stands at the right edge of its column, and nothing close behind it or level with it that is
    as small: boxes to tick have words, and stand in rows."""
    em = mark.height
    behind = any(0 <= box.x0 - mark.x1 < NEAR * em and box.overlap_y(mark) > 0 for box in others)
    row = any(box.overlap_y(mark) > 0 and box.width < 2 * mark.width for box in others)
    return column.x1 - mark.x1 < em and not behind and not row


def column_of(mark: Box, boxes: Sequence[Box]) -> Box:
    """Return the nearest box over or under one at the edge of a column: it says how far this reaches to the left. Where
    there is none, all on its left is of its column."""
    over = (box for box in boxes if box.overlap_x(mark) > 0)
    return min(over, key=lambda box: abs(box.gap_y(mark)), default=Box(-math.inf, mark.y0, mark.x1, mark.y1))


def _ends_level(line: Line, mark: Line, column: Box) -> bool:
    level = abs(line.baseline - mark.baseline) < LEVEL * mark.size
    return level and line.box.x1 <= mark.box.x0 and column.overlap_x(line.box) > 0 and not line.rtl
