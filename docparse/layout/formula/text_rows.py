"""Lines of running text that loose symbols are put back into, and how near to its place in one a symbol stands."""

from __future__ import annotations

from bisect import bisect_left, insort

from docparse.layout.formula.evidence import is_prose
from docparse.layout.formula.symbols import BARS, BIG, CLOSING, LIMITS, PIECES
from docparse.layout.text.lines import SCRIPT, Line
from docparse.layout.text.words import Word
from docparse.types import Box

NEAR = 0.7  # em: symbols of one formula, and a formula and the words around it, stand at most this far apart
LIMITED = 2.0  # em: as far from a line stands an operator with its limits between
TOUCH = 0.3  # em: a script stands at most this far from its base
LEVEL = 0.2  # em: baselines of one line differ at most by this
MIDDLE, TALL = 0.25, 1.3  # em from a line's baseline up to the middle of brackets; from there to their pieces, at most


class TextRow:
    """A line of prose, or a choice, that symbols are put back into. `words` are sorted by their left edge."""

    def __init__(self, line: Line) -> None:
        self.line = line
        largest = max(line.words, key=lambda word: word.size)
        prose = Line(tuple(word for word in line.words if is_prose(word)) or (largest,))
        self.size, self.baseline = prose.size, prose.baseline
        self.words = sorted(line.words, key=left_edge)
        self.added: set[int] = set()
        self.halves: dict[int, tuple[float, int]] = {}  # where the fraction begins; 1 in the half that does, else 2

    def add(self, word: Word) -> None:
        insort(self.words, word, key=left_edge)
        self.added.add(id(word))

    def near(self, box: Box, reach: float) -> list[Word]:
        """Return words at most `reach` to the left or right of a box."""
        start = bisect_left(self.words, box.x0 - reach - 12 * self.size, key=left_edge)
        end = bisect_left(self.words, box.x1 + reach, key=left_edge)
        return [word for word in self.words[start:end] if word.box.x1 > box.x0 - reach]

    def is_free(self, box: Box) -> bool:
        """No word on the line is printed where the box is."""
        level = (w for w in self.near(box, 0) if abs(w.baseline - self.baseline) < LEVEL * self.size)
        return not any(_collide(word, box) for word in level)

    def distance(self, word: Word) -> float | None:
        """Return how far from its usual place a symbol stands that is part of the line; None for one that is not."""
        if _is_piece(word):
            return self._as_piece(word)
        if word.size > SCRIPT * self.size:
            return self._beside(word)
        return self._as_script(word)

    def _beside(self, word: Word) -> float | None:
        """A symbol of full size that fills a gap of the line or goes on it, or an arrow over symbols of it."""
        distance = abs(word.baseline - self.baseline)
        if is_arrow(word) and word.baseline < self.baseline - LEVEL * self.size and distance < self.size:
            return distance if self.near(word.box, 0) else None
        if distance > LEVEL * self.size or not self.is_free(word.box):
            return None
        reach = LIMITED if is_operator_word(word) else NEAR
        return distance if self.near(word.box, reach * self.size) else None

    def _as_piece(self, word: Word) -> float | None:
        """A piece of a tall bracket or bar around the middle of the line."""
        distance = abs(word.box.center[1] - self.baseline + MIDDLE * self.size)
        near = self.near(word.box, NEAR * self.size)
        beside = any(not is_prose(other) or other.box.x1 < word.box.x1 for other in near)
        return distance if distance < TALL * self.size and beside else None

    def _as_script(self, word: Word) -> float | None:
        """A small symbol that is a script or a limit in the line."""
        em, fall = self.size, abs(word.baseline - self.baseline)
        for other in self.near(word.box, em):
            gap = word.box.x0 - other.box.x1
            if other.size <= SCRIPT * em:
                level = abs(other.baseline - word.baseline) < LEVEL * word.size
                if level and min(abs(gap), abs(other.box.x0 - word.box.x1)) < TOUCH * em:
                    return fall
            elif is_operator_word(other) and is_under(word.box, other, em):
                return fall - 0.5 * em
            elif -0.5 * em < gap < TOUCH * em and 0.08 * em < fall < _reach(other, em) and not is_prose(other):
                return fall
        return None


def is_arrow(word: Word) -> bool:
    """Return whether it is what TeX prints over a vector: an arrow that strokes may lengthen."""
    return set(word.text) <= set("−⎯→←") and word.text != "−"


def is_operator_word(word: Word) -> bool:
    """Return whether limits may stand over and under the end of a word."""
    return word.text[-1:] in BIG or word.text in LIMITS


def is_under(box: Box, operator: Word, em: float) -> bool:
    """Return whether a box is over or under an operator, which may be the last character of a word; `em` is the size of
    the line."""
    x0 = operator.box.x1 - operator.box.width / len(operator.text) if operator.text[-1] in BIG else operator.box.x0
    return x0 - 0.8 * em < box.center[0] < operator.box.x1 + 0.5 * em


def left_edge(word: Word) -> float:
    """Return where a word begins, points."""
    return word.box.x0


def _is_piece(word: Word) -> bool:
    return word.math and all(char in PIECES or char in BARS for char in word.text)


def _reach(base: Word, em: float) -> float:
    """Return how far from the line the baseline of a script is at most: the more, the taller its bracket is."""
    return max(0.7 * em, 0.6 * base.box.height) if base.text in CLOSING else 0.7 * em


def _collide(word: Word, box: Box) -> bool:
    """Both claim one place; slanted symbols reach into the one behind them."""
    shared = min(word.box.x1, box.x1) - max(word.box.x0, box.x0)
    if (word.box.x0 < box.x0) == (word.box.x1 < box.x1):
        return shared > 0.6 * max(word.box.width, box.width)
    return shared > 0.35 * box.width
