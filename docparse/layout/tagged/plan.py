"""The plan of a tagged page: which unit every word belongs to, as far as the tree is believed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from docparse.layout.tagged.units import Kind, Unit, units_of
from docparse.layout.text.groups import Group
from docparse.layout.text.lines import Line
from docparse.layout.text.word_finding import SPACES
from docparse.layout.text.words import Word
from docparse.pdf.codes import among, codes_of
from docparse.pdf.content import Characters
from docparse.pdf.structure import NONE, Structure


@dataclass(frozen=True)
class Plan:
    """The structure tree's say about a page's words. Words are known by `Word.index`, their place in the text layer.

    `unit` and `piece` are int32 [n], of each character; `is_label` is bool [n]. `kinds` are those of the units, as far
    as they are believed.
    """

    structure: Structure
    units: tuple[Unit, ...]
    kinds: tuple[Kind, ...]
    unit: np.ndarray
    piece: np.ndarray
    is_label: np.ndarray

    @cached_property
    def in_order(self) -> np.ndarray:
        """int64 [k]: the characters that belong to a unit, in the order of the tree."""
        known = np.flatnonzero(self.unit != NONE)
        return known[np.lexsort((known, self.piece[known]))]

    def characters_of(self, unit: int) -> np.ndarray:
        """int64 [k]: the characters of a unit, in the order of the tree."""
        return self.in_order[self.unit[self.in_order] == unit]

    @property
    def wholes(self) -> np.ndarray | None:
        """int32 [n]: characters with one number may share a word: a unit, its label apart; None without units."""
        return 2 * self.unit + self.is_label if self.units else None

    def of(self, word: Word) -> int:
        """Return the unit of a word, or -1."""
        units = self._unit_of
        return units[word.index] if word.index < len(units) else NONE  # words seen in pictures come behind all

    @cached_property
    def _unit_of(self) -> list[int]:
        return self.unit.tolist()

    @cached_property
    def _piece_of(self) -> list[int]:
        return self.piece.tolist()

    def is_loose(self, word: Word) -> bool:
        """Return whether geometry has to say what the word belongs to."""
        unit = self.of(word)
        return unit == NONE or self.kinds[unit] == "free"

    def may_be_formula(self, word: Word) -> bool:
        """Return False where the tree has a heading or code, and for an inserted formula that has been read."""
        unit = self.of(word)
        read = word.latex != "" and unit != NONE and self.inserted(word) != NONE
        return not read and (unit == NONE or self.kinds[unit] not in ("heading", "code"))

    def place(self, word: Word) -> tuple[int, int]:
        """Return where the word stands in the order of the tree."""
        return self._piece_of[word.index], word.index

    def inserted(self, word: Word) -> int:
        """Return the object within a paragraph that holds the word, as an element; -1 if there is none."""
        piece = self._piece_of[word.index]
        element = self.structure.owners[piece] if piece != NONE else NONE
        return element if element in self._inserted else NONE

    @cached_property
    def _inserted(self) -> frozenset[int]:
        """The elements that are inserted objects: words stand right in a section within a paragraph."""
        elements, up = self.structure.elements, self.structure.up
        sections = (owner for owner in {*self.structure.owners} if elements[owner].kind == "Sect")
        return frozenset(e for e in sections if any(elements[outer].kind == "P" for outer in up(e)))

    def of_line(self, words: Iterable[Word]) -> int:
        """Return the unit of the first word that has one, or -1."""
        return next((unit for word in words if (unit := self.of(word)) != NONE), NONE)

    def of_group(self, group: Group) -> int:
        return self.of_line(word for line in group.lines for word in line.words)

    def start(self, lines: Iterable[Line]) -> tuple[int, int]:
        """Return where the first of the words stands in the order of the tree; some of them must have a unit."""
        return min(self.place(word) for line in lines for word in line.words if self.of(word) != NONE)

    def leads(self, group: Group) -> bool:
        """Return whether the group holds the first words of its unit."""
        return self.start(group.lines) == self.starts[self.of_group(group)]

    @cached_property
    def starts(self) -> dict[int, tuple[int, int]]:
        """Return where each unit begins, in the order of the tree."""
        order = self.in_order
        first: dict[int, tuple[int, int]] = {}
        for at, unit in zip(order.tolist(), self.unit[order].tolist(), strict=True):
            first.setdefault(unit, (self._piece_of[at], at))
        return first


_NOTHING = np.zeros(0, np.int32)
NO_PLAN = Plan(Structure((), ()), (), (), _NOTHING, _NOTHING, _NOTHING)
"""That of an untagged page: no word belongs to a unit."""


def plan_of(structure: Structure, characters: Characters) -> Plan:
    """Return what `structure` says of the characters of its page, believed or not."""
    piece = characters.piece
    assert piece is not None  # a page with a structure has them
    inked = inked_of(characters)
    has_text = np.bincount(piece[inked & (piece >= 0)], minlength=len(structure.owners)) > 0
    units, unit_of, labels = units_of(structure, has_text, _goes_on(characters, piece, inked, len(structure.owners)))
    unit = np.where(inked & (piece >= 0), np.append(unit_of, NONE)[piece], NONE).astype(np.int32)
    is_label = np.where(piece >= 0, np.append(labels, False)[piece], False)
    return Plan(structure, units, tuple(each.kind for each in units), unit, piece, is_label)


def _goes_on(characters: Characters, piece: np.ndarray, inked: np.ndarray, count: int) -> np.ndarray:
    """bool [k]: pieces that begin on the line, and within an em, of where the text before them ends."""
    at = np.flatnonzero(inked & (piece >= 0))
    at = at[np.lexsort((at, piece[at]))]
    result = np.zeros(count, bool)
    starts = np.flatnonzero(np.diff(piece[at]) > 0) + 1
    here, there = characters.box[at[starts]], characters.box[at[starts - 1]]
    size = characters.size[at]
    em = np.maximum(size[starts], size[starts - 1])
    beside = np.maximum(here[:, 0] - there[:, 2], there[:, 0] - here[:, 2]) < em
    level = np.minimum(here[:, 3], there[:, 3]) > np.maximum(here[:, 1], there[:, 1])
    result[piece[at[starts]]] = beside & level
    return result


def inked_of(characters: Characters) -> np.ndarray:
    """Return bool [n]: the characters that leave a mark."""
    return ~(characters.generated | among(codes_of(characters.text), SPACES))
