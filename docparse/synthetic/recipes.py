"""A page from a seed: a style is drawn, then columns are filled with blocks until they are full; the categories of
pages and the sizes they come in, shared by training and benchmark."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from random import Random

from docparse.synthetic import blocks, fonts
from docparse.synthetic.sheet import Element, Kind, Piece, Run, Sheet
from docparse.synthetic.typeset import BlockContext, Column, Look
from docparse.synthetic.words import Vocabulary

CHARACTER = 0.5  # sizes of a font that a character is wide
MIN_COUNTED_LINES = 3  # lines of a block where characters are counted: a table has a head and a row


@dataclass(frozen=True)
class Recipe:
    """The content of a page. `kinds` weighs the blocks; `lines` stops after so many printed lines; chances are 0..1."""

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
        _fill(recipe, BlockContext(rng, look, column))
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
        blocks.heading(BlockContext(rng, replace(look, level=1), headline))
        top = headline.y
    gutter = rng.uniform(14, 20)
    half = (width - gutter) / 2
    return [Column(sheet, x, top, half, bottom) for x in (margin, margin + half + gutter)]


def _fill(recipe: Recipe, context: BlockContext) -> None:
    """Add blocks until the column, or the recipe's count of lines, is full."""
    context.column.lines = recipe.lines or blocks.NEVER
    kinds, weights = list(recipe.kinds), list(recipe.kinds.values())
    failures = 0
    while failures < 4 and context.column.lines > 0:
        if recipe.characters:
            left = recipe.characters - len(context.column.sheet.markdown)
            if left < recipe.characters / 8:
                return
            wanted = math.ceil(left * context.look.size * CHARACTER / context.column.width)
            context.column.lines = max(MIN_COUNTED_LINES, wanted)
        kind = context.rng.choices(kinds, weights)[0]
        failures += not blocks.BUILDERS[kind](context)


CATEGORIES: dict[str, Recipe] = {
    "text": Recipe({"paragraph": 4, "heading": 1}, running_lines=0.3),
    "dense": Recipe({"paragraph": 5, "heading": 0.5}, dense=True, sizes=(10.5, 12.0)),
    "tables": Recipe({"table": 3, "paragraph": 0.6, "heading": 0.6}, running_lines=0.2),
    "lists": Recipe({"item": 3, "paragraph": 0.8, "heading": 0.6}, running_lines=0.2),
    "mixed": Recipe(
        {"heading": 1.2, "paragraph": 2, "item": 1, "table": 1, "formula": 0.7}, running_lines=0.4, two_columns=0.2
    ),
    "scan": Recipe({"heading": 1, "paragraph": 2, "item": 1, "table": 0.8}, running_lines=0.3, scan=1.0),
}

STUDIED: dict[str, Recipe] = {"formulas": Recipe({"formula": 3, "paragraph": 1}, randomness=(0.3, 0.9))}
"""Categories that are trained on and not measured."""

SPARSE_KINDS: dict[str, Recipe] = {
    "slide": Recipe({"heading": 1, "item": 3}, sizes=(12.5, 13.5), gap=2.5),
    "form": Recipe({"table": 3, "heading": 0.6}, gap=2.0),
    "receipt": Recipe({"table": 1, "item": 1}, sizes=(10.5, 11.5)),
    "large print": Recipe({"paragraph": 2, "heading": 1}, sizes=(18.0, 22.0), gap=1.5),
}
DENSITIES = (0.2, 0.7)  # characters of a page for each of its visual tokens; pages of text have two to three


def sparse(seed: str, unit: str, count: int) -> list[tuple[str, Sheet]]:
    """`count` pages with little on them, each with its category, the kind and the density: all of them in turn."""
    size = UNITS[unit]
    kinds = [(kind, density) for density in DENSITIES for kind in SPARSE_KINDS]
    pages = []
    for index in range(count):
        kind, density = kinds[index % len(kinds)]
        most = round(density * size.visual_tokens)
        recipe = replace(SPARSE_KINDS[kind], width=size.width, height=size.height, characters=most)
        pages.append((f"{kind} {density}", compose(Random(f"{seed}/sparse/{unit}/{index}"), recipe)))
    return pages


@dataclass(frozen=True)
class Unit:
    """A size of page, in pixels; a visual token covers 16 x 16. `lines` limits the printed lines, 0 does not."""

    width: int
    height: int
    lines: int = 0
    columns: bool = False
    """Two columns in half of the pages of text."""

    @property
    def visual_tokens(self) -> int:
        return self.width * self.height // 256


UNITS: dict[str, Unit] = {
    "line": Unit(256, 48, lines=2),
    "block": Unit(256, 96, lines=5),
    "half": Unit(256, 128),
    "page": Unit(256, 256),
    "wide": Unit(512, 256, columns=True),
    "large": Unit(512, 512, columns=True),
}


def sheet(seed: str, unit: str, category: str) -> Sheet:
    """Return the page of a seed: any text names a page, and the same text the same page on every machine."""
    rng = Random(seed)
    size, recipe = UNITS[unit], (CATEGORIES | STUDIED)[category]
    if size.lines:  # a small block has no running lines, and is as full as it can be
        recipe = replace(recipe, running_lines=0.0, two_columns=0.0)
    elif size.columns:
        recipe = replace(recipe, two_columns=0.5)
    return compose(rng, replace(recipe, width=size.width, height=size.height, lines=size.lines))


def held_out(seed: str, unit: str, count: int) -> list[Sheet]:
    """`count` pages of `unit`, the categories in turn. Training draws from seeds that begin with `train`; `dev` is for
    curves and `bench` for the numbers that are quoted."""
    names = list(CATEGORIES)
    return [sheet(f"{seed}/{unit}/{index}", unit, names[index % len(names)]) for index in range(count)]
