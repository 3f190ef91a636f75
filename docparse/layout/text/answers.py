"""Answers to choose from, as exam papers have them: each begins with its letter, "(A)" or "B.", beside or under the one
before."""

from __future__ import annotations

from collections.abc import Sequence

from docparse.layout.text.markers import CHOICE
from docparse.layout.text.words import Word
from docparse.types import Block, union

BEHIND, BETWEEN = 2.0, 3.0  # em from a letter to its words at most, and between the baselines of two under each other
WHITE, WIDE = 0.4, 1.0  # em at least before a letter in brackets, and before one with a point, which may be an initial
LEVEL = 0.3  # em between the baselines of a row
SHARED = 0.5  # of the height of the lower of two answers in a row, at least, as fractions are tall


def letter_of(text: str) -> str:
    """Return the letter of an answer, if the text is one with its brackets or its point, else ""."""
    return text.strip("(（)）.．、").upper() if CHOICE.fullmatch(text) else ""


def answers_in(words: Sequence[Word]) -> set[int]:
    """Return the ids of the words that are letters of answers: with white before and words behind them, and the letter
    before or after theirs beside or under them."""
    letters = [word for word in words if letter_of(word.text) and not word.math]
    found = [word for word in letters if any(_goes_on(word, other) for other in letters)]
    return {id(word) for word in found if _begins_answer(word, words)}


def _goes_on(word: Word, other: Word) -> bool:
    em, step = word.size, abs(word.baseline - other.baseline)
    under = abs(word.box.x0 - other.box.x0) < em and step < BETWEEN * em
    return abs(ord(letter_of(word.text)) - ord(letter_of(other.text))) == 1 and (under or step < LEVEL * em)


def _begins_answer(letter: Word, words: Sequence[Word]) -> bool:
    em, box = letter.size, letter.box
    level = [word.box for word in words if word is not letter and word.box.overlap_y(box) > 0]
    least = (WHITE if letter.text[0] in "(（" else WIDE) * em
    white = not any(box.x0 - least < other.x1 and other.x0 < box.x0 for other in level)
    return white and any(0 <= other.x0 - box.x1 < BEHIND * em for other in level)


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
    height = min(answer.box.height, block.box.height)
    level = answer.box.overlap_y(block.box) > SHARED * height and answer.box.x1 < block.box.x0
    return level and ord(letter_of(block.marker)) - ord(letter_of(answer.marker)) == 1


def _holds_others(blocks: Sequence[Block], row: Sequence[int]) -> bool:
    box = union(blocks[i].box for i in row)
    return any(box.holds(*block.box.center) for i, block in enumerate(blocks) if i not in row)
