"""Where the next block goes: the style of the page, the free part of a column, and how a set block takes its room."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from docparse.synthetic.sheet import Element, Kind, Piece, Sheet
from docparse.synthetic.typeset import Lines


@dataclass(frozen=True)
class Look:
    """The style of a page; sizes in pixels."""

    family: str
    size: float
    leading: float
    gap: float
    justify: bool
    indent: float
    randomness: float
    level: int = 0
    """The level of the next heading, 0 to draw one."""


@dataclass
class Column:
    """A column of `sheet` that is filled from the top: left edge, top of the free part, width, bottom."""

    sheet: Sheet
    x: float
    y: float
    width: float
    bottom: float
    lines: int = 10**6
    """How many lines may still be printed."""

    def room(self, leading: float) -> int:
        return min(self.lines, int((self.bottom - self.y) / leading))

    def take(self, element: Element, bottom: float, lines: int, gap: float) -> None:
        """Add an element that reaches down to `bottom`; the next one begins `gap` below it."""
        self.sheet.elements.append(element)
        self.y, self.lines = bottom + gap, self.lines - lines

    def take_lines(
        self, kind: Kind, pieces: list[Piece], lines: Lines, gap: float, level: int = 0, marker: str = ""
    ) -> None:
        bottom = self.y + lines.count * lines.leading
        self.sheet.rules += lines.rules
        box = (self.x, self.y, lines.right, bottom)
        self.take(Element(kind, box, tuple(pieces), level=level, marker=marker), bottom, lines.count, gap)


@dataclass(frozen=True)
class Draft:
    """What a builder of blocks is given."""

    rng: Random
    look: Look
    column: Column
