"""Algorithms as papers print them: lines between three rules of one length, the first two with the name between."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from docparse.layout.chained import chained
from docparse.layout.geometry import level_strokes
from docparse.layout.text.line_ends import STEP, steps
from docparse.layout.text.lines import Line
from docparse.layout.text.words import LEVEL, Word
from docparse.types import Box

NAME = re.compile(r"(?:algorithm|algorithmus|algorithme|algoritmo|procedure|protocol)", re.IGNORECASE)
NUMBER = re.compile(r"\d+(?:\.\d+)*[.:]?")
LINE_NUMBER = re.compile(r"\d{1,3}[.:]?")
EVEN = 2.0  # points by which the ends of the rules differ at most
OVER = 2.5  # em from the first rule to the baseline of the name, at most
NAMED = 4.0  # em between the first two rules, at most: a name of two lines
LEAST = 2  # lines of an algorithm


@dataclass(frozen=True)
class Algorithm:
    """The boxes of the name, which is its caption, and of the lines, in points."""

    name: Box
    lines: Box


def find_algorithms(words: Sequence[Word], rulings: np.ndarray) -> list[Algorithm]:
    """Return the algorithms of a page, whose `rulings` are float [n, 4] strokes in points."""
    rules = sorted(level_strokes(rulings).tolist(), key=lambda rule: rule[1])
    ordered = sorted(words, key=lambda word: word.index)
    names = [a for a, b in pairwise(ordered) if NAME.fullmatch(a.text) and NUMBER.fullmatch(b.text)]
    found = [each for name in names if (each := _algorithm(name, rules)) is not None]
    # the columns of a table may be named after algorithms
    return [each for each in found if sum(each.name.holds(*name.box.center) for name in names) == 1]


def _algorithm(name: Word, rules: Sequence[Sequence[float]]) -> Algorithm | None:
    """Return the algorithm whose name begins with this word, if it is right under a rule with two more below."""
    em = name.size
    for x0, top, x1, _ in rules:
        if not (0 < name.baseline - top < OVER * em and x0 - EVEN < name.box.x0 < x0 + OVER * em):
            continue
        below = [r[1] for r in rules if r[1] > name.baseline and max(abs(r[0] - x0), abs(r[2] - x1)) < EVEN]
        if len(below) > 1 and below[0] - top < NAMED * em:
            return Algorithm(Box(x0, top, x1, below[0]), Box(x0, below[0], x1, below[1]))
    return None


def whole_lines(lines: Sequence[Line]) -> list[Line]:
    """Return the lines, each with what stands level with it: the number of an indented line is far before it."""
    level = chained(
        sorted(lines, key=lambda line: (line.baseline, line.box.x0)),
        lambda row, line: line.baseline - row[0].baseline < LEVEL * line.size,
    )
    return [Line(tuple(w for line in sorted(row, key=lambda line: line.box.x0) for w in line.words)) for row in level]


def line_starts(lines: Sequence[Line]) -> dict[int, str]:
    """Return for each line but the last the break behind it and the indentation of the next one, which the numbers of
    lines have not."""
    numbered = [LINE_NUMBER.fullmatch(line.words[0].text) is not None and len(line.words) > 1 for line in lines]
    counted = 2 * sum(numbered) > len(lines)  # what goes in and comes out has none
    starts = [line.words[counted and own].box.x0 for line, own in zip(lines, numbered, strict=True)]
    return {i: "\n" + STEP * step for i, step in enumerate(steps(starts, lines[0].size)[1:])}
