"""What stands beside the rows of a listing and is none of its text: numbers of lines, and marks of wrapped ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from docparse.layout.listing import LEVEL, CodeBlock, Row
from docparse.layout.text.words import Word
from docparse.types import Box

WRAPS = frozenset((",→", "→", "↪", "↳", "⤷", "↩"))  # marks of wrapped lines
BEFORE = 2.0  # em from such a mark to its line at most


def is_wrap(words: Sequence[Word]) -> bool:
    """Return whether words are the mark of a wrapped line: a bent arrow, which TeX makes of a hook and an arrow."""
    return "".join(word.text for word in words) in WRAPS


def is_number(row: Row) -> bool:
    return len(row.words) == 1 and row.words[0].text.isdecimal()


def with_numbers(block: CodeBlock, loose: Sequence[Row]) -> CodeBlock:
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


def with_wraps(block: CodeBlock, marks: Sequence[Row]) -> CodeBlock:
    """Return the block with the marks of its wrapped lines, each smaller than the row that it stands right before."""

    def is_before(mark: Row, row: Row) -> bool:
        level = abs(mark.baseline - row.baseline) < LEVEL * row.size and mark.size < row.size
        return level and 0 <= row.box.x0 - mark.box.x1 < BEFORE * row.size

    wraps = (next((mark.words for mark in marks if is_before(mark, row)), ()) for row in block.rows)
    return replace(block, rows=tuple(replace(row, wrap=wrap) for row, wrap in zip(block.rows, wraps, strict=True)))


def _counts(numbers: Sequence[Word]) -> bool:
    """One after the other, or every fifth, from top to bottom."""
    values = [int(word.text) for word in sorted(numbers, key=lambda word: word.baseline)]
    steps = {b - a for a, b in pairwise(values)}
    return len(steps) > 0 and min(steps) > 0 and max(steps) <= 10
