"""The layout of a page: positioned words, rules, and the elements they belong to, in reading order. Lengths are pixels
of the unscaled page, and points of its PDF, from the top left corner."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["heading", "paragraph", "item", "table", "formula", "header", "footer"]
Style = Literal["markup", "text", "bold", "math"]
Rectangle = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Run:
    """One word (or symbol) as printed: the left end of its baseline, the face of its font and its size."""

    text: str
    x: float
    baseline: float
    face: str
    size: float


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of Markdown and the run that prints it; markup, spaces and line ends have none."""

    text: str
    run: Run | None = None
    style: Style = "text"


@dataclass(frozen=True, slots=True)
class Element:
    """A block of the page. `cells` are the pieces of a table by row and column; `level` is a heading's."""

    kind: Kind
    box: Rectangle
    pieces: tuple[Piece, ...]
    level: int = 0
    marker: str = ""
    cells: tuple[tuple[tuple[Piece, ...], ...], ...] = ()


@dataclass(slots=True)
class Sheet:
    """A page without pixels. `ink` and `paper` are grey levels, 0 black to 255 white; `skew` is in degrees."""

    width: int
    height: int
    elements: list[Element] = field(default_factory=list)
    rules: list[Rectangle] = field(default_factory=list)
    ink: int = 0
    paper: int = 255
    skew: float = 0.0
    snapped: bool = False
    """Glyphs stand on whole pixels, as renderers put them at low resolutions."""
    noise: float = 0.0
    """Standard deviation of the sensor's noise, in grey levels; anything above 0 makes the page a scan."""
    seed: int = 0

    def reading(self) -> list[Piece]:
        """Return the pieces of the page's Markdown in order: a blank line between blocks, list items together."""
        pieces: list[Piece] = []
        previous = ""
        for element in self.elements:
            if element.kind in ("header", "footer"):  # running lines are not part of the text
                continue
            if previous:
                close = element.kind == previous == "item"
                pieces.append(Piece("\n" if close else "\n\n", style="markup"))
            pieces += element.pieces
            previous = element.kind
        return pieces

    @property
    def markdown(self) -> str:
        return "".join(piece.text for piece in self.reading())

    def runs(self) -> list[Run]:
        """Return everything printed, running lines too."""
        return [piece.run for element in self.elements for piece in element.pieces if piece.run]
