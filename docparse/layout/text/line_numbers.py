"""The numbers of lines in the margin, which manuscripts under review have: no part of the text."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise

from docparse.layout.text.words import Word

FEWEST = 3  # numbers that count
SMALL = 0.9  # times the size of most letters, at most
STEPS = (1, 2, 5, 10)  # from one number to the next
APART = 0.3  # em between the numbers and the text
ASTRAY = 0.02  # share of the words that may stand further out: of running heads


def without_line_numbers(words: Sequence[Word]) -> list[Word]:
    """Return the words without numbers in small type that stand outside of all text of the page, in line at one side,
    and count down it."""
    upright = [word for word in words if word.angle == 0]
    letters = Counter[float]()
    for word in upright:
        letters[word.size] += len(word.text)
    body = max(letters, key=lambda size: (letters[size], size), default=0.0)
    numbers = [word for word in upright if word.text.isdecimal() and len(word.text) < 5 and word.size < SMALL * body]
    columns: dict[tuple[str, float], list[Word]] = defaultdict(list)
    for word in numbers:
        columns["end", round(word.box.x1)].append(word)
        columns["start", round(word.box.x0)].append(word)
    counted: set[int] = set()
    for column in sorted(columns.values(), key=len, reverse=True):
        found = sorted((word for word in column if id(word) not in counted), key=lambda word: word.baseline)
        if len(found) >= FEWEST and _counts(found):
            others = [word for word in upright if id(word) not in counted and word not in found]
            counted |= {id(word) for word in found} if _is_outside(found, others) else set()
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
