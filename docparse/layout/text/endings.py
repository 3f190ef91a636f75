"""Endings: dates or prices that stand at the right edge of a column, on the line that they belong to, and the boxes
that end proofs."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace

from docparse.layout.text.groups import Group
from docparse.layout.text.lines import Line
from docparse.layout.text.stacks import LEVEL, Rows, joined
from docparse.layout.text.wording import count_words
from docparse.types import Box

DASH = re.compile(r"(?<=\s)[–—-]\s")
YEARS = re.compile(r"(?:19|20)\d\d(?:\s?[–—-]\s?(?:19|20)?\d\d)?")
DATED = re.compile(r"(?:19|20)\d\d(?:\s?[–—-]\s?[^\W\d_]+\.?)?$")  # 2019, or 2019 – present
LONGEST = 4  # words
APART = 1.5  # em from the line before it at least
EDGE = 0.4  # em between edges that agree
ALONE = 2.2  # em over and under it in which nothing else stands that is no part of the column on its left
PROVED = frozenset("□■◻◼∎")  # at the end of a proof
ALIKE = 0.15  # share by which sizes of the line and its ending differ


def joined_endings(lines: Sequence[Line]) -> list[Line]:
    """Return the lines from top to bottom, every short piece at the right edge as one with the line on its left.

    Two or more that end at one edge, each alone at its height or in a stack that is ragged on the left, and apart from
    the next, are no column of their own; the lines that they end begin where others do. A year is an ending, too, where
    one ends a whole line at the same edge. Of three and more pieces in a row, as the answers to choose from, none is
    one. The first and the last row of a page are left as they are: running titles and page numbers stand so, too.
    """
    rows = Rows(lines)
    found = {j: i for j in range(len(lines)) if (i := _line_of(lines, rows, j)) is not None}
    ended = set(found.values())
    pairs = {j: i for j, i in found.items() if i not in found and j not in ended}
    dated = {k for k, line in enumerate(lines) if DATED.search(line.text)}
    of_kind = {j: {*pairs, *(dated if j in dated else ())} for j in pairs}
    ends = {j: i for j, i in pairs.items() if any(_are_entries(lines[j], lines[k]) for k in of_kind[j])}
    return joined(lines, [(i, j) for j, i in ends.items()])


def _line_of(lines: Sequence[Line], rows: Rows, j: int) -> int | None:
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
    """Whether two endings at one edge are of two entries."""
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
    marks = [group for group in groups if group.text in PROVED]
    texts = {id(group): group for group in groups if group.text not in PROVED}
    boxes, kept = [group.box for group in texts.values()], []
    for mark in marks:
        column = column_of(mark.box, boxes)
        level = [group for group in texts.values() if _ends_level(group.lines[-1], mark.lines[0], column)]
        if level:
            ended = max(level, key=lambda group: group.box.x1)
            *before, last = ended.lines
            whole = Line((*last.words, *mark.lines[0].words))
            texts[id(ended)] = replace(ended, lines=(*before, whole))
        else:
            kept.append(id(mark))
    return [texts.get(id(group), group) for group in groups if id(group) in texts or id(group) in kept]


def column_of(mark: Box, boxes: Sequence[Box]) -> Box:
    """Return the nearest box over or under one at the edge of a column: it says how far this reaches to the left. Where
    there is none, all on its left is of its column."""
    over = (box for box in boxes if box.overlap_x(mark) > 0)
    return min(over, key=lambda box: abs(box.gap_y(mark)), default=Box(-math.inf, mark.y0, mark.x1, mark.y1))


def _ends_level(line: Line, mark: Line, column: Box) -> bool:
    level = abs(line.baseline - mark.baseline) < LEVEL * mark.size
    return level and line.box.x1 <= mark.box.x0 and column.overlap_x(line.box) > 0 and not line.rtl
