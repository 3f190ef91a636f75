"""Formulas that are objects of their own in a paragraph or a cell, as MathType's are in Word: what belongs to one the
tree says, whatever stands around it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from msgspec.structs import replace as changed

from docparse.hyphenation import CJK
from docparse.layout.chained import chained, grouped, without
from docparse.layout.formula.evidence import RUN, SMALL_WORDS, TAG, is_symbol
from docparse.layout.formula.find import FoundFormula
from docparse.layout.formula.latex import latex_of
from docparse.layout.tagged.plan import Plan
from docparse.layout.text.words import Word, spaced
from docparse.pdf.structure import NONE
from docparse.types import Box, union

ASCENT = 0.8  # of the size of type: what the box of a word has over its baseline
INDENT = 1.0  # times the size of type that a display stands farther in than the text of its paragraph, at least
UNIT = 3  # letters: mg, MPa, mol
FULL_WIDTH = str.maketrans("（）", "()")


@dataclass(frozen=True)
class _Line:
    """Objects that stand side by side in one unit, each as its words, the other words of the unit on their line, and
    whether these are a display with its number and stop."""

    objects: Sequence[Sequence[Word]]
    beside: Sequence[Word]
    displayed: bool


def with_inserted(words: Sequence[Word], plan: Plan, rulings: np.ndarray) -> list[Word]:
    """Return the words with each formula in a line of text, or in a cell, as one word that has its `latex`. What could
    not be read stays as it is. `rulings` is float32 [n, 4], the strokes of the page."""
    made: dict[int, Word] = {}
    taken: list[Word] = []
    for line in _lines(words, plan):
        for own in () if line.displayed else line.objects:
            latex = latex_of(own, rulings)
            if latex is not None:
                made[id(own[0])] = _whole(own, line.beside, latex)
                taken += own[1:]
    return [made.get(id(word), word) for word in without(words, taken)]


def inserted_displays(words: Sequence[Word], plan: Plan, rulings: np.ndarray) -> list[FoundFormula]:
    """Return the objects that stand on lines of their own; those that nobody can read are left out."""
    place = {id(word): i for i, word in enumerate(words)}
    found = []
    for line in _lines(words, plan):
        chosen = [*(word for own in line.objects for word in own), *line.beside]
        latex = latex_of(chosen, rulings, displayed=True) if line.displayed else None
        if latex is not None:
            members = tuple(sorted(place[id(word)] for word in chosen))
            found.append(FoundFormula(union(word.box for word in chosen), members, latex, 1.0))
    return found


def _lines(words: Sequence[Word], plan: Plan) -> list[_Line]:
    """The lines with objects in them that may be formulas."""
    of_unit = grouped((unit, word) for word in words if (unit := plan.of(word)) != NONE)
    lines = []
    for unit, held in of_unit.items():
        of_object = grouped((owner, word) for word in held if (owner := plan.inserted(word)) != NONE)
        objects = sorted(of_object.values(), key=lambda own: min(word.box.y0 for word in own))
        objects = [own for own in objects if any(is_symbol(word) or word.italic or word.text == "=" for word in own)]
        rest = without(held, (word for own in objects for word in own))
        for level in chained(objects, lambda level, own: _are_level(level[-1], own)):
            box = union(word.box for own in level for word in own)
            beside = [word for word in rest if box.y0 < word.baseline <= box.y1]
            displayed = plan.units[unit].cell == NONE and _is_displayed(box, beside, rest)
            lines.append(_Line(level, beside, displayed))
    return lines


def _are_level(one: Sequence[Word], other: Sequence[Word]) -> bool:
    return union(word.box for word in one).is_level(union(word.box for word in other), 0.5)


def _is_displayed(box: Box, beside: Sequence[Word], rest: Sequence[Word]) -> bool:
    """Return whether objects with these words of their paragraph beside them stand on a line of their own: with nothing
    else but punctuation, a unit and a number behind them, and farther in than the text, if there is any."""
    before = (char for word in beside if word.box.x0 < box.x1 for char in word.text)
    said = "".join(word.text if word.glued else f" {word.text}" for word in beside if word.box.x0 >= box.x1)
    behind = RUN.findall(TAG.sub("", said.translate(FULL_WIDTH)))
    units = all(len(run) <= UNIT and run not in SMALL_WORDS and not CJK.search(run) for run in behind)
    text = without(rest, beside)
    margin = min((word.box.x0 + INDENT * word.size for word in text), default=box.x0)
    return units and not any(map(str.isalnum, before)) and box.x0 >= margin


def _whole(own: Sequence[Word], beside: Sequence[Word], latex: str) -> Word:
    """One word in place of those of an object, on the line of the word next to it."""
    box = union(word.box for word in own)
    base = min(beside, key=lambda word: word.box.gap_x(box), default=max(own, key=lambda word: word.size))
    y0 = base.baseline - ASCENT * base.size
    place = Box(box.x0, y0, box.x1, y0 + base.size)
    return changed(own[0], text=spaced(own), latex=latex, box=place, baseline=base.baseline, size=base.size, bold=False)
