"""The words of justified lines, which stand far apart in narrow columns and are no cells for that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from statistics import median

import msgspec

from docparse.hyphenation import ADDRESS
from docparse.layout.chained import chained
from docparse.layout.text.markers import is_marker
from docparse.layout.text.words import Word, first_width

WIDE, WIDEST = 0.5, 20.0  # em: narrower spaces are spaces anywhere, wider ones never are
# em by which so many spaces differ that are one space, stretched: the next word may have had room
EXACT, SOME = 0.02, 3
SPACE = 0.33  # em: a wide space between words that are not stretched
EVEN, ROUGH = 0.06, 0.25  # em by which the spaces of a line differ; share of them where OCR measured them
AFTER_SENTENCE = 1.6  # times as wide one may be behind a sentence
# em by which right margins differ, as points may hang over them, and left ones where a paragraph or an item begins
FLUSH, INDENT = 0.22, 4.0
NEAR = 2.2  # em between the baselines of a line and the next
AROUND = 8  # rows before and after it that show where the margin is: OCR reads across columns
ENDS = ".!?:;,"


@dataclass(frozen=True)
class _Row:
    """Words stored one after the other on one baseline, from left to right. A marker before the text is left out."""

    words: tuple[Word, ...]

    @cached_property
    def spaces(self) -> list[float]:
        """Return how wide the spaces between the words are, in em."""
        gaps = [right.box.x0 - left.box.x1 for left, right in pairwise(self.words) if not right.glued]
        return [gap / self.size for gap in gaps]

    @cached_property
    def size(self) -> float:
        """Return the size of its type, points: that of the text, beside which code is smaller."""
        return max(word.size for word in self.words)

    @property
    def is_wide(self) -> bool:
        return max(self.spaces, default=0.0) > WIDE

    @property
    def is_close(self) -> bool:
        """Return whether it is several words with but spaces between them."""
        return len(self.spaces) >= SOME and not self.is_wide

    @cached_property
    def is_lettered(self) -> bool:
        """Return whether most words have letters."""
        return 2 * sum(sum(map(str.isalpha, word.text)) > 1 for word in self.words) > len(self.words)

    @property
    def is_even(self) -> bool:
        """Return whether two or more spaces are equal, but for those behind a sentence."""
        if len(self.spaces) < 2:
            return False
        before = [left.text[-1] for left, right in pairwise(self.words) if not right.glued]
        usual = median([s for s, end in zip(self.spaces, before, strict=True) if end not in ENDS] or self.spaces)
        slack = ROUGH * usual if self.words[0].begins else EVEN
        return all(
            abs(space - usual) < slack or (end in ENDS and usual < space < AFTER_SENTENCE * usual)
            for end, space in zip(before, self.spaces, strict=True)
        )

    @property
    def cuts_address(self) -> bool:
        """Return whether it ends within an address in typewriter type."""
        return self.words[-1].mono and ADDRESS.search("".join(word.text for word in self.words)) is not None

    def is_full(self, after: _Row) -> bool:
        """Return whether the row after it is the next line, whose first word would not have had room in this one; it
        may have where a paragraph is broken as a whole, which a line shows whose spaces are the same to a hair."""
        room = sum(space - SPACE for space in self.spaces) * self.size
        exact = len(self.spaces) >= SOME and max(self.spaces) - min(self.spaces) < EXACT
        return self.is_beside(after) and (exact or room < first_width(after.words) + SPACE * self.size)

    def is_beside(self, other: _Row) -> bool:
        """Return whether the other is the line above or below."""
        size = self.size
        return 0.5 * size < abs(other.words[0].baseline - self.words[0].baseline) < NEAR * size

    def is_flush(self, other: _Row, indent: float) -> bool:
        """Return whether both end at one margin, and begin at most `indent` em from each other."""
        size = self.size
        ends = abs(self.words[-1].box.x1 - other.words[-1].box.x1) < FLUSH * size
        return ends and abs(self.words[0].box.x0 - other.words[0].box.x0) < indent * size


def with_stretched_spaces(words: Sequence[Word]) -> list[Word]:
    """Return the words, those behind a space of a justified line with wide spaces marked as `stretched`.

    Such a line ends where one of the lines around it ends, the next word would not have had room in it, and its spaces
    are equally wide. A line of two words has one space, and one of figures tells nothing by its spaces: it begins and
    ends where such a line above or below does.
    """
    rows = _rows(sorted(words, key=lambda word: word.index))
    if not any(row.is_wide for row in rows):
        return list(words)
    full = [any(map(row.is_full, _after(rows, i)[:1])) for i, row in enumerate(rows)]
    found = [full[i] and row.is_lettered and row.is_even and _is_in_column(rows, i) for i, row in enumerate(rows)]
    down = list(pairwise(range(len(rows))))
    for last, i in (*down, *((i, last) for last, i in reversed(down))):
        beside = found[last] and rows[i].is_beside(rows[last]) and rows[i].is_flush(rows[last], FLUSH)
        single = len(rows[i].spaces) == 1
        found[i] |= full[i] and ((single and rows[i].cuts_address) or (beside and (single or rows[i].is_even)))
    wide = (row for row, justified in zip(rows, found, strict=True) if justified and row.is_wide)
    marked = {id(word) for row in wide for word in row.words[1:] if not word.glued}
    return [msgspec.structs.replace(word, stretched=True) if id(word) in marked else word for word in words]


def _rows(words: Sequence[Word]) -> list[_Row]:
    rows = chained(words, lambda row, word: _goes_on(row[-1], word))
    return [_Row(tuple(row[1:] if _begins_with_marker(row) else row)) for row in rows]


def _begins_with_marker(row: Sequence[Word]) -> bool:
    """Return whether a row begins with a marker, and not with an initial before a space as wide as its others."""
    return len(row) > 1 and is_marker(row[0].text) and not (row[0].text[0].isupper() and _Row(tuple(row)).is_even)


def _after(rows: Sequence[_Row], i: int) -> list[_Row]:
    """Return the lines under a row among those that follow it."""
    left, right, y = rows[i].words[0].box.x0, rows[i].words[-1].box.x1, rows[i].words[0].baseline
    near = (row for row in rows[i + 1 : i + 1 + AROUND] if row.words[0].box.x0 < right and row.words[-1].box.x1 > left)
    return [row for row in near if row.words[0].baseline > y and rows[i].is_beside(row)]


def _goes_on(left: Word, right: Word) -> bool:
    if right.begins:
        return False
    level = left.angle == right.angle == 0 and abs(left.baseline - right.baseline) < 0.1 * left.size
    alike = left.size == right.size or left.mono != right.mono
    return level and alike and -0.1 < (right.box.x0 - left.box.x1) / left.size < WIDEST


def _is_in_column(rows: Sequence[_Row], i: int) -> bool:
    """Return whether one of the rows of words around here ends at the margin where this one ends: no row of numbers
    apart."""
    around = (*rows[max(0, i - AROUND) : i], *rows[i + 1 : i + 1 + AROUND])
    return any(rows[i].is_flush(other, INDENT) for other in around if other.is_lettered or other.is_close)
