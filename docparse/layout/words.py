"""Words: the smallest thing the layout code moves around, the same whether a text layer or OCR read them."""

from __future__ import annotations

import msgspec

from docparse.types import Box


class Word(msgspec.Struct, frozen=True, kw_only=True):
    """A run of characters without a space and in one style.

    `glued` means that no space separates it from the word before it (a superscript, a change of font inside a
    word). `baseline` is the y of the baseline, `size` the font size in points (for OCR: estimated from the line's
    height). `index` is the position in the PDF's own order, which is the logical order for right-to-left text.
    `angle` is the clockwise rotation of the text on the page: 0, 90, 180 or 270.
    """

    text: str
    box: Box
    baseline: float
    size: float
    glued: bool = False
    bold: bool = False
    italic: bool = False
    math: bool = False
    mono: bool = False
    angle: int = 0
    index: int = 0
    confidence: float = 1.0
