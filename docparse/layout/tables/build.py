"""From placed words to a `Table`: cells get their text, the grid is made whole."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

import msgspec
import numpy as np

from docparse.layout.code.listing import line_ends
from docparse.layout.document.hyphens import SOFT
from docparse.layout.formula.evidence import is_strong
from docparse.layout.formula.gathered import carries
from docparse.layout.geometry import boxes_of, level_strokes
from docparse.layout.tables.ink import Ink, lines_of
from docparse.layout.text.inline import spans_of
from docparse.layout.text.turned import turned_lines
from docparse.layout.text.wording import CAPTION, NOTE, is_rtl
from docparse.pdf.content import NO_STROKES
from docparse.types import Cell, Spans, Table

SIGNED = re.compile(r"([-+]) ?(\d+(?:[.,]\d+)*)")
LEADER = re.compile(r"\s*(?:[.·…]\s*){5,}$")  # more dots than an ellipsis at the end of a sentence has


@dataclass(slots=True)
class Slot:
    """A cell before it has text: its place in the grid and the indices of its words."""

    row: int
    column: int
    rowspan: int = 1
    colspan: int = 1
    words: list[int] = field(default_factory=list)
    header: bool = False


def without_title(ink: Ink, slots: Sequence[Slot]) -> list[Slot]:
    """Return the slots without a caption alone in the first row, notes over all columns in the last ones, and what a
    sheet has in its first cells over the names of its columns: their words are text."""
    columns = max(s.column + s.colspan for s in slots)
    rows = [[s for s in slots if s.row <= k < s.row + s.rowspan] for k in range(max(s.row + s.rowspan for s in slots))]
    first, last = _first_row(ink, rows, columns) if columns >= 3 else 0, len(rows)
    while last - first > 2 and len(rows[last - 1]) == 1 and NOTE.match(ink.text(_read(ink, rows[last - 1][0]))):
        last = rows[last - 1][0].row
    if last - first < 2:  # one row alone is no table
        return list(slots)
    return [replace(s, row=s.row - first) for s in slots if first <= s.row < last]


def _first_row(ink: Ink, rows: Sequence[Sequence[Slot]], columns: int) -> int:
    """The row that a table begins with: of names in all columns, under rows with words in the first cell alone, or that
    under a caption."""
    filled = [[s for s in row if s.words] for row in rows]
    names = next((k for k, row in enumerate(filled) if len(row) > 1), 0)
    over = zip(filled[:names], rows, strict=False)
    alone = all(len(own) == 1 and own[0].column == 0 and len(row) > 2 for own, row in over)
    figures = any(all(ink.words[i].text[:1].isdigit() for i in s.words) for s in filled[names])
    if alone and len(filled[names]) == columns and not figures:
        return names
    titled = len(filled[0]) == 1 and CAPTION.match(ink.text(_read(ink, filled[0][0])))
    return filled[0][0].rowspan if titled else 0


def as_read(ink: Ink, slots: Sequence[Slot]) -> list[Slot]:
    """Return the slots with the first column on the side where the script of most cells begins."""
    texts = [ink.text(s.words) for s in slots if s.words]
    if 2 * sum(map(is_rtl, texts)) <= sum(any(map(str.isalpha, text)) for text in texts):
        return list(slots)
    columns = max(s.column + s.colspan for s in slots)
    return [replace(s, column=columns - s.column - s.colspan) for s in slots]


def _read(ink: Ink, slot: Slot) -> list[int]:
    return [i for line in lines_of(ink, np.array(slot.words, int)) for i in line.words]


def table_of(ink: Ink, slots: Sequence[Slot]) -> Table:
    """Read the slots' words and fill what they leave open with empty cells."""
    slots, taken = _without_overlaps(slots)
    header_rows = {s.row + k for s in slots if s.header for k in range(s.rowspan)}
    lettered = any(is_strong(ink.words[i]) for s in slots for i in s.words)
    every = [*slots, *(Slot(row, column) for row, column in np.argwhere(~taken).tolist())]
    cells = [
        Cell(s.row, s.column, _cell_spans(ink, s.words, lettered), s.rowspan, s.colspan, s.row in header_rows)
        for s in sorted(every, key=lambda s: (s.row, s.column))
    ]
    return Table(rows=taken.shape[0], columns=taken.shape[1], cells=tuple(cells))


def _without_overlaps(slots: Sequence[Slot]) -> tuple[list[Slot], np.ndarray]:
    """Slots that share no place, and bool [rows, columns] of the places they cover; no word is lost.

    Where two want one place the one with words, and then the upper left one, has it, and the words of the other.
    """
    rows, columns = max(s.row + s.rowspan for s in slots), max(s.column + s.colspan for s in slots)
    owner = np.full((rows, columns), -1)
    kept: list[Slot] = []
    for slot in sorted(slots, key=lambda s: (not s.words, s.row, s.column)):
        own = owner[slot.row : slot.row + slot.rowspan, slot.column : slot.column + slot.colspan]
        if own.max() >= 0:
            kept[own.max()].words += slot.words
            continue
        own[:] = len(kept)
        kept.append(replace(slot, words=list(slot.words)))
    return kept, owner >= 0


def _cell_spans(ink: Ink, words: Sequence[int], lettered: bool) -> Spans:
    """The text of one cell: its words in reading order, turned text read along its own direction. `lettered`
    says that the table has formulas."""
    level = [[ink.words[i] for i in line] for line in _reading_lines(ink, words)]
    turned = turned_lines([ink.words[i] for i in sorted(words)])
    lines = [*level, *(list(line.words) for line in turned)]
    spans = spans_of(lines, rulings=_bars(ink, words), divided=SOFT, ended=line_ends(lines), lettered=lettered)
    return _as_number(spans) or _without_leader(spans)


def _bars(ink: Ink, words: Sequence[int]) -> np.ndarray:
    """The bars of the roots in a cell, float32 [n, 4]: all other strokes are rules, or leave its lines unread."""
    roots = [ink.words[i].box for i in words if ink.words[i].text.endswith("√")]
    if not roots:
        return NO_STROKES
    flat = level_strokes(ink.rulings)
    return flat[[any(carries(root, bar) for root in roots) for bar in boxes_of(flat)]]


def _as_number(spans: Spans) -> Spans:
    """The text of a cell that is a number with its sign, which needs no formula; () where it is anything else."""
    signed = SIGNED.fullmatch(spans[0].text) if len(spans) == 1 and spans[0].math else None
    if not signed:
        return ()
    return (msgspec.structs.replace(spans[0], text=signed[1].replace("-", "−") + signed[2], math=False),)


def _without_leader(spans: Spans) -> Spans:
    """The text of a cell without the dots that lead from it to the next one."""
    if not spans or spans[-1].math:
        return spans
    *before, last = spans
    bare = LEADER.sub("", last.text)
    kept = (*before, msgspec.structs.replace(last, text=bare)) if bare else tuple(before)
    return kept or spans  # dots alone may say that there is nothing


def _reading_lines(ink: Ink, words: Sequence[int]) -> list[list[int]]:
    """The level words of a cell as lines in reading order."""
    indices = np.array(sorted(words), int)
    if len(indices) and ink.level[indices].all():
        row = indices[np.argsort(ink.box[indices, 0], kind="stable")]
        apart = bool((ink.box[row[1:], 0] >= ink.box[row[:-1], 2] - 1.0).all())
        if np.ptp(ink.y[row]) < (0.7 if apart else 0.3) * ink.size[row].min():
            return [_as_read(ink, row.tolist())]
    return [_as_read(ink, line.words) for line in lines_of(ink, indices)]


def _as_read(ink: Ink, line: list[int]) -> list[int]:
    """Return the words of a line, left to right, as they are read: from the right where its script is."""
    if not is_rtl("".join(ink.words[i].text for i in line)):
        return line
    runs = [list(run) for _, run in groupby(reversed(line), key=lambda i: is_rtl(ink.words[i].text))]
    return [i for run in runs for i in (run if is_rtl(ink.words[run[0]].text) else reversed(run))]
