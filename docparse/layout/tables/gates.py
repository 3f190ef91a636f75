"""What looks like a table and is none: prose, lists, contents pages, bibliographies, code, formulas, forms."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from docparse.layout.tables.aligned import Grid
from docparse.layout.tables.build import Slot
from docparse.layout.tables.ink import Ink

MARKER = re.compile(r"^([•◦▪●■–—*·‣➢✓o-]|[\(\[]?(\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)\]:])$")
LEADER = re.compile(r"(\.\s?){4,}|…{2,}|_{4,}")


def is_prose(ink: Ink, grid: Grid) -> bool:
    """Most cells of most columns hold many words, as the columns of a page or of a newspaper do."""
    lengths: list[list[int]] = [[] for _ in range(grid.columns.count)]
    for row in grid.pieces:
        for piece in row:
            if piece.first == piece.last:
                lengths[piece.first].append(_units(ink, piece.words))
    means = [float(np.mean(n)) for n in lengths if n]
    if not means:
        return True
    if len(grid.rules) > 0 and len(means) == len(lengths) > 2 and means[0] <= 3.0:
        return False  # a header rule, and labels beside the text
    wordy = sum(m > 4.5 for m in means) > 0.5 * len(means)
    return wordy or (len(means) == 2 and (min(means) > 3.2 or (max(means) > 9 and len(grid.rules) == 0)))


def _units(ink: Ink, words: Sequence[int]) -> int:
    """Words, with four CJK characters counted as one."""
    text = "".join(ink.words[i].text for i in words)
    wide = sum(ord(c) > 0x2E7F for c in text)
    return len(words) if wide < 0.5 * len(text) else max(1, wide // 4)


def is_list(ink: Ink, grid: Grid) -> bool:
    """The first column holds nothing but item markers and the second the items."""
    firsts = [ink.text(row[0].words) for row in grid.pieces if row and row[0].first == 0 == row[0].last]
    return (
        len(firsts) >= 2 and grid.columns.count <= 3 and sum(bool(MARKER.match(t)) for t in firsts) >= 0.6 * len(firsts)
    )


def is_contents(ink: Ink, grid: Grid) -> bool:
    """Dot leaders, or titles with page numbers that only rise."""
    rows = [ink.text(i for piece in row for i in piece.words) for row in grid.pieces]
    if sum(bool(LEADER.search(text)) for text in rows) >= 0.3 * len(rows):
        return True
    last = [ink.text(row[-1].words) for row in grid.pieces if row[-1].last == grid.columns.count - 1]
    pages = [int(text) for text in last if text.isdigit()]
    rising = len(pages) >= 4 and len(pages) >= 0.8 * len(last) and pages == sorted(pages)
    return rising and grid.columns.count <= 3 and sum(grid.columns.value) <= 2 and pages[0] > 0


def is_code_or_formula(ink: Ink, grid: Grid) -> bool:
    """Type of one width tells code, but not on a page that is set in it throughout, as typewriters do."""
    words = [i for line in grid.lines for i in line.words]
    mono = sum(ink.words[i].mono for i in words)
    math = sum(ink.words[i].math for i in words)
    typed = all(word.mono for word in ink.words)
    return (mono > 0.7 * len(words) and not typed) or (math > 0.4 * len(words) and len(grid.lines) < 6)


def value_share(ink: Ink, grid: Grid) -> float:
    """Share of the cells right of the first column, below the header, that hold only values."""
    found = [
        bool(ink.value[piece.words].all())
        for row in grid.pieces[grid.header_lines :]
        for piece in row
        if piece.first > 0
    ]
    return float(np.mean(found)) if found else 0.0


def fill(slots: Sequence[Slot], rows: int, columns: int) -> float:
    """Share of the grid covered by cells with words."""
    return sum(s.rowspan * s.colspan for s in slots if s.words) / max(1, rows * columns)


def regular_rows(grid: Grid) -> float:
    """Share of the lines with cells in two or more columns."""
    return float(np.mean([len(row) >= 2 for row in grid.pieces])) if grid.pieces else 0.0
