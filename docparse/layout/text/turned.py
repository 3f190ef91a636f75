"""Text that runs up, down or upside down on a page: its words put together into lines."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from docparse.hyphenation import is_cjk
from docparse.layout.chained import chained
from docparse.layout.text.lines import Line
from docparse.layout.text.words import Word
from docparse.types import Box

LINK = 2.5  # em: a wider gap along the line starts another one
SAME_LINE = 0.4  # em: baselines closer than this are one line


def is_vertical(words: Sequence[Word]) -> bool:
    """Return whether most of the text is Chinese or Japanese in columns, which are read from right to left."""
    down = sum(is_cjk(char) for word in words if word.angle for char in word.text)
    return 2 * down > sum(len(word.text) for word in words)


def laid_level(words: Sequence[Word], page: Box) -> list[Word]:
    """Return the words of a page that is turned counter-clockwise, so that columns are lines, the first at the top.
    Which way its picture was turned to read a column says nothing: all run down."""
    return [_turned(word, page) for word in words]


def _turned(word: Word, page: Box) -> Word:
    box = word.box.turned(270, page)
    if word.angle in (90, 270):
        below = min(abs(word.baseline - edge) for edge in (word.box.x0, word.box.x1))
        return msgspec.structs.replace(word, box=box, baseline=box.y1 - below, angle=0)
    return msgspec.structs.replace(word, box=box, angle=(word.angle + 270) % 360)


def turned_lines(words: Sequence[Word]) -> list[Line]:
    """Return lines of the words whose `angle` is not 0, each with its words in reading order."""
    ordered = sorted((w for w in words if w.angle), key=lambda w: (w.angle, round(w.baseline), _along(w)[0]))
    return [Line(tuple(line)) for line in chained(ordered, lambda line, word: _follows(line[-1], word), back=4)]


def _along(word: Word) -> tuple[float, float]:
    """Return where the word begins and ends along its own direction of writing, points."""
    box = word.box
    extents = {90: (box.y0, box.y1), 180: (-box.x1, -box.x0), 270: (-box.y1, -box.y0)}
    return extents[word.angle]


def _follows(before: Word, word: Word) -> bool:
    em = max(before.size, word.size)
    level = before.angle == word.angle and abs(before.baseline - word.baseline) < SAME_LINE * em
    return level and -0.5 * em < _along(word)[0] - _along(before)[1] < LINK * em
