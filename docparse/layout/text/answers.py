"""Answers to choose from, as exam papers have them: each begins with its letter, "(A)" or "B.", beside or under the one
before."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from docparse.layout.chained import grouped
from docparse.layout.text.markers import CHOICE
from docparse.layout.text.words import LEVEL, Word
from docparse.types import Block, union

BEHIND, BETWEEN = 2.0, 3.0  # em from a letter to its words at most, and between the baselines of two under each other
# em at least before a letter in brackets or with a point as wide as it; before one with a point that is the next one of
# its row; before any other
WHITE, WIDE, ALONE = 0.4, 1.0, 3.0
POINTS = (".", "．", "、")
SHARED = 0.5  # of the height of the lower of two answers in a row, at least, as fractions are tall


def letter_of(text: str) -> str:
    """Return the letter of an answer, if the text is one with its brackets or its point, else ""."""
    return text.strip("(（)）.．、").upper() if CHOICE.fullmatch(text) else ""


def answers_in(words: Sequence[Word]) -> set[int]:
    """Return the ids of the words that are letters of answers: with white before and words behind them, and the letter
    before or after theirs beside or under them."""
    letters = list(filter(None, map(_letter, words, [*words[1:], None])))
    by_letter = grouped((each.letter, each) for each in letters)
    order = sorted(words, key=lambda word: word.box.y0)
    tops, tallest = [word.box.y0 for word in order], max((word.box.height for word in order), default=0.0)
    found = set()
    for each in letters:
        before, after = (by_letter.get(chr(ord(each.letter) + step), []) for step in (-1, 1))
        box = each.word.box
        near = order[bisect_left(tops, box.y0 - tallest) : bisect_right(tops, box.y1)]
        if each.has_company([*before, *after]) and each.begins_answer(before, near):
            found.add(id(each.word))
    return found


@dataclass(frozen=True)
class _Letter:
    """The word that a letter is, or begins, with its brackets or its point; where these end, points; the letter."""

    word: Word
    text: str
    end: float
    letter: str

    def is_level(self, other: _Letter) -> bool:
        return abs(self.word.baseline - other.word.baseline) < LEVEL * self.word.size

    def has_company(self, letters: Sequence[_Letter]) -> bool:
        """Return whether one of the letters before and after it stands in its row, or under or over it."""
        em, place = self.word.size, self.word

        def is_under(other: Word) -> bool:
            return abs(place.box.x0 - other.box.x0) < em and abs(place.baseline - other.baseline) < BETWEEN * em

        return any(self.is_level(other) or is_under(other.word) for other in letters)

    def begins_answer(self, before: Sequence[_Letter], words: Sequence[Word]) -> bool:
        """Return whether there is white before it, and one of the `words` behind it. One without brackets may be an
        initial, or a name: it is the first in its row, or follows the letter `before` it."""
        em, box = self.word.size, self.word.box
        level = [word.box for word in words if word is not self.word and word.box.overlap_y(box) > 0]
        follows = any(self.is_level(other) and other.end < box.x0 for other in before)
        plain = self.text[0] in "(（" or (follows and "．" in self.text)
        least = WHITE if plain else WIDE if follows else ALONE
        white = not any(box.x0 - least * em < other.x1 and other.x0 < box.x0 for other in level)
        return white and any(other.x1 > self.end and other.x0 - self.end < BEHIND * em for other in level)


def _letter(word: Word, after: Word | None) -> _Letter | None:
    """The letter that a word is, alone or with the point behind it, which may be of another font."""
    text, end = word.text, word.box.x1
    if after is not None and after.glued and len(text) == 1 and after.text[0] in POINTS:
        text, end = text + after.text[0], after.box.x0 + after.box.width / len(after.text)
    letter = letter_of(text)
    return _Letter(word, text, end, letter) if letter and not word.math else None


def answers_together(blocks: Sequence[Block]) -> list[list[int]]:
    """Return the indices of the blocks, those of answers in one row together, if nothing else stands among them."""
    rows: list[list[int]] = []
    answers = sorted((block.box.x0, i) for i, block in enumerate(blocks) if letter_of(block.marker))
    for _, i in answers:
        row = next((row for row in rows if _is_next(blocks[row[-1]], blocks[i])), None)
        if row is None:
            rows.append([i])
        else:
            row.append(i)
    rows = [row for row in rows if len(row) > 1 and not _holds_others(blocks, row)]
    taken = {i for row in rows for i in row}
    return [*rows, *([i] for i in range(len(blocks)) if i not in taken)]


def _is_next(answer: Block, block: Block) -> bool:
    level = answer.box.is_level(block.box, SHARED) and answer.box.x1 < block.box.x0
    return level and ord(letter_of(block.marker)) - ord(letter_of(answer.marker)) == 1


def _holds_others(blocks: Sequence[Block], row: Sequence[int]) -> bool:
    box = union(blocks[i].box for i in row)
    return any(box.holds(*block.box.center) for i, block in enumerate(blocks) if i not in row)
