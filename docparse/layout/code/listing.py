"""A listing: rows of code with the line breaks and the indentation that they have on the page."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from statistics import median

import numpy as np

from docparse.hyphenation import CJK
from docparse.layout.chained import chained
from docparse.layout.text.words import LEVEL, Word, spaced
from docparse.types import Box, union

COLUMN, SIGN_COLUMN = 1.0, 2.0  # em to words and signs of another font that are not of one row
ACCENTS = str.maketrans("˜ˆ", "~^")
QUOTES, QUOTED = str.maketrans("’‘", "'`"), re.compile(r"‘(?=\S)([^‘’\n]*)’")
LOOSE, LEAST = (1.0, 1.4, 0.002), 1.003  # widths of a cell in letters; narrower ones are full
OFF = 0.12  # columns that words stand off theirs
SET_IN_CELLS = 0.5  # of the letters are monospaced; Chinese ones are not counted
DIGITS = 6  # of the number of a line, at most; `int` raises on thousands
STEP, INDENT = 0.35, "    "  # em between two margins: two spaces of a narrow font are 0.45
CELLS_TOLD = 8  # words that tell how wide the cells are
WRAPS = frozenset((",→", "→", "↪", "↳", "⤷", "↩"))  # marks of wrapped lines
BEFORE = 2.0  # em from such a mark to its line at most
STATEMENT_ENDS = (";", "{", "}")
STRIDE = 10  # from the number of a line to the next one that is printed, at most


@dataclass(frozen=True)
class ListingRow:
    """Words on one baseline, from left to right. `wrap` is the mark before them that says that the line above goes on
    here."""

    words: tuple[Word, ...]
    wrap: tuple[Word, ...] = ()

    @cached_property
    def box(self) -> Box:
        return union(word.box for word in self.words)

    @cached_property
    def baseline(self) -> float:
        return self.words[0].baseline

    @cached_property
    def size(self) -> float:
        return median(word.size for word in self.words)

    @cached_property
    def text(self) -> str:
        return spaced(self.words)


@dataclass(frozen=True)
class CodeBlock:
    """Rows of code from top to bottom, without the numbers of its lines; `numbers` are these."""

    rows: tuple[ListingRow, ...]
    numbers: tuple[Word, ...] = ()

    @cached_property
    def box(self) -> Box:
        return union(row.box for row in self.rows)

    @cached_property
    def words(self) -> tuple[Word, ...]:
        return (*(word for row in self.rows for word in (*row.wrap, *row.words)), *self.numbers)

    @cached_property
    def pitch(self) -> float:
        """Return the usual distance of its baselines, points; 1.2 em where it has one row."""
        size = self.rows[0].size
        places = sorted({row.baseline for row in self.rows} | {word.baseline for word in self.numbers})
        steps = [lower - upper for upper, lower in pairwise(places) if lower - upper > LEVEL * size]
        return min(steps, default=1.2 * size)

    @cached_property
    def text(self) -> str:
        """Return the lines, blank ones too, with spaces where they are on the page; wrapped ones are whole again."""
        left, step = self.box.x0, self.pitch
        words = [word for row in self.rows for word in row.words]
        told = [word for word in words if is_code(word)] or words  # Chinese letters stand loose in their columns
        advance = median(word.box.width / columns(word.text) for word in told for _ in word.text)
        proportional = share_of_mono(self.words) < SET_IN_CELLS
        margins = _margins(self.rows) if proportional else []
        cells = None if proportional else _cells_of(self.rows, advance)
        lines: list[str] = []
        for above, row in zip((None, *self.rows), self.rows, strict=False):
            blank = round((row.baseline - above.baseline) / step) - 1 if above and not row.wrap else 0
            lines += [""] * min(2, max(0, blank))
            if proportional:
                said = _indented(row, margins)
            else:
                said = _in_cells(row, *cells) if cells else _spaced(row, left, advance)
            if row.wrap and lines:
                lines[-1] += f" {said.lstrip()}"
            else:
                lines.append(said)
        return as_typed("\n".join(lines))


def as_typed(text: str) -> str:
    """Return code with the signs of ASCII that fonts of TeX print as accents and as the quotes of text; those beside
    straight ones are meant."""
    if text.isascii():
        return text
    text = text.translate(ACCENTS)
    return text if set(text) & set("'`") else QUOTED.sub(r"'\1'", text).translate(QUOTES)


def is_code(word: Word) -> bool:
    """Set in a monospaced font; Chinese and Japanese type is all of one width and says nothing."""
    return word.mono and not CJK.search(word.text)


def share_of_mono(words: Sequence[Word]) -> float:
    """Return the share of the letters, 0..1, that are monospaced."""
    told = [(word.mono, len(word.text)) for word in words if not CJK.search(word.text)]
    return sum(length for mono, length in told if mono) / max(1, sum(length for _, length in told))


def line_ends(lines: Sequence[Sequence[Word]]) -> dict[int, str]:
    """Return the line breaks behind the lines of a cell, by index, where most of them end as statements do: elsewhere
    words are wrapped, and so are those that a hyphen or a small letter behind no statement goes on with."""
    ended = [line[-1].text.endswith(STATEMENT_ENDS) for line in lines]
    if sum(ended) < 2 or 2 * sum(ended) <= len(lines):
        return {}
    wrapped = [above[-1].text.endswith("-") or below[0].text[0].islower() for above, below in pairwise(lines)]
    return {i: "\n" for i, goes_on in enumerate(wrapped) if ended[i] or not goes_on}


def _cells_of(rows: Sequence[ListingRow], advance: float) -> tuple[float, float] | None:
    """Return where the first cell of a listing begins and how wide each is, where letters stand closer than their
    cells: TeX's listings set every token in the middle of as many cells as it has letters. None where the letters fill
    them."""
    words = [word for row in rows for word in row.words]
    if len(words) < CELLS_TOLD or not advance:
        return None
    middle = np.array([word.box.center[0] for word in words])
    half = np.array([columns(word.text) / 2 for word in words])
    width = advance * np.arange(*LOOSE)[:, None]
    left = (middle - half * width).min(axis=1, keepdims=True)
    column = (middle - left) / width - half
    off = np.abs(column - column.round()).mean(axis=1)
    best = int(off.argmin())
    loose = width[best, 0] > LEAST * advance and off[best] < min(OFF, off[0] / 2)
    return (float(left[best, 0]), float(width[best, 0])) if loose else None


def _in_cells(row: ListingRow, left: float, width: float) -> str:
    """The words of a row, each in its cells."""
    line = ""
    for word in row.words:
        column = round((word.box.center[0] - left) / width - columns(word.text) / 2)
        line += " " * (column - columns(line)) + word.text
    return line


def _margins(rows: Sequence[ListingRow]) -> list[float]:
    """Return where lines begin, from left to right: in type that is not monospaced, columns say nothing."""
    starts = chained(sorted(row.box.x0 for row in rows), lambda near, x: x - near[-1] < STEP * rows[0].size)
    return [near[0] for near in starts]


def _indented(row: ListingRow, margins: Sequence[float]) -> str:
    """The words of a row behind as many indents as there are margins on the left of it."""
    return INDENT * (bisect(margins, row.box.x0) - 1) + row.text


def _spaced(row: ListingRow, left: float, advance: float) -> str:
    """The words of a row, each in its column."""
    line = ""
    for i, word in enumerate(row.words):
        column = round((word.box.x0 - left) / advance) if advance and not word.glued else 0
        eastern = CJK.fullmatch(line[-1:] or " ") and CJK.match(word.text)  # letters that stand apart, and no words
        least = columns(line) + (1 if i and not word.glued and not eastern else 0)
        line += " " * (max(least, column) - columns(line)) + word.text
    return line


def columns(text: str) -> int:
    """Return how many columns of a listing a text fills: letters of Chinese and Japanese have two."""
    return len(text) if text.isascii() else sum(1 + (unicodedata.east_asian_width(char) in "WF") for char in text)


def is_wrap(words: Sequence[Word]) -> bool:
    """Return whether words are the mark of a wrapped line: a bent arrow, which TeX makes of a hook and an arrow."""
    return "".join(word.text for word in words) in WRAPS


def is_number(row: ListingRow) -> bool:
    return len(row.words) == 1 and row.words[0].text.isdecimal()


def rows_of(words: Sequence[Word]) -> list[ListingRow]:
    """Return the words that follow each other in the file on one baseline, whatever the gaps between them; the number
    of a line of code and the mark of a wrapped one are rows of their own where they are in another font, and so is text
    in the next column."""

    def goes_on(row: list[Word], word: Word) -> bool:
        last = row[-1]
        numbered = (len(row) == 1 and last.text.isdecimal()) or is_wrap(row)
        numbered &= is_code(word) > is_code(last) or (CJK.search(word.text) is not None and word.glued is False)
        apart = is_code(word) != is_code(last) and is_far(last, word)
        return not numbered and not apart and abs(word.baseline - last.baseline) < LEVEL * last.size

    ordered = sorted(words, key=lambda word: (word.index, word.box.x0))
    return [ListingRow(tuple(row)) for row in chained(ordered, goes_on)]


def is_far(left: Word, right: Word) -> bool:
    """Return whether white parts two words of a row: more of it where one is a sign."""
    told = any(map(str.isalnum, left.text)) and any(map(str.isalnum, right.text))
    return right.box.x0 - left.box.x1 > (COLUMN if told else SIGN_COLUMN) * left.size


def with_numbers(block: CodeBlock, loose: Sequence[ListingRow]) -> CodeBlock:
    """Return the block with the numbers of its lines set apart, which stand before the rows and count, in type of any
    kind."""
    own = [row.words[0] for row in block.rows if row.words[0].text.isdecimal()]
    rest = [replace(row, words=row.words[row.words[0].text.isdecimal() :]) for row in block.rows]
    rest = [row for row in rest if row.words]
    counted = rest and len(own) > max(1, 0.6 * len(block.rows)) and _counts(own)
    if counted and min(row.box.x0 for row in rest) > max(word.box.x1 for word in own):
        return CodeBlock(tuple(rest), tuple(own))
    reach = Box(block.box.x0 - 6 * block.rows[0].size, block.box.y0, block.box.x0, block.box.y1).padded(2)
    beside = [row.words[0] for row in loose if row.box.inside(reach) > 0.5]
    first = len(block.rows) == 1 and [(w.text, w.size < block.rows[0].size) for w in beside] == [("1", True)]
    return CodeBlock(block.rows, tuple(beside)) if first or (len(beside) > 1 and _counts(beside)) else block


def listing_of(rows: Sequence[Sequence[Word]]) -> CodeBlock:
    """Return rows of words that are known to be a listing, the numbers of its lines apart."""
    return with_numbers(CodeBlock(tuple(ListingRow(tuple(row)) for row in rows)), ())


def with_wraps(block: CodeBlock, marks: Sequence[ListingRow]) -> CodeBlock:
    """Return the block with the marks of its wrapped lines, each smaller than the row that it stands right before."""

    def is_before(mark: ListingRow, row: ListingRow) -> bool:
        level = abs(mark.baseline - row.baseline) < LEVEL * row.size and mark.size < row.size
        return level and 0 <= row.box.x0 - mark.box.x1 < BEFORE * row.size

    wraps = (next((mark.words for mark in marks if is_before(mark, row)), ()) for row in block.rows)
    return replace(block, rows=tuple(replace(row, wrap=wrap) for row, wrap in zip(block.rows, wraps, strict=True)))


def _counts(numbers: Sequence[Word]) -> bool:
    """Return whether numbers rise from top to bottom: one for each line, or for every fifth."""
    if any(len(word.text) > DIGITS for word in numbers):
        return False
    values = [int(word.text) for word in sorted(numbers, key=lambda word: word.baseline)]
    steps = {b - a for a, b in pairwise(values)}
    return len(steps) > 0 and min(steps) > 0 and max(steps) <= STRIDE
