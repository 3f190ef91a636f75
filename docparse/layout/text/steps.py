"""Steps: numbers without a point, in larger or bolder type, that stand before the texts that they count."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from docparse.layout.text.lines import Line, downward
from docparse.layout.text.words import Word
from docparse.types import Box

LEAST = 3  # steps
LARGER, SMALLER = 1.15, 0.8  # times the size of the text; bold numbers in circles are smaller
DIGIT = 0.75  # height of a digit in em
FAR = 4.0  # em of the text between a number and its text
ALIGNED = 0.6  # em of the number between edges that agree


def joined_steps(lines: Sequence[Line]) -> list[Line]:
    """Return the lines from top to bottom, numbers of steps as markers before the first lines of their texts."""
    numbers = {i: line.words[0] for i, line in enumerate(lines) if _is_number(line)}
    numbers = {i: word for i, word in numbers.items() if any(_is_next(word, other) for other in numbers.values())}
    if len(numbers) < LEAST:
        return list(lines)
    bare = [Line(line.words[1:]) if i in numbers else line for i, line in enumerate(lines)]
    texts = {i: first for i, word in numbers.items() if (first := _text_of(word, bare)) is not None}
    if len(texts) < LEAST or len(set(texts.values())) < len(texts):
        return list(lines)
    result = [bare[i] if i in texts else line for i, line in enumerate(lines)]
    for i, first in texts.items():
        result[first] = Line((_marker(numbers[i], bare[first].words[0]), *bare[first].words))
    return downward(line for line in result if line.words)


def _is_number(line: Line) -> bool:
    """The line is a number of one or two digits, or begins with one."""
    first = line.words[0]
    apart = len(line.words) == 1 or (not line.words[1].glued and _is_set_off(first, line.words[1]))
    return apart and first.text.isdecimal() and len(first.text) < 3 and not line.rtl


def _is_set_off(number: Word, text: Word) -> bool:
    return number.size > LARGER * text.size or (number.bold and not text.bold and number.size > SMALLER * text.size)


def _is_next(number: Word, other: Word) -> bool:
    """One counts on from the other, further down, in one style and on one edge."""
    step = int(other.text) - int(number.text)
    edges = ((word.box.x0, word.box.x1, word.box.center[0]) for word in (number, other))
    aligned = any(abs(a - b) < ALIGNED * number.size for a, b in zip(*edges, strict=True))
    alike = (number.size, number.bold) == (other.size, other.bold)
    return abs(step) == 1 and (other.baseline > number.baseline) == (step > 0) and aligned and alike


def _text_of(number: Word, lines: Sequence[Line]) -> int | None:
    """The uppermost line beside a number, if it is set in other type."""
    top = number.baseline - DIGIT * number.size
    worded = ((i, line) for i, line in enumerate(lines) if line.words)
    level = ((i, line) for i, line in worded if top < line.baseline and line.box.center[1] < number.baseline)
    beside = [i for i, line in level if 0 < line.box.x0 - number.box.x1 < FAR * line.size]
    first = min(beside, key=lambda i: lines[i].baseline, default=None)
    return first if first is not None and _is_set_off(number, lines[first].words[0]) else None


def _marker(number: Word, text: Word) -> Word:
    box = Box(number.box.x0, text.box.y0, number.box.x1, text.box.y1)
    return msgspec.structs.replace(text, text=f"{number.text}.", box=box, glued=False)
