"""Tables: ruled as a grid, with lines above and below the head, or not at all."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from docparse.synthetic import fonts
from docparse.synthetic.sheet import Element, Piece, Rectangle, Run, Style
from docparse.synthetic.typeset import BlockContext
from docparse.synthetic.words import number, plain, random_string, token

PADDING = 4.0
RULE = 0.7
Cells = list[list[tuple[Piece, ...]]]


@dataclass(frozen=True)
class Grid:
    """The geometry of a table: its top left corner, the width of a column, the height of a row."""

    x: float
    y: float
    share: float
    pitch: float
    rows: int
    columns: int

    @property
    def right(self) -> float:
        return self.x + self.columns * self.share

    @property
    def bottom(self) -> float:
        return self.y + self.rows * self.pitch


def table(context: BlockContext) -> bool:
    """Return a table of two to four columns of words or of numbers, two to seven rows."""
    rng, look, column = context.rng, context.look, context.column
    pitch = look.leading + rng.uniform(1, 4)
    rows = min(column.room(pitch), rng.randint(2, 7))
    count = rng.randint(2, 4 if column.width > 180 else 2)
    if rows < 2:
        return False
    grid = Grid(column.x, column.y, rng.choice([1.0, 1.0, 0.8]) * column.width / count, pitch, rows, count)
    numeric = [rng.random() < 0.5 for _ in range(count)]
    rules, head = rng.choice(["grid", "lines", "none"]), rng.random() < 0.7
    cells = [[_cell(context, grid, r, c, numeric[c], head) for c in range(count)] for r in range(rows)]
    column.sheet.rules += _rules(rules, grid)
    box = (grid.x, grid.y, grid.right, grid.bottom)
    element = Element("table", box, tuple(_pipes(cells)), cells=tuple(tuple(row) for row in cells))
    column.take(element, grid.bottom, rows, look.gap)
    return True


def _cell(context: BlockContext, grid: Grid, row: int, column: int, numeric: bool, head: bool) -> tuple[Piece, ...]:
    """The words of one cell, cut to its width; numbers stand at its right edge. Some cells are empty."""
    look, first = context.look, row == 0
    bold = first and head
    face = f"{look.family}-bold" if bold else look.family
    width = grid.share - 2 * PADDING
    text = _text(context.rng, first, numeric)
    while text and fonts.width(text, face, look.size) > width:
        text = text[:-1]
    text = text.strip(" -/")
    if not text or (not first and context.rng.random() < 0.04):
        return ()
    x = grid.x + column * grid.share + PADDING
    x += width - fonts.width(text, face, look.size) if numeric else 0.0
    pieces = _words(text, x, grid.y + row * grid.pitch + look.size + 1, face, look.size)
    stars = [Piece("**", style="markup")] if bold else []
    return (*stars, *pieces, *stars)


def _text(rng: Random, first: bool, numeric: bool) -> str:
    if first:
        words = [plain(rng).capitalize()]
    elif numeric:
        words = [number(rng)]
    else:
        sources = [plain, plain, random_string, lambda r: token(r, 0.5)]
        words = [rng.choice(sources)(rng) for _ in range(rng.choice([1, 1, 2]))]
    return "".join(char for char in " ".join(words) if char not in "$*_~<>&[]")


def _words(text: str, x: float, baseline: float, face: str, size: float) -> list[Piece]:
    style: Style = "bold" if face.endswith("-bold") else "text"
    pieces: list[Piece] = []
    for index, word in enumerate(text.split(" ")):
        if index:
            pieces.append(Piece(" "))
            x += fonts.width(" ", face, size)
        pieces.append(Piece(word, Run(word, x, baseline, face, size), style))
        x += fonts.width(word, face, size)
    return pieces


def _pipes(cells: Cells) -> list[Piece]:
    """The pieces of a GitHub pipe table."""
    pieces: list[Piece] = []
    for index, row in enumerate(cells):
        pieces.append(Piece("\n| " if index else "| ", style="markup"))
        for position, cell in enumerate(row):
            pieces += [*([Piece(" | ", style="markup")] if position else []), *cell]
        pieces.append(Piece(" |", style="markup"))
        if index == 0:
            pieces.append(Piece("\n| " + " | ".join(["---"] * len(row)) + " |", style="markup"))
    return pieces


def _rules(style: str, grid: Grid) -> list[Rectangle]:
    if style == "none":
        return []
    across = range(grid.rows + 1) if style == "grid" else (0, 1, grid.rows)
    heights = [grid.y + row * grid.pitch for row in across]
    rules = [(grid.x, y - RULE / 2, grid.right, y + RULE / 2) for y in heights]
    if style == "grid":
        edges = [grid.x + column * grid.share for column in range(grid.columns + 1)]
        rules += [(x - RULE / 2, grid.y, x + RULE / 2, grid.bottom) for x in edges]
    return rules
