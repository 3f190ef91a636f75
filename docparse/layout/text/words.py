"""Words: the smallest thing the layout code moves around, the same whether a text layer or OCR read them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from docparse.types import Box

SMALL_CAPITALS = re.compile(r"csc\d|small-?caps|caps10|[-.]sc\b|^(sf|ec)(cc|xc|sc)\d", re.I)

BLANK = "____"  # a stroke to write on
SMALLEST = 0.01  # points: of a font without a size, so that no measure in em divides by zero
RING_GAP = 1.0  # em: typewriters set a space of 0.6
LEVEL = 0.35  # em between the baselines of one row
WORD_GAP = 0.17  # em: a wider gap inside a line is a space even where the PDF stores none (narrow fonts print 0.2)


class Word(msgspec.Struct, frozen=True, kw_only=True):
    """A run of characters without a space and in one style.

    `glued` means that no space separates it from the word before it (a superscript, a change of font inside a word,
    the end of a line within a Korean one). `baseline` is the y of the baseline, `size` the font size in points (for
    OCR: estimated from the line's height). `index` is the position in the PDF's own order, which is the logical order
    for right-to-left text. `angle` is the clockwise rotation of the text on the page: 0, 90, 180 or 270. `font` is the
    PDF's name of the font. `tinted` says that it is in another colour than the page's text; OCR tells it of lines, and
    of light on dark too. `stretched` says that the space before it is one of a justified line, however wide. `begins`
    says that OCR found a line that begins with it. `latex` is the formula that was read in a picture where OCR has the
    text.
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
    tinted: bool = False
    stretched: bool = False
    begins: bool = False
    angle: int = 0
    index: int = 0
    confidence: float = 1.0
    font: str = ""
    latex: str = ""

    @property
    def is_raised(self) -> bool:
        """Return whether it is a raised figure that was read in a picture: it calls a note."""
        return self.latex.startswith("^")

    @property
    def small_caps(self) -> bool:
        """Return whether its font is one of small capitals: small letters are printed as such."""
        return SMALL_CAPITALS.search(self.font) is not None


def is_ring(word: Word, behind: Word) -> bool:
    """Return whether it is a bullet: word processors take the o of a typewriter font for the second level, and so do
    typewritten texts, with more than a space behind it."""
    typed = word.mono and behind.box.x0 - word.box.x1 > RING_GAP * word.size
    return word.text == "o" and (word.mono > behind.mono or typed)


def spaced(words: Iterable[Word]) -> str:
    """Return the words of a line as in running text, whatever the gaps between them."""
    return "".join(word.text if word.glued else f" {word.text}" for word in words).strip()


def usual_size(words: Iterable[Word]) -> float:
    """Return the size in points of most characters, the larger of two; 10 where there are none."""
    weight = Counter[float]()
    for word in words:
        weight[word.size] += len(word.text)
    return max(weight, key=lambda size: (weight[size], size), default=10.0)


def first_width(words: Sequence[Word]) -> float:
    """Return the width of the first word with what is glued to it, points."""
    end = next((i for i, word in enumerate(words[1:], 1) if not word.glued), len(words))
    return words[end - 1].box.x1 - words[0].box.x0
