"""A page from a seed: a style is drawn, then columns are filled with blocks until they are full."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from random import Random

from docparse.synthetic import blocks, fonts
from docparse.synthetic.sheet import Element, Kind, Piece, Run, Sheet
from docparse.synthetic.typeset import Column, Draft, Look
from docparse.synthetic.words import Vocabulary

CHARACTER = 0.5  # sizes of a font that a character is wide
MIN_COUNTED_LINES = 3  # lines of a block where characters are counted: a table has a head and a row


@dataclass(frozen=True)
class Recipe:
    """What a page holds. `kinds` weighs the blocks; `lines` stops after so many printed lines; chances are 0..1."""

    kinds: dict[Kind, float]
    width: int = 256
    height: int = 256
    lines: int = 0
    two_columns: float = 0.0
    running_lines: float = 0.0
    scan: float = 0.0
    dense: bool = False
    randomness: tuple[float, float] = (0.1, 0.6)
    sizes: tuple[float, float] = (10.5, 13.5)
    characters: int = 0
    """About how many are printed, 0 for as many as there is room for."""
    gap: float = 1.0
    """Between blocks, times what is usual."""


def compose(rng: Random, recipe: Recipe) -> Sheet:
    """Draw one page. The same state of `rng` gives the same page on every machine."""
    sheet = Sheet(recipe.width, recipe.height, seed=rng.randrange(2**31))
    look = _look(rng, recipe)
    _paper(rng, recipe, sheet)
    margin = rng.uniform(5, 12)
    top, bottom = rng.uniform(2, 8), recipe.height - 3.0
    if rng.random() < recipe.running_lines:
        top, bottom = _running_lines(rng, sheet, look, margin)
    for column in _columns(rng, recipe, sheet, look, margin, top, bottom):
        _fill(recipe, Draft(rng, look, column))
    return sheet


def _look(rng: Random, recipe: Recipe) -> Look:
    family = rng.choice(fonts.FAMILIES)
    size = round(rng.uniform(*recipe.sizes) / fonts.breadth(family), 1)
    leading = size * rng.uniform(1.12, 1.2 if recipe.dense else 1.4)
    return Look(
        family=family,
        size=size,
        leading=leading,
        gap=recipe.gap * leading * (rng.uniform(0.35, 0.45) if recipe.dense else rng.uniform(0.4, 0.9)),
        justify=rng.random() < 0.4,
        indent=rng.choice([0.0, 0.0, size]),
        randomness=rng.uniform(*recipe.randomness),
    )


def _paper(rng: Random, recipe: Recipe, sheet: Sheet) -> None:
    sheet.ink, sheet.paper = rng.randint(0, 80), 255
    sheet.snapped = rng.random() < 0.3
    if rng.random() < recipe.scan:
        sheet.ink, sheet.paper = rng.randint(10, 100), rng.randint(215, 250)
        sheet.skew = rng.uniform(-0.8, 0.8)
        sheet.noise = rng.uniform(2, 12)
    elif rng.random() < 0.3:
        sheet.paper = rng.randint(235, 254)


def _running_lines(rng: Random, sheet: Sheet, look: Look, margin: float) -> tuple[float, float]:
    """Print a running head, a page number or both; return the top and bottom of what is left."""
    size, top, bottom = look.size * 0.85, 4.0, sheet.height - 3.0
    head, foot = rng.choice([(True, False), (False, True), (True, True)])
    page = rng.choice(["{}", "{}", "Page {}", "– {} –", "{} of 90"]).format(rng.randint(1, 89))
    title = " ".join(Vocabulary(rng, 0.0).word() for _ in range(rng.randint(1, 3)))
    lines: tuple[tuple[Kind, bool, float], ...] = (("header", head, 3 + size), ("footer", foot, sheet.height - 5))
    for kind, shown, baseline in lines:
        if not shown:
            continue
        text = title if kind == "header" else page
        wide = fonts.width(text, look.family, size)
        x = max(margin, rng.choice([margin, (sheet.width - wide) / 2, sheet.width - margin - wide]))
        run = Run(text, x, baseline, look.family, size)
        box = (x, baseline - size, x + wide, baseline + 0.3 * size)
        sheet.elements.append(Element(kind, box, (Piece(text, run),)))
        if kind == "header":
            top = baseline + 0.3 * size + rng.uniform(5, 10)
            if rng.random() < 0.3:
                sheet.rules.append((margin, baseline + 0.35 * size, sheet.width - margin, baseline + 0.35 * size + 0.7))
        else:
            bottom = baseline - size - rng.uniform(2, 6)
    return top, bottom


def _columns(
    rng: Random, recipe: Recipe, sheet: Sheet, look: Look, margin: float, top: float, bottom: float
) -> list[Column]:
    """One column or two, these perhaps under a headline."""
    width = sheet.width - 2 * margin
    if rng.random() >= recipe.two_columns:
        return [Column(sheet, margin, top, width, bottom)]
    if "heading" in recipe.kinds and rng.random() < 0.4:
        headline = Column(sheet, margin, top, width, bottom)
        blocks.heading(Draft(rng, replace(look, level=1), headline))
        top = headline.y
    gutter = rng.uniform(14, 20)
    half = (width - gutter) / 2
    return [Column(sheet, x, top, half, bottom) for x in (margin, margin + half + gutter)]


def _fill(recipe: Recipe, draft: Draft) -> None:
    """Add blocks until the column, or the recipe's count of lines, is full."""
    draft.column.lines = recipe.lines or blocks.NEVER
    kinds, weights = list(recipe.kinds), list(recipe.kinds.values())
    failures = 0
    while failures < 4 and draft.column.lines > 0:
        if recipe.characters:
            left = recipe.characters - len(draft.column.sheet.markdown)
            if left < recipe.characters / 8:
                return
            draft.column.lines = max(
                MIN_COUNTED_LINES, math.ceil(left * draft.look.size * CHARACTER / draft.column.width)
            )
        kind = draft.rng.choices(kinds, weights)[0]
        failures += not blocks.BUILDERS[kind](draft)
