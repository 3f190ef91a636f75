"""Which lines of a page image are monospaced: their characters stand at equal distances."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import msgspec
import numpy as np

from docparse.hyphenation import is_cjk
from docparse.layout.code.monospaced import TYPED
from docparse.layout.ocr.spaces import STEP
from docparse.layout.text.words import Word

# Measured on 270 lines of 7 page images whose fonts are known, in advances: from a grid of equal steps the characters
# of monospaced lines lie 0.08 to 0.14 (root mean square), those of other lines of 12 letters and more 0.15 to 2.5.
EVEN = 0.14
NARROWEST = 0.34  # of a line's height: monospaced characters are 0.36 to 0.58 wide, those of prose 0.28 to 0.45
GRID = 0.17  # the same from a grid that a longer line gave: others lie 0.18 and more from it
LETTERS = 12  # of a line that tells of itself
PIECE = 6  # characters of a line that may have the advance of another one; a shorter one says nothing
SHORT, SAME = 16, 0.03  # letters: a shorter line is even by chance, unless another one has the same advance or nearly
TALLER = 1.1  # times the highest monospaced line: other lines of that type are lower
ALIKE = 1.4  # times the size of typed words, or a share of it: other words are of a letterhead, or written by hand
LEVEL, NEXT = 0.3, 1.8  # of their height: how far apart what stands on one row and lines over each other are at most


@dataclass(frozen=True, slots=True)
class TypedLine:
    """The text of a line, the middle of each character along it, and the line's own middle and height, in points."""

    text: str
    centers: np.ndarray
    y: float
    height: float

    @property
    def columns(self) -> np.ndarray:
        """int [n]: the indices of the characters that are no spaces."""
        return np.flatnonzero([not character.isspace() for character in self.text])


def advances(lines: Sequence[TypedLine]) -> list[float]:
    """Return the distance of the characters of each line, points; 0 where it is not monospaced.

    A long line tells by itself. A short one has to have the advance of a long one; a bracket or a word of two letters
    is like the line next to it that stands above it or below. Chinese stands at equal distances in any type, so its
    lines are not.
    """
    own = np.array([_own_advance(line) for line in lines])
    same = np.count_nonzero(np.abs(own[:, None] - own) < SAME * own, axis=1)
    tells = (same > 1) | np.array([len(line.columns) >= SHORT for line in lines], bool)
    found = np.where(tells, own, 0.0).tolist()
    known = sorted({advance for advance in found if advance})
    highest = TALLER * max((line.height for line, advance in zip(lines, found, strict=True) if advance), default=0.0)
    for i, line in enumerate(lines):
        alike = line.height <= highest or len(line.columns) >= SHORT  # a bracket or a line beside makes a box higher
        if not found[i] and len(line.columns) >= PIECE and alike and not _is_east(line):
            found[i] = next((advance for advance in known if _fits(line, advance)), 0.0)
    return [advance or _advance_beside(i, lines, found, highest) for i, advance in enumerate(found)]


def _own_advance(line: TypedLine) -> float:
    columns = line.columns
    if sum(map(str.isalpha, line.text)) < LETTERS or _is_east(line):
        return 0.0
    advance, start = np.polyfit(columns, line.centers[columns], 1)
    off = line.centers[columns] - start - advance * columns
    return float(advance) if off.std() < EVEN * advance and advance > NARROWEST * line.height else 0.0


def _is_east(line: TypedLine) -> bool:
    return any(map(is_cjk, line.text))


def _fits(line: TypedLine, advance: float) -> bool:
    """Return whether the characters stand in columns of this width, with any number of empty columns between words; a
    space may have been read as none."""
    columns, shift = [], 0
    for before, index in pairwise([line.columns[0], *line.columns]):
        gap = (line.centers[index] - line.centers[before]) / advance
        if index - before > 1 or gap > STEP:
            shift += max(0, round(gap) - (index - before))
        columns.append(index + shift)
    off = line.centers[line.columns] - advance * np.array(columns)
    return bool(off.std() < GRID * advance)


def _advance_beside(i: int, lines: Sequence[TypedLine], found: Sequence[float], highest: float) -> float:
    """The advance of what stands beside, right above or below a very short line that is no higher than `highest`."""
    line = lines[i]
    if not 0 < len(line.columns) < PIECE or _is_east(line):
        return 0.0
    others = [k for k in range(max(0, i - 2), min(len(lines), i + 3)) if k != i and lines[k].y != line.y]
    nearest = min(others, key=lambda k: abs(lines[k].y - line.y), default=i)
    apart = abs(lines[nearest].y - line.y) / line.height
    if apart < LEVEL or (apart < NEXT and line.height <= highest):
        return found[nearest]
    return 0.0


def typed_alike(words: Sequence[Word]) -> list[Word]:
    """Return the words, monospaced ones in the size that their advance tells: their letters alone tell it badly. On a
    typewritten page all words of about that size are typed, and none is bold or in italics: ribbons wear, and types
    jump."""
    ratios = [_advance(word) / word.size for word in words if word.mono]
    if not ratios:
        return list(words)
    em = float(np.median(ratios))
    sized = [msgspec.structs.replace(word, size=float(_advance(word) / em)) if word.mono else word for word in words]
    if sum(len(word.text) for word in words if word.mono) <= TYPED * sum(len(word.text) for word in words):
        return sized
    size = float(np.median([word.size for word in sized if word.mono]))
    return [
        msgspec.structs.replace(word, size=word.size if word.mono else size, bold=False, italic=False)
        if word.mono or (size / ALIKE < word.size < size * ALIKE and not any(map(is_cjk, word.text)))
        else word
        for word in sized
    ]


def _advance(word: Word) -> float:
    return (word.box.height if word.angle % 180 else word.box.width) / len(word.text)
