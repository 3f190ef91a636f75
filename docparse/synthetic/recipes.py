"""The categories of pages and the sizes they come in, shared by training and benchmark."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

from docparse.synthetic.compose import Recipe, compose
from docparse.synthetic.sheet import Sheet

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
