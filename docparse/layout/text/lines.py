"""Lines: words that a reader takes in one sweep."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import msgspec
import numpy as np

from docparse.hyphenation import is_cjk
from docparse.layout.chained import grouped
from docparse.layout.text.wording import is_rtl
from docparse.layout.text.words import Word, spaced, usual_size
from docparse.types import Box, union

SMALL, LARGE = 0.65, 0.9  # times the size of capitals: of small ones
SCRIPT, OFF = 0.87, 0.08  # times the size of its letter, or line, that a script is set in at most; em that it is off
HEADS = 1.1  # times the usual size: bold lines that are larger are so on purpose
BOLD = 0.8  # of the characters of a line that stands in a bold heading: short words are not told
FLUSH, LEADING = 0.5, 1.6  # em between the beginnings, and the baselines, of two lines of a heading at most
ALIKE = 0.08  # of their sizes by which headings in one style are measured apart
# Characters of a line whose size is measured twice as well as that of a shorter one, and Chinese or Japanese ones, each
# of which fills its square: of 581 such words in pictures of 12 documents 98 in 100 are within an eighth of their size.
LONG, LONG_CJK = 13, 3
SMALLER = 0.75  # times the size of a formula: text beside it is larger, scripts are smaller
SOME = 4  # Latin letters of text beside formulas, as long as the name of a function, or half as many Chinese ones
PLAIN = 0.3  # of a line's characters in other type than code: they are its text


def _in_smaller_type(first: Word, rest: Word) -> bool:
    """Return whether a word goes on after its capital in the type of small capitals."""
    cased = rest.glued and first.text[-1:].isupper() and rest.text.isalpha()
    return cased and SMALL < rest.size / first.size < LARGE and abs(rest.baseline - first.baseline) < OFF * first.size


@dataclass(frozen=True)
class Line:
    """Words on one baseline, in logical (reading) order. `size` is the size of most of its characters; an `entry` is a
    label with its value, which goes on with nothing above it."""

    words: tuple[Word, ...]
    entry: bool = False

    @cached_property
    def box(self) -> Box:
        return union(word.box for word in self.words)

    @cached_property
    def main(self) -> Word:
        """Return the word whose style is the line's: the longest of the size that most characters have, names in code
        aside, and letters of formulas, which browsers set larger than the text."""
        plain = tuple(word for word in self.words if not word.mono)
        named = sum(len(word.text) for word in plain) > PLAIN * self.characters
        words = self._text() or (plain if named else self.words)
        if len({word.size for word in words}) > 1:
            size = usual_size(words)
            words = tuple(word for word in words if word.size == size)
            words = self._bases(words) or words
        return max(words, key=lambda word: len(word.text))

    def _text(self) -> tuple[Word, ...]:
        """Return the words with letters that belong to no formula, scripts and names in code aside, of a line with a
        formula and some text; else empty."""
        least = max((SMALLER * word.size for word in self.words if word.math), default=math.inf)
        plain = (word for word in self.words if word.size > least and not (word.math or word.mono))
        text = tuple(word for word in plain if any(map(str.isalpha, word.text)))
        width = sum(1 + is_cjk(char) for word in text for char in word.text)  # Chinese letters are as wide as two
        return text if width >= SOME else ()

    def _bases(self, usual: tuple[Word, ...]) -> tuple[Word, ...]:
        """Return the letters on one baseline whose small scripts most words of a formula are; else empty."""
        size = max(word.size for word in self.words)
        if usual[0].size > SCRIPT * size or not any(word.math for word in usual):
            return ()
        large = tuple(word for word in self.words if word.size == size)
        heights = [large[0].baseline, *(word.baseline for word in large)]
        level = max(heights) - min(heights) < OFF * size
        return large if level and all(abs(word.baseline - heights[0]) > OFF * size for word in usual) else ()

    @cached_property
    def size(self) -> float:
        return self.main.size

    @property
    def type_size(self) -> float:
        """Return the size that the line is set in: of its first capital, where small letters are capitals in smaller
        type, as word processors and browsers make small capitals. The letters of the text may be small or capital."""
        small = [first.size for first, rest in pairwise(self.words) if _in_smaller_type(first, rest)]
        if not small or any(word.text[:1].isupper() and word.text[1:2].islower() for word in self.words):
            return self.size
        return max(self.size, small[0])

    @cached_property
    def baseline(self) -> float:
        return self.main.baseline

    @cached_property
    def text(self) -> str:
        return spaced(self.words)

    @cached_property
    def largest(self) -> float:
        """Return the size of its text or of its formulas, whichever is larger."""
        return max([self.size, *(word.size for word in self.words if word.math)])

    @property
    def start(self) -> float:
        """Return where it begins, in points from the side that it is read from."""
        return -self.box.x1 if self.rtl else self.box.x0

    @cached_property
    def characters(self) -> int:
        return sum(len(word.text) for word in self.words)

    def share(self, style: str) -> float:
        """Share of characters, 0..1, whose word has the flag `style`: "bold", "italic", "small_caps" and so on."""
        if style not in self._shares:
            styled = sum(len(word.text) for word in self.words if getattr(word, style))
            self._shares[style] = styled / max(1, self.characters)
        return self._shares[style]

    @cached_property
    def _shares(self) -> dict[str, float]:
        return {}

    @cached_property
    def rtl(self) -> bool:
        return is_rtl(self.text)

    @cached_property
    def confidence(self) -> float:
        return sum(w.confidence * len(w.text) for w in self.words) / max(1, self.characters)


def downward(lines: Iterable[Line]) -> list[Line]:
    """Return the lines from top to bottom, those at one height from left to right."""
    return sorted(lines, key=lambda line: (line.box.y0, line.box.x0))


def steadied(line: Line) -> Line:
    """Return the line with one size and one baseline for all its words but raised figures: for OCR, whose measures
    jitter, and which tells no names in code by their type."""
    return _reset(line, size=line.size, baseline=line.baseline, mono=False)


def snapped(lines: list[Line], tolerance: float) -> list[Line]:
    """Return the lines; sizes close to the usual one (by a share, half of it for long lines) become exactly that size:
    noise is no heading.

    Downwards only half of that is noise: notes and captions are set in eight or nine tenths of the text's size. Lines
    in bold or italics have a size of their own where it is clearly larger, one for all in one style: it ranks headings.
    The lines of one heading have one size.
    """
    sizes = sorted(size for line in lines for size in [line.size] * line.characters)
    if not sizes:
        return lines
    usual = sizes[len(sizes) // 2]
    set_apart = [line for line in lines if max(map(line.share, ("bold", "italic"))) > 0.9]
    alike = grouped((_style(line), line) for line in set_apart).values()
    own = {id(line): size for like in alike for line, size in zip(like, _steady_sizes(like), strict=True)}
    heads = [line for line in set_apart if own[id(line)] > HEADS * usual]

    def size(line: Line) -> float:
        low, high = (1 - tolerance / 2) * usual, (1 + noise_of(tolerance, line)) * usual
        measured = own.get(id(line), line.size)
        is_head = id(line) in own and measured > HEADS * usual
        if is_head or not (low < line.size and line.type_size < high):
            return measured
        near = (head for head in heads if own[id(head)] <= (1 + tolerance) * line.size)
        return next((own[id(head)] for head in near if _is_of_one_heading(head, line)), usual)

    return [line if size(line) == line.size else _reset(line, size=size(line)) for line in lines]


def noise_of(tolerance: float, *lines: Line) -> float:
    """Return by which share the sizes of lines may be measured wrong: half of the tolerance where all are long."""
    return tolerance / 2 if all(map(_is_long, lines)) else tolerance


def _is_long(line: Line) -> bool:
    return line.characters >= LONG or sum(map(is_cjk, line.text)) >= LONG_CJK


def _steady_sizes(like: Sequence[Line]) -> list[float]:
    """Return for each of some lines in one style the middle size of the characters of nearly its size: short lines are
    measured roughly."""
    size, count = np.array([line.size for line in like]), np.array([line.characters for line in like])
    order, long = np.argsort(size), count >= LONG
    steady = []
    for own, is_long in zip(size.tolist(), long.tolist(), strict=True):
        near = np.abs(size - own) < np.where(long & is_long, ALIKE / 2, ALIKE) * own
        below = np.cumsum((count * near)[order])
        steady.append(float(size[order[np.searchsorted(below, below[-1] // 2, side="right")]]))
    return steady


def _style(line: Line) -> tuple[int, ...]:
    return tuple(round(line.share(style)) for style in ("bold", "italic", "tinted"))


def _is_of_one_heading(head: Line, line: Line) -> bool:
    """Return whether a bold line in one colour stands right over or under another and begins where that does."""
    flush = abs(line.box.x0 - head.box.x0) < FLUSH * head.size
    alike = round(line.share("tinted")) == round(head.share("tinted"))
    return flush and alike and abs(line.baseline - head.baseline) < LEADING * head.size and line.share("bold") > BOLD


def _reset(line: Line, **measures: float) -> Line:
    return Line(tuple(word if word.is_raised else msgspec.structs.replace(word, **measures) for word in line.words))
