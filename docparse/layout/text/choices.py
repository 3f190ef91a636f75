"""Choices: the answers to a question that stand beside each other, A. to D. in one row."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from docparse.layout.text.lines import Line
from docparse.layout.text.markers import CHOICE
from docparse.layout.text.stacks import Rows, joined

AT = 1.0  # em between edges that agree
NEAR = 3.0  # em to the next row
WRAPS = 1.6  # em to the next line of one answer


def joined_choices(lines: Sequence[Line]) -> list[Line]:
    """Return the lines from top to bottom, with those that begin with one letter after the other on one baseline as one
    line; not where the letter before it or after it stands over or under one of them, or where one goes on in a line
    under it."""
    letters = {i: letter for i, line in enumerate(lines) if (letter := choice_of(line))}
    if len(letters) < 2:
        return list(lines)
    places, rows = Rows(lines), list[list[int]]()
    for i in sorted(letters, key=lambda i: lines[i].box.x0):
        row = [] if any(i in row for row in rows) else _row(lines, i, letters, places)
        rows += [row] if len(row) > 1 else []
    return joined(lines, rows)


def choice_of(line: Line) -> str:
    """Return the letter that the line begins with as the choices of a question do, or ""."""
    found = None if line.rtl else CHOICE.match(line.text)
    return _letter(found) if found else ""


def _letter(found: re.Match[str]) -> str:
    return found[1] or found[2]


def _row(lines: Sequence[Line], i: int, letters: dict[int, str], places: Rows) -> list[int]:
    """The lines from one on to the right as far as each has the next letter; none where they stand in stacks."""
    right = [j for j in places.of(i) if lines[j].box.x0 >= lines[i].box.x0]
    row = right[:1]
    for before, j in pairwise(right):
        if j not in letters or ord(letters[j]) != ord(letters[before]) + 1:
            break
        row.append(j)
    stacked = any(_is_stacked(lines, j, letters) for j in row) or any(_goes_on(lines, j) for j in row[1:])
    return [] if stacked else row


def _is_stacked(lines: Sequence[Line], i: int, letters: dict[int, str]) -> bool:
    """Whether the letter before it or after it begins a line over or under it."""
    line, em = lines[i], lines[i].size
    others = (lines[j] for j, letter in letters.items() if abs(ord(letter) - ord(letters[i])) == 1)
    under = (other.baseline - line.baseline for other in others if abs(other.box.x0 - line.box.x0) < AT * em)
    return any(abs(distance) < NEAR * em for distance in under)


def _goes_on(lines: Sequence[Line], i: int) -> bool:
    """Whether a line that begins no answer begins under this one."""
    line, em = lines[i], lines[i].size
    under = (other for other in lines if 0.5 * em < other.baseline - line.baseline < WRAPS * em)
    return any(line.box.x0 - AT * em < other.box.x0 < line.box.x1 and not choice_of(other) for other in under)
