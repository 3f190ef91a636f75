"""Rows of a table: which lines of text begin a row and which go on the row above or belong to the one below."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from docparse.hyphenation import HARD_HYPHEN
from docparse.layout.chained import chained
from docparse.layout.tables.columns import EXACT, Columns, Piece, Pieces, are_entries, cells_in
from docparse.layout.tables.ink import Ink, InkLine, room_for, units
from docparse.layout.tables.rules import Rule
from docparse.layout.text.wording import COLONS

SET_IN = 0.5  # em from the title of a group to its rows, at least
RULED = 4  # rows: of fewer rules nothing follows for those without
APART, EVEN = 1.15, 1.25  # times the distance of the lines in a cell: farther lines of a column are two cells, also if
# all columns have a cell in every line. Browsers set rows 1.22 times as far apart as lines
NEARER = 0.85  # times the usual distance of lines: the lines of a cell, where those of most rows are farther apart
WHOLE = 0.75  # of the columns have a cell in the one line of a row that says most
FULL = 2  # lines with a cell in every column, in one row
CHANCE, FITTING = 0.01, 0.1  # that breaks of lines are all where a cell is full by luck; of them that need not be
OFF = 0.25  # em from the middle of a line to that of a cell that is not on it: letters, as OCR sees them, are nearer


def group_lines(
    ink: Ink, lines: Sequence[InkLine], pieces: Pieces, columns: Columns, rules: Sequence[Rule]
) -> list[list[int]]:
    """Body lines as rows: lists of line numbers, top to bottom. `rules` are the full-width ones between them."""
    parts = bands_of(lines, rules)
    if _is_ruled(ink, pieces, parts, columns):
        return parts
    steps = [b.y - a.y for a, b in pairwise(lines)]
    pitch = float(np.median(steps)) if steps else 0.0
    groups: list[list[int]] = []
    for band in parts:
        known = _by_gap(ink, lines, pieces, band, columns) or _by_label(ink, pieces, band, columns)
        groups += known or _by_wrap(ink, lines, pieces, band, columns, pitch)
    near = NEARER * pitch

    def goes_on(run: Sequence[list[int]], group: list[int]) -> bool:
        upper, lower = pieces[run[-1][-1]], pieces[group[0]]
        close = lines[group[0]].y - lines[run[-1][-1]].y < near
        alone = all(len(pieces[k]) == 1 for k in run[-1])
        return _is_hyphenated(ink, upper, lower) or (alone and _is_cut(ink, upper[0], lower, columns, close=close))

    whole = chained(groups, goes_on)
    return [[k for group in run for k in group] for run in whole]


def _is_hyphenated(ink: Ink, upper: Sequence[Piece], lower: Sequence[Piece]) -> bool:
    """Return whether a word that a line breaks goes on in the next one."""
    return any(
        a.first == b.first and HARD_HYPHEN.search(ink.text(a.words)) and ink.words[b.words[0]].text[0].islower()
        for a in upper
        for b in lower
    )


def _is_cut(ink: Ink, label: Piece, row: Sequence[Piece], columns: Columns, *, close: bool) -> bool:
    """Return whether a label alone in its line, as long as they are, goes on in a row below: in small letters, or
    closer than rows are. The title of a group ends in a colon, or its rows are set in."""
    rest = row[0]
    if not label.first == label.last == rest.first == rest.last == 0 or len(row) < 2:
        return False
    first, last = ink.words[rest.words[0]], ink.words[label.words[-1]]
    full = ink.bounds(label.words).x1 + room_for(ink, rest.words[0]) > columns.hi[0]
    titled = last.text.endswith(COLONS) or ink.bounds(rest.words).x0 - ink.bounds(label.words).x0 > SET_IN * first.size
    alike = (first.bold, first.italic) == (last.bold, last.italic)
    return full and not titled and alike and (first.text[0].islower() or close)


def _is_ruled(ink: Ink, pieces: Pieces, bands: Sequence[Sequence[int]], columns: Columns) -> bool:
    """Return whether a rule stands under every row: most bands have one line, or all have one line with most of the
    cells, or break their lines where cells are full; and none has two numbers in a column, or three lines with a cell
    in every column."""
    if any(sum(len(pieces[k]) == columns.count for k in band) > FULL for band in bands):
        return False
    if len(bands) >= RULED and all(len(pieces[k]) == 1 for band in bands for k in band):
        return True  # no two cells of a row are level
    whole = all(sum(len(pieces[k]) >= WHOLE * columns.count for k in band) == 1 for band in bands)
    single = len(bands) >= RULED and (whole or sum(len(band) == 1 for band in bands) >= 0.6 * len(bands))
    if not single and not _are_wrapped(ink, pieces, bands, columns):
        return False
    numbers = [
        [p.last for k in band for p in pieces[k] if columns.value[p.last] and ink.value[p.words].any()]
        for band in bands
    ]
    return all(len(each) == len(set(each)) for each in numbers)


def _are_wrapped(ink: Ink, pieces: Pieces, bands: Sequence[Sequence[int]], columns: Columns) -> bool:
    """Return whether the lines of each band are those of one row: where one ends the next word found no room, and some
    begin in small letters. The names of several rows end so only by luck, which is the less likely the shorter that
    word."""
    chance, fitting, rest = 1.0, 0, list[Piece]()
    for column in range(columns.count):
        cells = [cells_in((pieces[k] for k in band), column) for band in bands]
        room = max((ink.bounds(p.words).width for cell in cells for p in cell), default=0.0)
        for upper, lower in (pair for cell in cells for pair in pairwise(cell) if units(ink, pair[0].words) > 1):
            needed = room_for(ink, lower.words[0])
            chance *= min(1.0, needed / room)
            fitting += ink.bounds(upper.words).width + needed < room
            rest.append(lower)
    return chance < CHANCE and fitting <= FITTING * len(rest) and not are_entries(ink, rest)  # else they are names


def bands_of(lines: Sequence[InkLine], rules: Sequence[Rule]) -> list[list[int]]:
    """Return the line numbers between consecutive rules."""
    slots = np.searchsorted(np.array(sorted(rule.at for rule in rules)), [line.y for line in lines])
    return chained(range(len(lines)), lambda band, k: slots[k] == slots[band[-1]])


def _by_gap(ink: Ink, lines: Sequence[InkLine], pieces: Pieces, band: list[int], columns: Columns) -> list[list[int]]:
    """Rows set apart by more white than the lines of their cells; empty where the spacing does not tell.

    The lines of one cell stand as close as any in a column do. A row ends where no cell goes on, whichever way its
    cells are set: at the top, in the middle or at the bottom.
    """
    cells = [[(k, p) for k in band for p in pieces[k] if p.first == c == p.last] for c in range(columns.count)]
    heights = [[(k, _height(ink, lines[k], p)) for k, p in column] for column in cells]
    pairs = [pair for column in heights for pair in pairwise(column)]
    steps = [lower - upper for (_, upper), (_, lower) in pairs]
    apart = (APART if any(len(pieces[k]) < columns.count for k in band) else EVEN) * min(steps, default=0.0)
    if len(steps) < 2 or max(steps) <= apart:
        return []
    inside = {k for (a, upper), (b, lower) in pairs if lower - upper <= apart for k in range(a, b)}
    groups = chained(band, lambda _, k: k - 1 in inside)
    for group in groups:
        numbers = [p.last for k in group for p in pieces[k] if columns.value[p.last] and bool(ink.value[p.words].all())]
        full = sum(len(pieces[k]) >= max(2, 0.75 * columns.count) for k in group)
        labels = [k for k in group if pieces[k][0].first == 0]
        if labels and labels[-1] - labels[0] >= len(labels):
            return []  # a line without a label between two with one: these are labels of two rows
        if (full > 1 and any(columns.value)) or len(numbers) > len(set(numbers)):
            return []
    several = sum(len({p.first for k in group for p in pieces[k]}) >= 2 for group in groups)
    return groups if len(groups) > 1 and several >= 0.7 * len(groups) else []


def _height(ink: Ink, line: InkLine, piece: Piece) -> float:
    """Return where the words of a cell stand: on their line, or off it, beside a cell of one line more or less that is
    set on the same middle."""
    own = float(ink.y[piece.words].mean())
    return own if abs(own - line.y) > OFF * ink.sizes[piece.words[0]] else line.y


def _by_label(ink: Ink, pieces: Pieces, band: list[int], columns: Columns) -> list[list[int]]:
    """Tables of running text: a row begins where the first column does; empty where the first column does not lead.
    A label goes on in small letters, or alone where all labels may begin so."""
    if sum(columns.value) >= 0.5 * (columns.count - 1) or pieces[band[0]][0].first != 0:
        return []
    groups: list[list[int]] = []
    small = ink.words[pieces[band[0]][0].words[0]].text[:1].islower()
    bare = full = 0
    start = end = -np.inf  # of the label of the row begun last
    for k in band:
        first = pieces[k][0]
        x, x1 = ink.rows[first.words[0]][0], ink.rows[first.words[-1]][2]
        label = first.first == 0
        level = min(abs(x1 - end), abs(x + x1 - start - end) / 2) < EXACT  # flush right or centred are labels
        deeper = x > start + 0.6 * ink.sizes[first.words[0]] and not level
        whole = len(pieces[k]) == columns.count > 2  # and its label centred
        hanging = deeper and bool(groups) and len(pieces[groups[-1][0]]) > 1 and not whole
        goes_on = len(pieces[k]) == 1 if small else ink.words[first.words[0]].text[:1].islower()
        if not groups or (label and not hanging and not goes_on):
            groups.append([k])
            start, end = x, x1
            continue
        groups[-1].append(k)
        bare += not label or hanging
        full += not label and len(pieces[k]) >= columns.count - 1 > 1
    several = sum(len({p.first for k in group for p in pieces[k]}) > 1 for group in groups)
    leads = len(groups) >= 2 and bare >= 0.3 * len(band) and several >= 0.6 * len(groups)
    return groups if leads and full < 0.8 * bare else []


def _by_wrap(
    ink: Ink, lines: Sequence[InkLine], pieces: Pieces, band: list[int], columns: Columns, pitch: float
) -> list[list[int]]:
    """Join a line to the one above where its cells are the rest of wrapped text."""

    def goes_on(group: list[int], k: int) -> bool:
        return lines[k].y - lines[group[-1]].y <= 1.3 * pitch and _goes_on(ink, pieces, group, k, columns)

    return chained(band, goes_on)


def _goes_on(ink: Ink, pieces: Pieces, group: list[int], k: int, columns: Columns) -> bool:
    """Line `k` holds only the rest of text that the group above it began."""
    row = pieces[k]
    above = {p.first: p for j in group for p in pieces[j]}
    labelled = any(p.first == 0 for p in row)
    if len(row) == columns.count > 1 or any(p.first not in above or p.last != p.first for p in row):
        return False
    if any(columns.value[p.first] and bool(ink.value[p.words].any()) for p in row):
        return False
    sparse = not labelled and len(row) < 0.6 * columns.count
    sparse &= any(not ink.value[above[p.first].words].all() for p in row)  # a number does not go on in words
    return all(_is_rest(ink, above[p.first], p, sparse) for p in row)


def _is_rest(ink: Ink, upper: Piece, lower: Piece, sparse: bool) -> bool:
    """The text of `lower` goes on that of `upper`; in a `sparse` line without a label this needs no proof."""
    first, last = ink.words[lower.words[0]], ink.words[upper.words[-1]]
    if lower.first == 0 and first.bold != last.bold:
        return False
    return sparse or first.text[:1].islower() or last.text.endswith(("-", ",", "/", "&", "("))
