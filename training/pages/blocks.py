"""The builders of blocks: each sets one heading, paragraph, list, table or formula at the top of a column's free part.

A builder adds elements to the sheet, moves the column's `y` down and returns True, or does nothing and returns False
where there is no room.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from training.pages import fonts
from training.pages.formulas import formula, length, place
from training.pages.sheet import Element, Kind, Piece, Rectangle, Run, Sheet, Style
from training.pages.typeset import Lines, Word, fill, set_lines
from training.pages.words import Vocabulary, number, plain, random_string, token

HEADING_SCALE = {1: 1.5, 2: 1.25, 3: 1.08}


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
    """The free part of a column: left edge, top, width, bottom, and how many lines may still be printed."""

    x: float
    y: float
    width: float
    bottom: float
    lines: int = 10**6

    def room(self, leading: float) -> int:
        return min(self.lines, int((self.bottom - self.y) / leading))


def heading(rng: Random, look: Look, column: Column, sheet: Sheet) -> bool:
    level = look.level or rng.choices([1, 2, 3], [1, 2, 1])[0]
    size = look.size * HEADING_SCALE[level]
    rows = min(column.room(size * 1.2), rng.choice([1, 1, 1, 2]))
    if rows < 1:
        return False
    face = f"{look.family}-bold"
    words = Vocabulary(rng, 0.25 * look.randomness)
    draw = _draw(words, face, first=True)
    lines = fill(draw, size, lambda _: column.width, rows, rng.choice([0.4, 0.6, 0.9]))
    if not lines:
        return False
    set_ = set_lines(lines, size, size * 1.2, lambda _: column.x, column.y + size)
    prefix = Piece("#" * level + " ", style="markup")
    _finish(sheet, look, column, set_, size, size * 1.2, "heading", [prefix, *set_.pieces], level=level)
    return True


def paragraph(rng: Random, look: Look, column: Column, sheet: Sheet) -> bool:
    rows = min(column.room(look.leading), rng.choice([1, 2, 3, 4, 5, 6, 8, 10]))
    if rows < 1:
        return False
    words = Vocabulary(rng, look.randomness)
    draw = _draw(words, look.family, first=True, rng=rng, emphasis=0.12, mathematics=0.1)
    lines = fill(draw, look.size, lambda i: column.width - look.indent * (i == 0), rows, rng.choice([0.3, 0.6, 1.0]))
    if not lines:
        return False
    justify = column.width if look.justify and not look.indent else 0.0
    set_ = set_lines(
        _stopped(lines, look), look.size, look.leading, lambda i: column.x + look.indent * (i == 0),
        column.y + look.size, justify,
    )  # fmt: skip
    _finish(sheet, look, column, set_, look.size, look.leading, "paragraph", set_.pieces)
    return True


def items(rng: Random, look: Look, column: Column, sheet: Sheet) -> bool:
    """A list of one to five items, some of several lines."""
    if column.room(look.leading) < 1:
        return False
    ordered = rng.random() < 0.45
    start, mark, bullet = rng.choice([1, 1, 1, rng.randint(2, 97)]), rng.choice(". . . )".split()), rng.choice("•••–")
    hang, left = look.size * (1.9 if ordered else 1.0), column.x + rng.choice([0.0, 0.5, 1.0]) * look.size
    for index in range(rng.randint(2, 5)):
        rows = min(column.room(look.leading), rng.choice([1, 1, 1, 2, 3]))
        if rows < 1:
            break
        printed = f"{start + index}{mark}" if ordered else bullet
        words = Vocabulary(rng, look.randomness)
        width = column.width - hang - (left - column.x)
        draw = _draw(words, look.family, first=True, rng=rng, mathematics=0.05)
        lines = fill(draw, look.size, lambda _, w=width: w, rows, rng.choice([0.4, 0.7, 1.0]))
        if not lines:
            break
        set_ = set_lines(lines, look.size, look.leading, lambda _: left + hang, column.y + look.size)
        run = Run(printed, left, column.y + look.size, look.family, look.size)
        marker = Piece(printed if ordered else "-", run, "markup")
        pieces = [marker, Piece(" ", style="markup"), *set_.pieces]
        _finish(sheet, look, column, set_, look.size, look.leading, "item", pieces, gap=0.0, marker=printed)
    column.y += look.gap
    return True


def table(rng: Random, look: Look, column: Column, sheet: Sheet) -> bool:
    """Two to four columns, ruled as a grid, with lines above and below the head, or not at all."""
    pitch = look.leading + rng.uniform(1, 4)
    rows = min(column.room(pitch), rng.randint(2, 7))
    count = rng.randint(2, 4 if column.width > 180 else 2)
    if rows < 2:
        return False
    share = rng.choice([1.0, 1.0, 0.8]) * column.width / count
    numeric = [rng.random() < 0.5 for _ in range(count)]
    rules, head = rng.choice(["grid", "lines", "none"]), rng.random() < 0.7
    cells = [
        [_cell(rng, look, row == 0, head, numeric[c], share - 8, column.x + c * share + 4, column.y + row * pitch + look.size + 1)
         for c in range(count)] for row in range(rows)
    ]  # fmt: skip
    right, bottom = column.x + count * share, column.y + rows * pitch
    sheet.rules += _rules(rules, column.x, column.y, share, pitch, count, rows)
    box = (column.x, column.y, right, bottom)
    sheet.elements.append(Element("table", box, tuple(_pipes(cells)), cells=tuple(tuple(row) for row in cells)))
    column.y, column.lines = bottom + look.gap, column.lines - rows
    return True


def display(rng: Random, look: Look, column: Column, sheet: Sheet) -> bool:
    """A formula on its own line, centred."""
    size = look.size * 1.1
    atoms = formula(rng, displayed=True)
    tall = any(atom.above for atom in atoms)
    above, below = (1.5, 1.1) if tall else (1.0, 0.4)
    wide = length(atoms, size)
    if wide > column.width or column.y + (above + below) * size > column.bottom or column.lines < 1:
        return False
    x, baseline = column.x + (column.width - wide) / 2, column.y + above * size
    pieces, bars, end = place(atoms, x, baseline, size)
    fence = Piece("$$", style="markup")
    pieces = [fence, Piece("\n", style="markup"), *pieces, Piece("\n", style="markup"), fence]
    sheet.rules += bars
    sheet.elements.append(Element("formula", (x, column.y, end, baseline + below * size), tuple(pieces)))
    column.y, column.lines = baseline + below * size + look.gap, column.lines - 1
    return True


BUILDERS: dict[Kind, Callable[[Random, Look, Column, Sheet], bool]] = {
    "heading": heading, "paragraph": paragraph, "item": items, "table": table, "formula": display,
}  # fmt: skip


def _draw(
    words: Vocabulary, face: str, first: bool, rng: Random | None = None, emphasis: float = 0.0, mathematics: float = 0.0
) -> Callable[[], Word]:
    """A source of words: the first opens the block, a few in a row may be bold, one may be a formula."""
    count = -1
    bold_at = rng.randrange(1, 9) if rng and rng.random() < emphasis else 10**6
    bold_to = bold_at + (rng.randint(1, 3) if rng else 0)
    math_at = rng.randrange(1, 9) if rng and rng.random() < mathematics else -1
    if bold_at <= math_at < bold_to:
        math_at = -1
    if math_at > 0:
        words.used.add("$")

    def draw() -> Word:
        nonlocal count
        count += 1
        if count == math_at and rng:
            return Word("", face, formula(rng, displayed=False))
        if bold_at <= count < bold_to:
            return Word(plain(words.rng), f"{face}-bold", bold=True)
        return Word(words.first() if first and count == 0 else words.word(), face)

    return draw


def _stopped(lines: list[list[Word]], look: Look) -> list[list[Word]]:
    """`lines` with a full stop at the end, as a paragraph has it."""
    last = lines[-1][-1]
    if not last.formula and not last.bold:
        lines[-1][-1] = Word(last.text.rstrip(",;:.!?…-–—/") + ".", last.face)
    return lines


def _finish(
    sheet: Sheet, look: Look, column: Column, set_: Lines, size: float, leading: float, kind: Kind,
    pieces: list[Piece], gap: float | None = None, level: int = 0, marker: str = "",
) -> None:  # fmt: skip
    bottom = column.y + set_.count * leading
    sheet.elements.append(
        Element(kind, (column.x, column.y, set_.right, bottom), tuple(pieces), level=level, marker=marker)
    )
    sheet.rules += set_.rules
    column.y = bottom + (look.gap if gap is None else gap)
    column.lines -= set_.count


def _cell(
    rng: Random, look: Look, first: bool, head: bool, numeric: bool, width: float, x: float, baseline: float
) -> tuple[Piece, ...]:
    """The words of one cell, cut to its width; numbers stand at its right edge."""
    face = f"{look.family}-bold" if first and head else look.family
    if first:
        words = [plain(rng).capitalize()]
    elif numeric:
        words = [number(rng)]
    else:
        words = [rng.choice([plain, plain, random_string, lambda r: token(r, 0.5)])(rng) for _ in range(rng.choice([1, 1, 2]))]
    text = " ".join(words)
    for char in "$*_~<>&[]":
        text = text.replace(char, "")
    while text and fonts.width(text, face, look.size) > width:
        text = text[:-1]
    text = text.strip(" -/")
    if not text or (not first and rng.random() < 0.04):
        return ()
    left = x + (width - fonts.width(text, face, look.size) if numeric else 0.0)
    pieces = _words(text, left, baseline, face, look.size)
    stars = [Piece("**", style="markup")] if first and head else []
    return (*stars, *pieces, *stars)


def _words(text: str, x: float, baseline: float, face: str, size: float) -> list[Piece]:
    pieces: list[Piece] = []
    for index, word in enumerate(text.split(" ")):
        if index:
            pieces.append(Piece(" "))
            x += fonts.width(" ", face, size)
        style: Style = "bold" if face.endswith("-bold") else "text"
        pieces.append(Piece(word, Run(word, x, baseline, face, size), style))
        x += fonts.width(word, face, size)
    return pieces


def _pipes(cells: list[list[tuple[Piece, ...]]]) -> list[Piece]:
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


def _rules(
    style: str, x: float, y: float, share: float, pitch: float, columns: int, rows: int
) -> list[Rectangle]:
    right, bottom, thin = x + columns * share, y + rows * pitch, 0.7
    if style == "none":
        return []
    across = range(rows + 1) if style == "grid" else (0, 1, rows)
    rules = [(x, y + r * pitch - thin / 2, right, y + r * pitch + thin / 2) for r in across]
    if style == "grid":
        rules += [(x + c * share - thin / 2, y, x + c * share + thin / 2, bottom) for c in range(columns + 1)]
    return rules
