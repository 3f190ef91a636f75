"""Numbers of lines, which stand outside of all text and count down the page, and the prompts of a notebook's cells."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from docparse.layout.chained import grouped
from docparse.layout.text.words import LEVEL, Word, usual_size

FEWEST, STEPS = 3, (1, 2, 5, 10)  # numbers of lines that count, and from one to the next
BETWEEN = (5, 10)  # steps between two columns: notes count one by one
REDUCED = 0.95  # times the size of most letters, at most: 9 of 10 pt, rounded
RAISED = 0.15  # em, at least: half of what TeX and Word raise the marks of notes by
LINES = 3.0  # times the size of a mark, half that of the text, from one to the next at least: notes of two lines
CURL = 0.5  # em by which a column of a scan may lean
APART = 0.3  # em between them and the text
MANY = 10  # numbered lines that tell of running text at least
WORDS, CELLS = 4, 2.0  # words of a line of text at least, and em between cells of a table
SPACE = 0.5  # em: between two words, in typewriter type a little more
SOME, MOST = 0.15, 0.75  # of the lines run on at least, as many do not; of those with small letters, most
SEVERAL = 2  # lines of text further in than others: the first ones of paragraphs, quotations
PAPER, EVEN = 24, 0.25  # numbers of a page of courts at least, and how much their steps differ, as OCR measures them
PROMPT = re.compile(r"(?:In|Out)\[\d*\]:?")  # of Jupyter
ASTRAY = 0.05  # share of the lines that may stand further out: of running heads


def without_line_numbers(words: Sequence[Word]) -> list[Word]:
    """Return the words without numbers that stand outside of all text of the page, in line at one side, and count down
    it in small type, or line by line where sentences run on from one to the next; without prompts there, and without
    numbers in small type that count down between two columns of text."""
    upright = [word for word in words if word.angle == 0]
    body = usual_size(upright)
    numbers = [word for word in upright if word.text.isdecimal() and len(word.text) < 5]
    columns = grouped(
        ((side, grid, round(x / grid + shift) - shift), word)
        for word in numbers
        for grid in (1.0, CURL * body)
        for shift in (0, 0.5)  # numbers of one column may be rounded apart
        for side, x in (("end", word.box.x1), ("start", word.box.x0))
    )
    counted = {id(word) for word in _prompts(upright)}
    for column in sorted(columns.values(), key=len, reverse=True):
        found = sorted((word for word in column if id(word) not in counted), key=lambda word: word.baseline)
        if len(found) >= FEWEST and _counts(found):
            own = {id(word) for word in found}
            others = [word for word in upright if id(word) not in counted and id(word) not in own]
            small = all(word.size < REDUCED * body for word in found)
            told = small and not _are_marks(found, others)
            outside = _is_outside(found, others) and (told or _run_on(found, others) or _is_pleading(found, others))
            if outside or (small and _step(found) in BETWEEN and _is_between(found, others)):
                counted |= own
    return [word for word in words if id(word) not in counted]


def _prompts(words: Sequence[Word]) -> list[Word]:
    """The prompts of a notebook's cells, where they stand outside of all text."""
    pairs = [(first, second) for first, second in pairwise(words) if first.text == "In" and second.text[0] == "["]
    alone = [(word,) for word in words if PROMPT.fullmatch(word.text)]
    found = [word for said in (*pairs, *alone) if PROMPT.fullmatch("".join(w.text for w in said)) for word in said]
    own = {id(word) for word in found}
    return found if found and _is_outside(found, [word for word in words if id(word) not in own]) else []


def _counts(column: Sequence[Word]) -> bool:
    return _step(column) in STEPS


def _step(column: Sequence[Word]) -> int:
    """From one number of a column to the next; 0 where it differs."""
    steps = {int(lower.text) - int(upper.text) for upper, lower in pairwise(column)}
    return steps.pop() if len(steps) == 1 else 0


def _are_marks(column: Sequence[Word], others: Sequence[Word]) -> bool:
    """Return whether numbers stand over the baselines of the words beside them and further apart than lines, as those
    of notes do."""
    rises, steps = [], [(b.baseline - a.baseline) / a.size for a, b in pairwise(column)]
    for number in column:
        level = [word for word in others if word.box.overlap_y(number.box) > 0]
        word = min(level, key=lambda word: abs(word.box.center[0] - number.box.center[0]), default=number)
        rises.append((word.baseline - number.baseline) / word.size)
    return median(rises) > RAISED and median(steps) > LINES


def _run_on(column: Sequence[Word], others: Sequence[Word]) -> bool:
    """Return whether each of many lines has its number, and sentences run from line to line, as those of no table or
    list do: a good part of the lines, not all, begin with a small letter, and their first words had no room in the line
    above."""
    size = column[0].size
    level = ([word for word in others if abs(word.baseline - number.baseline) < LEVEL * size] for number in column)
    rows = list(filter(None, level))  # the last page may end early
    if len(rows) < MANY or 2 * sum(_is_text(row, size) for row in rows) < len(rows):
        return False
    firsts = [min(row, key=lambda word: word.box.x0) for row in rows]
    ends = [max(word.box.x1 for word in row) for row in rows]
    small = [i for i in range(1, len(rows)) if firsts[i].text[:1].islower()]
    full = sum(ends[i - 1] + SPACE * size + firsts[i].box.width > max(ends) for i in small)
    return SOME * len(rows) < full < (1 - SOME) * len(rows) and full > MOST * len(small)


def _is_pleading(column: Sequence[Word], others: Sequence[Word]) -> bool:
    """Return whether the numbers are those of the paper of courts: from 1 down the whole page, evenly, whatever stands
    beside them, which is lines of text that leave some of them out, as those of no list with blank rows do."""
    if len(column) < PAPER or column[0].text != "1":
        return False
    steps = sorted(lower.baseline - upper.baseline for upper, lower in pairwise(column))
    bare = [k for k, word in enumerate(column) if not any(other.box.overlap_y(word.box) > 0 for other in others)]
    rows = list(grouped((round(word.baseline), word) for word in others).values())
    texts = [row for row in rows if _is_text(row, column[0].size)]
    if not bare or len(texts) < MANY or steps[-1] - steps[0] >= EVEN * steps[len(steps) // 2]:
        return False
    ended = bare[0] + len(bare) == len(column)  # the text ends before the page does
    return any(_is_between_two(row[0], column) for row in texts) or (ended and _are_indented(texts, column[0].size))


def _is_between_two(word: Word, column: Sequence[Word]) -> bool:
    """Return whether a word stands between the heights of two numbers, level with neither."""
    pairs = ((upper.baseline, lower.baseline) for upper, lower in pairwise(column))
    return any(a + EVEN * (b - a) < word.baseline < b - EVEN * (b - a) for a, b in pairs)


def _are_indented(rows: Sequence[Sequence[Word]], size: float) -> bool:
    """Return whether several lines begin further in than several others."""
    starts = sorted(min(word.box.x0 for word in row) for row in rows)
    return starts[-SEVERAL] - starts[SEVERAL - 1] > size


def _is_text(row: Sequence[Word], size: float) -> bool:
    """Return whether some words stand side by side as words of a sentence do: no row of a list of names, nor of a
    table."""
    along = sorted(row, key=lambda word: word.box.x0)
    return len(row) >= WORDS and all(b.box.x0 - a.box.x1 < CELLS * size for a, b in pairwise(along))


def _is_between(column: Sequence[Word], others: Sequence[Word]) -> bool:
    """Return whether the column stands alone between two of running text, as in patents."""
    gap = APART * column[0].size
    left, right = min(word.box.x0 for word in column) - gap, max(word.box.x1 for word in column) + gap
    level = [word for word in others if column[0].box.y0 < word.box.center[1] < column[-1].box.y1]
    if any(word.box.x1 > left and word.box.x0 < right for word in level):
        return False
    rows = grouped(((word.box.x0 > right, round(word.baseline)), word) for word in level)
    texts = [on_right for (on_right, _), row in rows.items() if _is_text(row, column[0].size)]
    return min(texts.count(False), texts.count(True)) >= MANY


def _is_outside(column: Sequence[Word], others: Sequence[Word]) -> bool:
    """Return whether nearly all lines of the page are on one side of the column."""
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
