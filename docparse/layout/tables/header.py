"""Header rows: which rows they are, and over which columns their cells reach."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

import numpy as np

from docparse.layout.chained import chained
from docparse.layout.tables.build import Slot
from docparse.layout.tables.columns import Columns, Piece, Pieces, cells_in
from docparse.layout.tables.ink import Ink, InkLine
from docparse.layout.tables.rules import Rule

TALLEST = 8  # lines of a header: names in narrow columns, under one over all of them
DEEPEST = 3  # rows of the header of a lattice: what reaches over more is the title of a group of rows
MIDDLE = 0.6  # em: headings are that near to the middle, or the left end, of the headings under them
OVER = 0.25  # em from the middle, or one edge, of heads to that of the cells under them: seldom so by chance
CENTRED = 0.2  # of the room between two strokes, by which the ends of a heading there are not as far from them


def header_count(ink: Ink, rows: Sequence[Sequence[Piece]], columns: Columns) -> int:
    """Return how many of the first rows are headings, judged by style and content alone (no rule tells)."""
    numeric = [k for k in range(columns.count) if columns.value[k]]
    count, first = 0, list[int]()
    for row in rows[: max(0, min(len(rows) - 1, TALLEST))]:
        words = [i for piece in row for i in piece.words]
        over = [i for piece in row if piece.last in numeric or piece.last > piece.first for i in piece.words]
        if numeric and over:
            plain = sum(1 for i in over if not ink.value[i] or _is_dated(ink.words[i].text))
            heading = plain >= 0.6 * len(over)
        else:
            heading = _is_bold(ink, words)
        if not heading or (count and _is_bold(ink, first) and not any(ink.words[i].bold for i in words)):
            break
        first = first or words
        count += 1
    while count > 1 and len(rows[count - 1]) == 1 and (not numeric or rows[count - 1][0].last == 0):
        count -= 1  # the title of a group
    return count


def _is_bold(ink: Ink, words: Sequence[int]) -> bool:
    return all(ink.words[i].bold for i in words)


def _is_dated(text: str) -> bool:
    """Return whether it is a year, or a day before one: "31,"."""
    if text.endswith(","):
        return True
    digits = text.strip("()*,.AEFe ")
    return len(digits) == 4 and digits.isdigit() and digits[:2] in ("18", "19", "20")


def parted(ink: Ink, rows: Sequence[Sequence[Piece]], body: Pieces, columns: Columns) -> list[list[Piece]]:
    """Return the rows of a header, those of its pieces in parts whose words stand over columns one by one, as near to
    each other as words are: all in the middle over the cells of their columns, or all at one edge. A piece alone is a
    title."""
    several = [row for row in body if len(row) > 1]
    cells = [[i for cell in cells_in(several, column) for i in cell.words] for column in range(columns.count)]

    def parts(piece: Piece) -> list[Piece]:
        own = range(piece.first, piece.last + 1)
        middles = [(i, (ink.rows[i][0] + ink.rows[i][2]) / 2) for i in piece.words]
        runs = [[i for i, x in middles if bisect_left(columns.cuts, x) == column] for column in own]
        if len(runs) < 2 or not all(runs) or not all(cells[column] for column in own):
            return [piece]
        pairs = [(ink.bounds(run), ink.bounds(cells[column])) for run, column in zip(runs, own, strict=True)]
        off = np.array([(head.x0 - under.x0, head.x1 - under.x1) for head, under in pairs])
        ends, middle = np.abs(off).max(axis=0).min(), np.abs(off.mean(axis=1)).max()
        alike = min(ends, middle) < OVER * ink.sizes[piece.words[0]]
        return [Piece(run, column, column) for run, column in zip(runs, own, strict=True)] if alike else [piece]

    return [[part for piece in row for part in parts(piece)] if len(row) > 1 else list(row) for row in rows]


def widen(
    lines: Sequence[InkLine], rows: list[list[Piece]], columns: Columns, rules: Sequence[Rule], em: float, ink: Ink
) -> None:
    """Let spanning headings cover, in place, the columns that the rule under them reaches over."""
    width = columns.hi[-1] - columns.lo[0]
    for k, row in enumerate(rows):
        under = [r for r in rules if lines[k].y < r.at < lines[k + 1].y and r.length <= 0.97 * width]
        under = [part for rule in under for part in _shares(ink, rule, row, em)]
        for piece, reach in [(piece, _reach(ink, piece, row, under, columns, em)) for piece in row]:
            piece.first, piece.last = reach


def _shares(ink: Ink, rule: Rule, row: Sequence[Piece], em: float) -> list[Rule]:
    """The equal parts of a rule over the middle of each of which a heading stands; the rule where none does so."""
    middles = sorted(x for piece in row if rule.lo < (x := sum(_extent(ink, piece)) / 2) < rule.hi)
    share = rule.length / max(1, len(middles))
    parts = [Rule(rule.at, rule.lo + k * share, rule.lo + (k + 1) * share) for k in range(len(middles))]
    even = all(abs(x - (part.lo + part.hi) / 2) < MIDDLE * em for x, part in zip(middles, parts, strict=True))
    return parts if len(parts) > 1 and even else [rule]


def widen_between(line: InkLine, row: Sequence[Piece], columns: Columns, vertical: Sequence[Rule], ink: Ink) -> None:
    """Let headings in the middle between two strokes cover, in place, all columns between these."""
    strokes = [rule.at for rule in vertical if rule.lo <= line.y <= rule.hi]
    for piece in row:
        x0, x1 = _extent(ink, piece)
        lo = max([columns.lo[0], *(x for x in strokes if x < x0)])
        hi = min([columns.hi[-1], *(x for x in strokes if x > x1)])
        own = [k for k in range(columns.count) if lo < (columns.lo[k] + columns.hi[k]) / 2 < hi]
        if strokes and abs((x0 + x1) - (lo + hi)) < CENTRED * (hi - lo):
            piece.first, piece.last = min([*own, piece.first]), max([*own, piece.last])


def _reach(
    ink: Ink, piece: Piece, row: Sequence[Piece], rules: Sequence[Rule], columns: Columns, em: float
) -> tuple[int, int]:
    """The columns of `piece`, or those over the rule that lies right under it and under no other; pieces of it count
    as one."""
    x0, x1 = _extent(ink, piece)
    lo = hi = (x0 + x1) / 2
    others = [sum(_extent(ink, other)) / 2 for other in row if other is not piece]
    own = [r for r in rules if not any(r.lo - 3 <= x <= r.hi + 3 for x in others)]
    for rule in sorted(own, key=lambda r: max(r.lo - lo, lo - r.hi)):
        if max(rule.lo - hi, lo - rule.hi) <= (1.2 * em if lo < hi else 3):
            lo, hi = min(lo, rule.lo), max(hi, rule.hi)
    if hi - lo < 0.5 * (x1 - x0):
        return piece.first, piece.last
    extents = enumerate(zip(columns.lo, columns.hi, strict=True))
    under = [k for k, (left, right) in extents if min(hi, right) - max(lo, left) >= 0.5 * (right - left)]
    return min([*under, piece.first]), max([*under, piece.last])


def _extent(ink: Ink, piece: Piece) -> tuple[float, float]:
    return float(ink.box[piece.words, 0].min()), float(ink.box[piece.words, 2].max())


def settle(lines: list[InkLine], rows: list[list[Piece]]) -> tuple[list[InkLine], list[list[Piece]]]:
    """Headings set on the middle between two lines belong to the lower one; their line is no row."""
    for k in reversed(range(1, len(rows) - 1)):
        around = {c for row in (rows[k - 1], rows[k + 1]) for p in row for c in range(p.first, p.last + 1)}
        if all(c not in around for p in rows[k] for c in range(p.first, p.last + 1)):
            rows[k + 1] = sorted([*rows[k], *rows[k + 1]], key=lambda p: p.first)
            lines, rows = [*lines[:k], *lines[k + 1 :]], [*rows[:k], *rows[k + 1 :]]
    return lines, rows


def merge_wrapped(lines: Sequence[InkLine], rows: list[list[Piece]], rules: Sequence[Rule]) -> list[list[Piece]]:
    """Header lines that continue a heading from the line above become one row with it.

    A line goes on the one above when no rule lies between them and none of its cells lies under a spanning one.
    """

    def joined(run: Sequence[int]) -> list[Piece]:
        return [piece for k in run for piece in rows[k]]

    runs = chained(range(len(rows)), lambda run, k: _continues(joined(run), rows[k], lines[k - 1], lines[k], rules))
    return list(map(joined, runs))


def _continues(above: list[Piece], row: list[Piece], upper: InkLine, lower: InkLine, rules: Sequence[Rule]) -> bool:
    ruled = any(upper.y < rule.at < lower.y and rule.lo < lower.x1 for rule in rules)
    if ruled or lower.y - upper.y > 1.75 * (upper.y1 - upper.y0):
        return False
    over = [(p, o) for p in row for o in above if p.first <= o.last and o.first <= p.last]
    alike = all((p.first, p.last) == (o.first, o.last) for p, o in over)
    return alike and (all(p.first == p.last for p in above) or len(row) == 1 == len(above))


def mark_header(ink: Ink, slots: Sequence[Slot]) -> None:
    """The first row of a lattice is its header when it is set apart by style, or holds no numbers over numbers. One
    with a label of many rows is none."""
    top = [s for s in slots if s.row == 0 and s.words]
    tall = max((s.rowspan for s in slots if s.row == 0), default=1)
    columns = max(s.column + s.colspan for s in slots)
    wide = any(1 < s.colspan < columns for s in top)
    body = [s for s in slots if s.row >= tall and s.words]
    values = [i for s in top for i in s.words if ink.value[i]]
    words = [i for s in top for i in s.words]
    if not words or not body or tall > DEEPEST or len(values) > 0.5 * len(words):
        return
    second = [i for s in slots if s.row == 1 for i in s.words]
    later = [i for s in slots if s.row > 1 for i in s.words]
    named = all(not ink.value[i] or _is_dated(ink.words[i].text) for i in second)
    heads = _is_bold(ink, second) or (ink.value[later].any() and named)
    depth = max(tall, 2 if wide and second and heads else 1)
    for s in slots:
        s.header |= s.row < depth
