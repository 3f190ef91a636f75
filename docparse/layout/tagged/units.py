"""Units: stretches of text that the structure tree holds together, such as a paragraph, a heading or an item.

Writers nest elements in many ways: Chromium wraps every run of text in a `NonStruct`, typst puts words right under `P`,
Word has `Span` and `Link` between. A unit is what is left when elements within a line are seen through: consecutive
pieces of content whose nearest element that makes a block of its own is the same.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np

from docparse.layout.tagged.outline import DEEPEST, OUTERMOST
from docparse.pdf.structure import CELLS, NONE, Structure

Kind = Literal["heading", "item", "caption", "note", "code", "text", "free"]

SPANS = ("Span", "Em", "Strong", "Link", "Code", "Quote", "Reference", "BibEntry", "Annot", "Sub", "Formula")
ASIAN = ("Ruby", "RB", "RT", "RP", "Warichu", "WT", "WP")
INLINE = frozenset((*SPANS, *ASIAN, "Lbl", "LBody"))
OUTER = ("Document", "DocumentFragment", "Part", "Art", "Sect")
BOXES = ("NonStruct", "Private", "Div", "")
GROUPING = (*OUTER, "Div", "Figure")
TRANSPARENT = frozenset(("NonStruct", "Private", ""))  # a run of text if words stand right in it, else a block
INSET = TRANSPARENT | {"Sect"}  # within a paragraph: Word tags an inserted object so, such as a formula of MathType
KINDS: dict[str, Kind] = {
    "Title": "heading",
    "H": "heading",
    "LI": "item",
    "Caption": "caption",
    "Note": "note",
    "FENote": "note",
    "Figure": "free",
    "Formula": "free",
    "Code": "code",
    "Artifact": "free",
    "TOCI": "text",
}
NAMED = ("P", "LI", "LBody", "Caption", "Note", "FENote", "BlockQuote", "TOCI")
HEADING = re.compile(r"H([1-9])")


@dataclass(frozen=True, slots=True)
class Unit:
    """One unit. `kind` is what it is; "free" leaves that, and how its lines are grouped, to geometry.

    `level` is that of a heading (1..6), the depth of an item (0..), or how many items other text stands in. `item` is
    the list item around the unit, `cell` the table cell, both as elements or -1. `labelled` says that the item has a
    label of its own, printed or drawn. `named` says that the tree has a paragraph there, not just a box.
    """

    kind: Kind
    element: int
    level: int = 0
    item: int = NONE
    cell: int = NONE
    labelled: bool = False
    named: bool = False


def units_of(
    structure: Structure, has_text: np.ndarray, goes_on: np.ndarray
) -> tuple[tuple[Unit, ...], np.ndarray, np.ndarray]:
    """Return the units of a tree in its order; int32 [k], the unit of each piece of content (-1 where it holds no
    text); and bool [k], pieces that are the marker of an item or a note.

    `has_text` is bool [k], the pieces with words in them; `goes_on` is bool [k], those that begin where the words of
    the piece before end: a box there, such as that of a formula, stands within the line.
    """
    tree = _Tree(structure, has_text)
    of_piece = np.full(len(structure.owners), NONE, np.int32)
    is_label = np.zeros(len(structure.owners), bool)
    units: list[Unit] = []
    begun: set[int] = {NONE}  # items that have their first unit
    of_block: dict[int, int] = {}
    block, bare = NONE, False  # of the last unit; whether it has no words but its label
    for piece in np.flatnonzero(has_text).tolist():
        before, block = block, tree.block(structure.owners[piece])
        label = tree.in_label(structure.owners[piece])
        if units and goes_on[piece] and tree.named(before) == tree.named(block):
            block = before
        if tree.is_paragraph(block) and block in of_block:  # it goes on behind a note within it
            of_piece[piece] = of_block[block]
            continue
        if not (units and (block == before or (bare and tree.first_below(before, block)))):
            units.append(tree.unit(block, begun))
            begun.add(units[-1].item)
            bare = True
        of_block[block] = of_piece[piece] = len(units) - 1
        is_label[piece], bare = label, bare and label
    return tuple(units), of_piece, is_label


class _Tree:
    """Questions to a tree, by the index of an element."""

    def __init__(self, structure: Structure, has_text: np.ndarray) -> None:
        self.elements, self.up = structure.elements, structure.up
        self.spoken = {owner for owner, spoken in zip(structure.owners, has_text.tolist(), strict=True) if spoken}
        self.labelled = {element.parent for element in self.elements if element.kind == "Lbl"}
        self.block, self.named, self.in_label = cache(self._block), cache(self._named), cache(self._in_label)
        self.is_inline, self.is_paragraph = cache(self._is_inline), cache(self._is_paragraph)

    def nearest(self, element: int, kinds: Sequence[str]) -> int:
        return next((e for e in self.up(element) if self.elements[e].kind in kinds), NONE)

    def _block(self, owner: int) -> int:
        """The element that makes a block of what `owner` holds."""
        return next((e for e in self.up(owner) if not self.is_inline(e)), NONE)

    def _named(self, block: int) -> int:
        """The element around a block that is more than a box."""
        return next((e for e in self.up(block) if self.elements[e].kind not in BOXES), NONE)

    def _is_inline(self, element: int) -> bool:
        kind, parent = self.elements[element].kind, self.elements[element].parent
        if kind == "Formula" and (parent == NONE or self.elements[parent].kind in GROUPING):
            return False  # a displayed one
        if kind == "Code" and (parent == NONE or self.elements[parent].kind in OUTER):
            return False
        spoken = kind in TRANSPARENT and element in self.spoken
        return kind in INLINE or spoken or (kind in INSET and self._in_paragraph(element))

    def _in_paragraph(self, element: int) -> bool:
        """A paragraph holds lines, so a box in it stands within one of them."""
        around = (e for e in self.up(element) if self.elements[e].kind not in (*INSET, *SPANS))
        return self.is_paragraph(next(around, NONE))

    def _is_paragraph(self, element: int) -> bool:
        """Is it an element that holds lines, and no blocks?"""
        kind = self.elements[element].kind if element != NONE else ""
        return kind == "P" or HEADING.fullmatch(kind) is not None

    def _in_label(self, owner: int) -> bool:
        """Does the text stand in the label of an item or note, with nothing but runs of text between?"""
        for element in self.up(owner):
            if self.elements[element].kind == "Lbl":
                return self.elements[self.elements[element].parent].kind in ("LI", "Note", "FENote")
            if not self.is_inline(element):
                return False
        return False

    def first_below(self, outer: int, inner: int) -> bool:
        """Return whether `inner` is part of the item or note `outer`, and of none within it."""
        kinds = ("LI", "Note", "FENote")
        return self.elements[outer].kind in kinds and self.nearest(inner, kinds) == outer

    def unit(self, block: int, begun: set[int]) -> Unit:
        """Return the unit that begins in `block`; `begun` are the items that have one already."""
        item, cell = self.nearest(block, ("LI",)), self.nearest(block, CELLS)
        kind, level = self._kind(block)
        if kind == "item" and item in begun:
            kind = "text"
        if kind == "item":
            level = max(0, sum(self.elements[e].kind == "L" for e in self.up(item)) - 1)
        elif item != NONE and kind in ("text", "code"):
            level = sum(self.elements[e].kind == "LI" for e in self.up(item))
        named = block != NONE and self.elements[block].kind in NAMED
        return Unit(kind, block, level, item, cell, item in self.labelled, named)

    def _kind(self, block: int) -> tuple[Kind, int]:
        """Return what the innermost element that says something says of a block; the level of a heading."""
        for element in self.up(block):
            kind = self.elements[element].kind
            if match := HEADING.fullmatch(kind):
                return "heading", min(DEEPEST, int(match[1]))
            if kind in KINDS:
                return KINDS[kind], OUTERMOST if kind in ("Title", "H") else 0
        return "text", 0
