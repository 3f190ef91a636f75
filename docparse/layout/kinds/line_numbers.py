"""Numbers of lines, which stand outside of all text and count down the page."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from docparse.layout.chained import grouped
from docparse.layout.text.words import Word, usual_size

FEWEST, STEPS = 3, (1, 2, 5, 10)  # numbers of lines that count, and from one to the next
REDUCED = 0.95  # times the size of most letters, at most: 9 of 10 pt, rounded
APART = 0.3  # em between them and the text
ASTRAY = 0.02  # share of the words that may stand further out: of running heads


def without_line_numbers(words: Sequence[Word]) -> list[Word]:
    """Return the words without numbers that stand outside of all text of the page, in line at one side, and count down
    it in small type."""
    upright = [word for word in words if word.angle == 0]
    body = usual_size(upright)
    small = (word for word in upright if word.size < REDUCED * body)
    numbers = [word for word in small if word.text.isdecimal() and len(word.text) < 5]
    columns = grouped(
        ((side, round(x + shift) - shift), word)
        for word in numbers
        for shift in (0, 0.5)  # numbers of one column may be rounded apart
        for side, x in (("end", word.box.x1), ("start", word.box.x0))
    )
    counted: set[int] = set()
    for column in sorted(columns.values(), key=len, reverse=True):
        found = sorted((word for word in column if id(word) not in counted), key=lambda word: word.baseline)
        if len(found) >= FEWEST and _counts(found):
            own = {id(word) for word in found}
            others = [word for word in upright if id(word) not in counted and id(word) not in own]
            if _is_outside(found, others):
                counted |= own
    return [word for word in words if id(word) not in counted]


def _counts(column: Sequence[Word]) -> bool:
    steps = {int(lower.text) - int(upper.text) for upper, lower in pairwise(column)}
    return len(steps) == 1 and steps.pop() in STEPS


def _is_outside(column: Sequence[Word], others: Sequence[Word]) -> bool:
    """Whether nearly all that is printed on the page is on one side of the column."""
    if not others:
        return False
    gap, astray = APART * column[0].size, int(ASTRAY * len(others))
    left, right = min(word.box.x0 for word in column), max(word.box.x1 for word in column)
    starts, ends = sorted(word.box.x0 for word in others), sorted(word.box.x1 for word in others)
    return right + gap < starts[astray] or left - gap > ends[-1 - astray]
