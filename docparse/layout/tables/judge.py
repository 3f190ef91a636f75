"""The verdict on a built candidate: is it a table, or prose, a list, contents, code, a formula, a form?"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from docparse.layout.formula.symbols import PIECES
from docparse.layout.tables.aligned import Grid
from docparse.layout.tables.build import Slot
from docparse.layout.tables.candidates import Candidate
from docparse.layout.tables.ink import Ink, is_number, lines_of, segments, units
from docparse.layout.tables.lattice import Lattice
from docparse.layout.tables.rules import positions
from docparse.types import BOXES, BULLETS, SIGNS, Box

MARKER = re.compile(rf"^([{re.escape(BULLETS + SIGNS + BOXES)}]|o|[\(\[]?(\d{{1,3}}|[a-zA-Z]|[ivxIVX]{{1,5}})[.)\]:])$")
ALIGNED = 6  # cells under and beside others: three rows of four
DEFINITION = 4.5  # words; longer ones beside a column of terms explain them
TIGHT = 1.6  # em: the lines of running text stand nearer
FIGURES = 0.5  # of the cells right of the first column that are values
ANSWERS = 4  # cells that begin with a letter
LETTER = re.compile(r"^\(?[A-Ka-k][.)]?$")
SECTION = re.compile(r"\d+(\.\d+)+\.?|\d+\.")
LEADER = re.compile(r"(\.\s?){4,}|…{2,}|_{4,}")
NEWSPAPER = 7  # columns: so many with numbers among them are no running text


def is_lattice_table(slots: Sequence[Slot], grid: Lattice) -> bool:
    """Cells with words in two rows and columns, filling the grid or its first row and column."""
    filled = [s for s in slots if s.words]
    if len({s.row for s in filled}) < 2 or len({s.column for s in filled}) < 2:
        return False
    first_column = np.mean([bool(s.words) for s in slots if s.column == 0])
    first_row = np.mean([bool(s.words) for s in slots if s.row == 0])
    share = sum(s.rowspan * s.colspan for s in filled) / (grid.rows * grid.columns)
    return bool(share >= 0.3 or (first_column >= 0.7 and first_row >= 0.5))


def is_table(ink: Ink, grid: Grid, candidate: Candidate) -> bool:
    """Regular rows that are nothing else; the fewer rules there are, the more the words must tell."""
    rows, regular = {s.row for s in grid.slots}, regular_rows(grid)
    if regular < 0.2 or any(other(ink, grid) for other in (is_contents, is_formula, is_list)):
        return False
    values = value_share(ink, grid)
    if candidate.kind == "booktabs":
        framed = len(positions(candidate.horizontal)) >= 3  # a head apart from the body
        return values >= 0.4 or (framed and (len(rows) >= 3 or regular == 1))
    if candidate.kind == "aligned":
        if len(rows) < 3 or regular < 0.5 or (grid.columns.count < NEWSPAPER and is_wrapped(ink, grid)):
            return False
        return values >= 0.6 or is_set_apart(ink, grid)
    return True


def is_list(ink: Ink, grid: Grid) -> bool:
    """Return whether a column holds nothing but item markers, or most cells begin with one or with a letter."""
    columns = [[p for row in grid.pieces for p in row if p.first == k == p.last] for k in range(grid.columns.count)]
    texts = [[ink.text(piece.words) for piece in column] for column in columns]
    if _are_answers(ink, grid):
        return True
    if grid.columns.count > 2 and value_share(ink, grid) >= FIGURES:
        return False  # rows with numbers, and dashes for missing ones
    if any(
        len(column) > 1 and sum(bool(MARKER.match(text)) for text in column) >= 0.6 * len(column) for column in texts
    ):
        return True
    first = [ink.words[piece.words[0]].text for column in columns[:-1] for piece in column]
    return len(first) >= 2 and sum(bool(MARKER.match(text)) for text in first) >= 0.8 * len(first)


def _are_answers(ink: Ink, grid: Grid) -> bool:
    """Return whether four or more cells, of every three one, begin with letters, all different."""
    first = [ink.words[piece.words[0]].text for row in grid.pieces for piece in row]
    letters = [text.upper() for text in first if LETTER.match(text)]
    return len(letters) >= ANSWERS and len(set(letters)) == len(letters) and 3 * len(letters) >= len(first)


def is_set_apart(ink: Ink, grid: Grid) -> bool:
    """Return whether words stand in columns without holes, of about one size, that are no part of the text around."""
    sizes = ink.size[[i for line in grid.lines for i in line.words]]
    alike = np.mean(np.abs(sizes / np.median(sizes) - 1) < 0.2) >= 0.9  # names beside small print are not
    return bool(alike) and not is_in_text(ink, grid) and is_complete(ink, grid)


def is_complete(ink: Ink, grid: Grid) -> bool:
    """Four or more lines with a cell in every column, none a label with a colon; nothing wraps."""
    count = grid.columns.count
    wide = [len(row) - 1 for row in grid.pieces if len(row) >= 3]
    if sum(wide[1:]) >= ALIGNED and len(wide) >= 0.4 * len(grid.lines):
        return True
    rows = Counter(slot.row for slot in grid.slots if slot.words)
    whole = sum(cells == count for cells in rows.values())
    labels = [ink.words[row[0].words[-1]].text for row in grid.pieces if row]
    panel = sum(text.endswith((":", "：")) for text in labels) >= 0.3 * len(labels)
    long = count == 2 and np.mean([units(ink, slot.words) for slot in grid.slots if slot.column == 1]) > DEFINITION
    return len(rows) >= 4 and whole >= 0.85 * len(rows) and not panel and not long


def is_in_text(ink: Ink, grid: Grid) -> bool:
    """Return whether the lines above and below go on at the pitch of the rows and have no cells: words happen to stand
    in columns."""
    pitch = min(b.y - a.y for a, b in pairwise(grid.lines))
    if pitch > TIGHT * grid.em:
        return False
    x0, x1 = min(line.x0 for line in grid.lines), max(line.x1 for line in grid.lines)
    for y in (grid.lines[0].y - pitch, grid.lines[-1].y + pitch):
        near = lines_of(ink, ink.inside(Box(x0, y - 0.2 * pitch, x1, y + 0.2 * pitch)))
        if not any(len(segments(ink, line.words)) == 1 and line.x1 - line.x0 > 0.6 * (x1 - x0) for line in near):
            return False
    return True


def is_wrapped(ink: Ink, grid: Grid) -> bool:
    """Most columns are running text: their lines break where the next word would not have fitted."""
    votes = []
    for k in range(grid.columns.count):
        column = [p for row in grid.pieces for p in row if p.first == k == p.last]
        if len(column) < 4:
            continue
        right = max(float(ink.box[p.words, 2].max()) for p in column)
        full = [
            units(ink, a.words) > 1 and right - float(ink.box[a.words, 2].max()) < _first_width(ink, b.words[0])
            for a, b in pairwise(column)
        ]
        votes.append(sum(full) > 0.7 * len(full))
    return bool(votes) and sum(votes) > 0.5 * grid.columns.count


def is_contents(ink: Ink, grid: Grid) -> bool:
    """Dot leaders to one number, or titles, maybe under the numbers of sections, with page numbers that only rise."""
    first = [ink.text(row[0].words) for row in grid.pieces]
    numbered = sum(bool(SECTION.fullmatch(text) or MARKER.match(text)) for text in first) >= 0.7 * len(first)
    words = (i for row in grid.pieces for piece in row for i in piece.words)
    if (sum(grid.columns.value[1:]) > 1 and not numbered) or all(is_number(ink.words[i].text) for i in words):
        return False  # leaders from labels to figures, or figures alone
    rows = [ink.text(i for piece in row for i in piece.words) for row in grid.pieces]
    if sum(bool(LEADER.search(text)) for text in rows) >= 0.3 * len(rows):
        return True
    last = [ink.text(row[-1].words) for row in grid.pieces if row[-1].last == grid.columns.count - 1]
    pages = [int(text) for text in last if text.isdecimal()]
    rising = len(pages) >= 4 and len(pages) >= 0.8 * len(last) and pages == sorted(pages)
    return rising and grid.columns.count <= (4 if numbered else 3)


def is_formula(ink: Ink, grid: Grid) -> bool:
    """A few rows of mathematics, or a matrix between brackets of several rows."""
    words = [ink.words[i] for line in grid.lines for i in line.words]
    if sum(word.text in PIECES for word in words) > 1:
        return True
    return sum(word.math for word in words) > 0.4 * len(words) and len(grid.lines) < 6


def _first_width(ink: Ink, first: int) -> float:
    """The room that the word needs at the end of a line; CJK text breaks after any character."""
    width, text = float(ink.box[first, 2] - ink.box[first, 0]), ink.words[first].text
    return (2 * width / len(text) if ord(text[0]) > 0x2E7F else width) + 0.3 * float(ink.size[first])


def value_share(ink: Ink, grid: Grid) -> float:
    """Share of the cells right of the first column, below the header, that hold only values."""
    found = [
        bool(ink.value[piece.words].all())
        for row in grid.pieces[grid.header_lines :]
        for piece in row
        if piece.first > 0
    ]
    return float(np.mean(found)) if found else 0.0


def regular_rows(grid: Grid) -> float:
    """Share of the rows with cells in two or more columns."""
    cells = Counter(slot.row for slot in grid.slots)
    return float(np.mean([count >= 2 for count in cells.values()])) if cells else 0.0
