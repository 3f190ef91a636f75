"""Typewriters have no bold type: a title is a line of its own with a stroke under all of it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from docparse.layout.tables.rules import Rule, split_rules
from docparse.layout.text.lines import Line
from docparse.layout.text.stacks import Rows

# em:
ENDS = 0.6  # between the ends of a line and those of its stroke
ABOVE, BELOW = 0.2, 0.5  # from the baseline to the stroke, on pages that lean
LETTERS = 3  # of a title at least


def with_underlined(lines: Sequence[Line], rulings: np.ndarray) -> list[Line]:
    """Return the lines; those that have a stroke of their length under them, and no line beside them, are bold."""
    level, _ = split_rules(rulings)
    if not level:
        return list(lines)
    rows = Rows(lines)
    return [
        _bold(line) if any(_is_under(rule, line) for rule in level) and len(rows.of(i)) == 1 else line
        for i, line in enumerate(lines)
    ]


def _is_under(rule: Rule, line: Line) -> bool:
    em, box = line.size, line.box
    below = -ABOVE * em < rule.at - line.baseline < BELOW * em
    return below and max(abs(rule.lo - box.x0), abs(rule.hi - box.x1)) < ENDS * em


def _bold(line: Line) -> Line:
    if sum(map(str.isalpha, line.text)) < LETTERS:
        return line
    return Line(tuple(msgspec.structs.replace(word, bold=True) for word in line.words))
