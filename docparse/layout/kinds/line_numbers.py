"""Numbers of lines, which stand outside of all text and count down the page."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from docparse.layout.chained import grouped
from docparse.layout.text.words import Word, usual_size

FEWEST, STEPS = 3, (1, 2, 5, 10)  # numbers of lines that count, and from one to the next
REDUCED = 0.95  # times the size of most letters, at most: 9 of 10 pt, rounded
RAISED = 0.15  # em, at least: half of what TeX and Word raise the marks of notes by
LINES = 3.0  # times the size of a mark, half that of the text, from one to the next at least: notes of two lines
APART = 0.3  # em between them and the text
ASTRAY = 0.05  # share of the lines that may stand further out: of running heads


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
            if _is_outside(found, others) and not _are_marks(found, others):
                counted |= own
    return [word for word in words if id(word) not in counted]


def _counts(column: Sequence[Word]) -> bool:
    steps = {int(lower.text) - int(upper.text) for upper, lower in pairwise(column)}
    return len(steps) == 1 and steps.pop() in STEPS


def _are_marks(column: Sequence[Word], others: Sequence[Word]) -> bool:
    """Whether numbers stand over the baselines of the words beside them and further apart than lines, as those of notes
    do."""
    rises, steps = [], [(b.baseline - a.baseline) / a.size for a, b in pairwise(column)]
    for number in column:
        level = [word for word in others if word.box.overlap_y(number.box) > 0]
        word = min(level, key=lambda word: abs(word.box.center[0] - number.box.center[0]), default=number)
        rises.append((word.baseline - number.baseline) / word.size)
    return median(rises) > RAISED and median(steps) > LINES


def _is_outside(column: Sequence[Word], others: Sequence[Word]) -> bool:
    """Whether nearly all lines of the page are on one side of the column."""
    if not others:
        return False
    rows = grouped((round(word.baseline), word.box) for word in others).values()
    gap, astray = APART * column[0].size, int(ASTRAY * len(rows))
    left, right = min(word.box.x0 for word in column), max(word.box.x1 for word in column)
    starts, ends = (
        sorted(min(box.x0 for box in row) for row in rows),
        sorted(max(box.x1 for box in row) for row in rows),
    )
    return right + gap < starts[astray] or left - gap > ends[-1 - astray]
