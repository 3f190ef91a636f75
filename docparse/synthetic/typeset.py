"""Words to lines: greedy line breaking, ragged or justified, and the pieces of Markdown that go with it; and where a
set block goes: the style of the page, the free part of a column."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from docparse.synthetic import fonts, formulas
from docparse.synthetic.formulas import Formula
from docparse.synthetic.sheet import Element, Kind, Piece, Rectangle, Run, Sheet


@dataclass(frozen=True, slots=True)
class Word:
    """A printed word with its face, or a formula; `bold` words are emphasised in the Markdown."""

    text: str
    face: str
    formula: Formula = ()
    bold: bool = False

    def width(self, size: float) -> float:
        return formulas.length(self.formula, size) if self.formula else fonts.width(self.text, self.face, size)


@dataclass(slots=True)
class Lines:
    """Set lines: their pieces, the bars of fractions, their leading and count, and how far the widest line reaches."""

    pieces: list[Piece] = field(default_factory=list)
    rules: list[Rectangle] = field(default_factory=list)
    leading: float = 0.0
    count: int = 0
    right: float = 0.0


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
class BlockContext:
    """The input of a builder of blocks."""

    rng: Random
    look: Look
    column: Column


def fill(
    draw: Callable[[], Word], size: float, widths: Callable[[int], float], lines: int, last: float
) -> list[list[Word]]:
    """Draw words until `lines` lines of `widths(line)` pixels are full, the last one to its share `last`."""
    result: list[list[Word]] = [[]]
    used = 0.0
    for _ in range(60 * lines):
        word = draw()
        space = fonts.width(" ", word.face, size) if result[-1] else 0.0
        wide = word.width(size)
        room = widths(len(result) - 1) * (last if len(result) == lines else 1.0)
        if used + space + wide > room:
            if len(result) == lines:
                break
            if wide > widths(len(result)):
                continue
            result.append([])
            space = used = 0.0
        result[-1].append(word)
        used += space + wide
    return [line for line in result if line]


def set_lines(
    lines: list[list[Word]], size: float, leading: float, x: Callable[[int], float], baseline: float,
    justify: float = 0.0,
) -> Lines:  # fmt: skip
    """Place `lines` one below the other; `justify` is the width that all but the last are stretched to, or 0."""
    result = Lines(leading=leading, count=len(lines))
    for index, line in enumerate(lines):
        left = x(index)
        gap = fonts.width(" ", line[0].face, size)
        if justify and index < len(lines) - 1 and len(line) > 1:
            free = justify - sum(word.width(size) for word in line)
            gap = min(free / (len(line) - 1), 2.5 * gap)
        for position, word in enumerate(line):
            if position or index:
                result.pieces.append(Piece(" "))
            left = _place(word, left, baseline + index * leading, size, result) + gap
        result.right = max(result.right, left - gap)
    _merge_bold(result.pieces)
    return result


def _place(word: Word, x: float, baseline: float, size: float, result: Lines) -> float:
    if word.formula:
        pieces, rules, end = formulas.place(word.formula, x, baseline, size)
        result.pieces += [Piece("$", style="markup"), *pieces, Piece("$", style="markup")]
        result.rules += rules
        return end
    run = Run(word.text, x, baseline, word.face, size)
    result.pieces.append(Piece(word.text, run, "bold" if word.bold else "text"))
    return x + word.width(size)


def _merge_bold(pieces: list[Piece]) -> None:
    """Put asterisks round every series of bold words, whose inner spaces become bold too."""
    bold = [index for index, piece in enumerate(pieces) if piece.style == "bold"]
    if bold:
        first, end = bold[0], bold[-1] + 1  # bold words of a block are neighbours
        stars = Piece("**", style="markup")
        inner = [Piece(" ", style="bold") if piece.text == " " else piece for piece in pieces[first:end]]
        pieces[first:end] = [stars, *inner, stars]
