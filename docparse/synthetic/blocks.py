"""The builders of blocks: each sets one heading, paragraph, list or formula at the top of a column's free part and
returns True, or does nothing and returns False where there is no room."""

from __future__ import annotations

from collections.abc import Callable

from docparse.synthetic import fonts
from docparse.synthetic.formulas import formula, length, place
from docparse.synthetic.sheet import Element, Kind, Piece, Run
from docparse.synthetic.tables import table
from docparse.synthetic.typeset import BlockContext, Word, fill, set_lines
from docparse.synthetic.words import Vocabulary, plain

HEADINGS = {1: 19.5, 2: 16.0}
"""Sizes for a family of common breadth: larger than any text, so that a heading alone shows its level."""
SMALL_HEADING = 1.08  # times the size of text
NEVER = 10**6


def heading(context: BlockContext) -> bool:
    rng, look, column = context.rng, context.look, context.column
    level = look.level or rng.choices([1, 2, 3], [1, 2, 1])[0]
    size = HEADINGS[level] / fonts.breadth(look.family) if level in HEADINGS else SMALL_HEADING * look.size
    rows = min(column.room(size * 1.2), rng.choice([1, 1, 1, 2]))
    if rows < 1:
        return False
    draw = _words(Vocabulary(rng, 0.25 * look.randomness), f"{look.family}-bold")
    lines = fill(draw, size, lambda _: column.width, rows, rng.choice([0.4, 0.6, 0.9]))
    if not lines:
        return False
    set_ = set_lines(lines, size, size * 1.2, lambda _: column.x, column.y + size)
    column.take_lines("heading", [Piece("#" * level + " ", style="markup"), *set_.pieces], set_, look.gap, level=level)
    return True


def paragraph(context: BlockContext) -> bool:
    rng, look, column = context.rng, context.look, context.column
    rows = min(column.room(look.leading), rng.choice([1, 2, 3, 4, 5, 6, 8, 10]))
    if rows < 1:
        return False

    def indent(line: int) -> float:
        return look.indent if line == 0 else 0.0

    draw = _words(Vocabulary(rng, look.randomness), look.family, emphasis=0.12, mathematics=0.1)
    lines = fill(draw, look.size, lambda line: column.width - indent(line), rows, rng.choice([0.3, 0.6, 1.0]))
    if not lines:
        return False
    lines[-1][-1] = _stopped(lines[-1][-1])
    justify = column.width if look.justify and not look.indent else 0.0
    baseline = column.y + look.size
    set_ = set_lines(lines, look.size, look.leading, lambda line: column.x + indent(line), baseline, justify)
    column.take_lines("paragraph", set_.pieces, set_, look.gap)
    return True


def items(context: BlockContext) -> bool:
    rng, look, column = context.rng, context.look, context.column
    if column.room(look.leading) < 1:
        return False
    ordered = rng.random() < 0.45
    start, mark = rng.choice([1, 1, 1, rng.randint(2, 97)]), rng.choice([".", ".", ".", ")"])
    bullet = rng.choice("•••–")
    hang, left = look.size * (1.9 if ordered else 1.0), column.x + rng.choice([0.0, 0.5, 1.0]) * look.size
    width = column.width - hang - (left - column.x)
    for index in range(rng.randint(2, 5)):
        rows = min(column.room(look.leading), rng.choice([1, 1, 1, 2, 3]))
        if rows < 1:
            break
        printed = f"{start + index}{mark}" if ordered else bullet
        draw = _words(Vocabulary(rng, look.randomness), look.family, mathematics=0.05)
        lines = fill(draw, look.size, lambda _: width, rows, rng.choice([0.4, 0.7, 1.0]))
        if not lines:
            break
        set_ = set_lines(lines, look.size, look.leading, lambda _: left + hang, column.y + look.size)
        run = Run(printed, left, column.y + look.size, look.family, look.size)
        marker = Piece(printed if ordered else "-", run, "markup")
        column.take_lines("item", [marker, Piece(" ", style="markup"), *set_.pieces], set_, 0.0, marker=printed)
    column.y += look.gap
    return True


def display(context: BlockContext) -> bool:
    look, column = context.look, context.column
    size = look.size * 1.1
    atoms = formula(context.rng, displayed=True)
    above, below = (1.5, 1.1) if any(atom.above for atom in atoms) else (1.0, 0.4)
    wide, baseline = length(atoms, size), column.y + above * size
    bottom = baseline + below * size
    if wide > column.width or bottom > column.bottom or column.lines < 1:
        return False
    x = column.x + (column.width - wide) / 2
    pieces, bars, end = place(atoms, x, baseline, size)
    fence, line_end = Piece("$$", style="markup"), Piece("\n", style="markup")
    column.sheet.rules += bars
    element = Element("formula", (x, column.y, end, bottom), (fence, line_end, *pieces, line_end, fence))
    column.take(element, bottom, 1, look.gap)
    return True


BUILDERS: dict[Kind, Callable[[BlockContext], bool]] = {
    "heading": heading,
    "paragraph": paragraph,
    "item": items,
    "table": table,
    "formula": display,
}


def _words(words: Vocabulary, face: str, emphasis: float = 0.0, mathematics: float = 0.0) -> Callable[[], Word]:
    """A source of words: the first opens the block, a few in a row may be bold, one may be a formula."""
    rng = words.rng
    bold_at = rng.randrange(1, 9) if rng.random() < emphasis else NEVER
    bold_to = bold_at + rng.randint(1, 3)
    math_at = rng.randrange(1, 9) if rng.random() < mathematics else NEVER
    if bold_at <= math_at < bold_to:
        math_at = NEVER
    if math_at < NEVER:
        words.used.add("$")
    count = -1

    def draw() -> Word:
        nonlocal count
        count += 1
        if count == math_at:
            return Word("", face, formula(rng, displayed=False))
        if bold_at <= count < bold_to:
            return Word(plain(rng), f"{face}-bold", bold=True)
        return Word(words.first() if count == 0 else words.word(), face)

    return draw


def _stopped(word: Word) -> Word:
    """The last word of a paragraph with its full stop."""
    if word.formula or word.bold:
        return word
    return Word(word.text.rstrip(",;:.!?…-–—/") + ".", word.face)
