"""Margins amid lines: where columns of newspapers begin, whose gutters are no wider than the spaces of their lines.

One line cannot tell such a gutter from a space. Many can, one under the other, with a word that begins at one place.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from docparse.hyphenation import is_cjk
from docparse.layout.text.lines import Line
from docparse.layout.text.words import Word
from docparse.types import Box

EDGE = 0.15  # em from where a column begins
# em of white before a word: more than between letters, than most spaces, than stretched spaces, than any space
HAIR, SPACE, STRETCHED, CLEAR = 0.25, 0.4, 0.5, 0.9
UNEVEN = 1.25  # times the least space of a line
BEGUN, ENDED = 6, 3  # lines that begin at a margin, and that end at it, at least: more than stand so by chance
MOST = 0.75  # of the words at a margin have more white before them than a space
NARROW = 4.0  # em: what stands before a word and is no wider may be a marker or a number of it
FIGURES = re.compile(r"\d+")
HEADLINE = 1.5  # times as large is type that stands over columns
BESIDE = 2.0  # em between a margin and the end of a line of the column before it
APART = 4.0  # em between one of these lines and the next at most


def is_headline(word: Word, em: float) -> bool:
    """Return whether a word is of a headline over columns in type of `em`, which tell nothing of the white before it.
    A Chinese headline has no spaces, and white in it parts two."""
    return word.size > HEADLINE * em and not is_cjk(word.text[0])


@dataclass(frozen=True)
class Margin:
    """The left edge of a column, and the size of its type, in points."""

    x: float
    y0: float
    y1: float
    em: float

    def is_between(self, left: Word, right: Word, em: float) -> bool:
        """Return whether it runs between two words on a line, or where the second begins, and white parts them: not
        those of a headline over the columns that it is for."""
        level = self.y0 <= right.box.center[1] <= self.y1 and not is_headline(right, self.em)
        white = right.box.x0 - left.box.x1 > HAIR * em
        return level and white and left.box.x1 <= self.x < right.box.x0 + EDGE * em


@dataclass(frozen=True)
class _Row:
    """A line at a margin: the white before it, in em, how wide the text before that is and what it says but for its
    figures, and whether a word begins."""

    box: Box
    white: float
    before: float
    said: str
    begins: bool

    @property
    def is_both(self) -> bool:
        """Return whether it is a line of two columns."""
        return self.begins and self.before > NARROW

    @property
    def tells(self) -> bool:
        """Return whether it begins a column, or leaves more white than a space."""
        return self.white > CLEAR or (self.begins and self.white > SPACE and not 0 < self.before < NARROW)


def inner_margins(lines: Sequence[Line]) -> list[Margin]:
    """Return where columns begin amid lines. Words in typewriter type stand under each other by chance."""
    rows = sorted((line for line in lines if line.share("mono") < 0.5), key=lambda line: line.box.y0)
    inside = [place for line in rows for place in _places(line)]
    if not inside:
        return []
    begun = np.sort([word.box.x0 for line in rows for word in line.words])
    found: list[Margin] = []
    tried: set[int] = set()  # half points: no margins are nearer
    for x, y, em in inside:
        if round(2 * x) in tried:
            continue
        tried.add(round(2 * x))
        alike = np.searchsorted(begun, x + EDGE * em) - np.searchsorted(begun, x - EDGE * em)
        if alike >= BEGUN and not any(abs(m.x - x) < EDGE * em and m.y0 <= y <= m.y1 for m in found):
            found += _margins_at(x, em, rows)
    return found


def _places(line: Line) -> list[tuple[float, float, float]]:
    """Return where a column may begin in a line of stretched spaces, which differ as those of typewriters do not: the
    left edge of a word, the middle of its height, and its size."""
    pairs = [(right.box.x0 - left.box.x1, right) for left, right in pairwise(line.words) if not right.glued]
    spaces = [gap for gap, _ in pairs]
    if len(spaces) < 2 or max(spaces) <= UNEVEN * min(spaces):
        return []
    wide = (word for gap, word in pairs if gap > STRETCHED * word.size and word.text[0].isalnum())
    return [(word.box.x0, word.box.center[1], word.size) for word in wide]


def _margins_at(x: float, em: float, rows: Sequence[Line]) -> list[Margin]:
    """The margins at `x`: runs of lines, from the top down, none of which has a word across."""
    runs: list[list[_Row]] = [[]]
    ends: list[list[Box]] = [[]]  # the lines of the column before, beside each run
    for line in rows:
        box = line.box
        if x - BESIDE * em < box.x1 < x:
            ends[-1].append(box)
        elif box.x0 < x + EDGE * em and box.x1 > x:
            row = _row(line, x, em)
            if row.white == 0 or (runs[-1] and box.y0 - runs[-1][-1].box.y1 > APART * em):
                runs.append([])
                ends.append([])
            if row.begins or row.white > CLEAR:
                runs[-1].append(row)
    pairs = zip(runs, ends, strict=True)
    return [_extent(x, em, run) for run, ended in pairs if _is_margin(run, len(ended))]


def _row(line: Line, x: float, em: float) -> _Row:
    first, near = line.box.x0, EDGE * em
    inside = first < x - near
    white = gap_at(line.words, x - near) / em if inside else math.inf
    begins = white > HAIR and any(abs(word.box.x0 - x) < near for word in line.words)
    said = " ".join(FIGURES.sub("1", word.text) for word in line.words if word.box.x1 < x)
    return _Row(line.box, white, (x - first) / em if inside else 0.0, said, begins)


def _is_margin(run: Sequence[_Row], ended: int) -> bool:
    """Return whether enough lines begin at it and enough end, of which so many are lines of the column before alone.
    Behind the same words in every line, as "1. (2 points)", begins no column."""
    begun = [row for row in run if row.begins]
    if len({row.said for row in begun}) == 1:
        return False
    told = sum(row.tells for row in begun)
    return told >= BEGUN and told >= MOST * len(begun) and ended + sum(row.is_both for row in begun) >= ENDED


def _extent(x: float, em: float, run: Sequence[_Row]) -> Margin:
    told = [row.box for row in run if row.tells]
    return Margin(x, told[0].y0, max(box.y1 for box in told), em)


def gap_at(words: Sequence[Word], x: float, size: float = math.inf) -> float:
    """Return the width of the space at `x` between words in type up to `size`; 0 where one is printed over it."""
    left = max((w.box.x1 for w in words if w.box.x0 < x and w.size <= size), default=-math.inf)
    right = min((w.box.x0 for w in words if w.box.x1 > x and w.size <= size), default=math.inf)
    return max(0.0, right - left) if left <= x <= right else 0.0
