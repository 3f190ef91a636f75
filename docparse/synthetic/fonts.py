"""The bundled fonts and the characters they hold: families, exact advance widths, and sized fonts for drawing."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from PIL import ImageFont

FOLDER = Path(__file__).parent / "fonts"
FAMILIES = ("sans", "serif", "wide", "slab", "mono", "humanist", "open")
_BREADTH = {"wide": 1.07, "slab": 1.07, "mono": 1.1, "open": 1.05, "serif": 0.92, "humanist": 0.93}
ASCII = "".join(chr(code) for code in range(32, 127))
PUNCTUATION = "–—‘’“”•…°±×÷·§©®€£¥µ½²³"
ACCENTED = "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝßàáâãäåæçèéêëìíîïñòóôõöøùúûüýÿŒœ"
TEXT = ASCII + PUNCTUATION + ACCENTED  # characters that may stand in Markdown
SYMBOLS = "αβγδεθλμπρσφωΔΣΩ−≤≥≠≈∞"  # printed in formulas, written as LaTeX
PRINTED = TEXT + SYMBOLS


def breadth(family: str) -> float:
    """Return how wide a family runs; sizes are divided by this so that pages of all families hold about as much."""
    return _BREADTH.get(family, 1.0)


@cache
def advances(face: str) -> dict[str, float]:
    """Return the advance width of every printable character of `face`, in em. They come from a table, not from
    FreeType, so that layouts are the same with every version of it."""
    table = json.loads((FOLDER / "advances.json").read_text())
    return dict(zip(PRINTED, table[face], strict=True))


def width(text: str, face: str, size: float) -> float:
    """Return the width of `text` in pixels when set at `size` pixels, without kerning."""
    table = advances(face)
    return sum(table[char] for char in text) * size


@cache
def sized(face: str, size: float) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(FOLDER / f"{face}.ttf", size, layout_engine=ImageFont.Layout.BASIC)
