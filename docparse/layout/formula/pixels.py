"""The ink of a page image as words of a text layer would be: symbols with their sizes and baselines."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence

import cv2
import msgspec
import numpy as np

from docparse.layout.formula.ink import PageInk
from docparse.layout.formula.placing import Symbol, placed
from docparse.layout.formula.shapes import shapes_of
from docparse.layout.formula.signs import settled
from docparse.layout.formula.symbols import unstyled
from docparse.layout.geometry import corners_of
from docparse.layout.ocr.symbols import SymbolReader
from docparse.layout.text.words import WORD_GAP, Word
from docparse.pdf.content import PageImage
from docparse.types import Box

STROKE = 0.8  # em: no stroke or blot of a formula is so wide on both sides
DARK, TINT = 0.65, 0.9  # times the light of paper, between which tints under dark type are; shadows are lighter
ROMAN = frozenset("ΓΔΘΛΞΠΣΥΦΨΩ()[],.:;!?=+")  # TeX takes them from its upright font
LEANING = 0.1  # em: room between a word and a variable: the last letter of "if" leans over the space


Told = tuple[Word, float]  # a symbol as a word, and how sure it is


def symbol_words(
    image: PageImage, wanted: Callable[[np.ndarray], np.ndarray], reader: SymbolReader, size: float
) -> tuple[list[Told], np.ndarray, float]:
    """Return the symbols of a page as words, each with how sure it is; the bars of fractions and radicals, float32
    [n, 4]; and the size of the type, which is about `size`. All in points. `wanted` is that of `PageInk`."""
    em = size * image.scale
    ink = PageInk(_on_white(cv2.cvtColor(image.pixels, cv2.COLOR_RGB2GRAY), em), wanted)
    shapes, bars = shapes_of(ink, reader, em)
    symbols, type_ = placed(shapes, em, reader.forms)
    symbols, strokes = settled(symbols, type_)
    rulings = corners_of((*bars, *strokes)).astype(np.float32) / image.scale
    rulings[:, 1] = rulings[:, 3] = rulings[:, [1, 3]].mean(axis=1)
    return _words(symbols, image.scale), rulings, type_.em / image.scale


def _on_white(gray: np.ndarray, em: float) -> np.ndarray:
    """Return a page, uint8 [height, width], as if its tints, wider than any stroke, were as light as its paper."""
    stroke, usual = np.ones((round(STROKE * em),) * 2, np.uint8), float(np.median(gray))
    paper = cv2.morphologyEx(cv2.medianBlur(gray, 3), cv2.MORPH_CLOSE, stroke)
    tinted = (paper > DARK * usual) & (paper < TINT * usual)
    return cv2.divide(gray, np.where(tinted, paper, usual).astype(np.uint8), scale=usual)


def _words(symbols: Sequence[Symbol], scale: float) -> list[Told]:
    """Symbols as words of a text layer would be, each with how sure it is: upright letters, and digits, side by side
    are one."""
    words: list[Told] = []
    for symbol in sorted(symbols, key=lambda s: (round(s.baseline), s.box.x0)):
        word = _word(symbol, scale)
        if words:
            last, sure = words[-1]
            level = last.size == word.size and abs(last.baseline - word.baseline) < 0.05 * word.size
            behind_word = word.italic and not last.italic and len(last.text) > 1 and last.text.isalpha()
            room = LEANING if behind_word else WORD_GAP
            if level and -0.3 < (word.box.x0 - last.box.x1) / word.size < room:
                if _is_one(last, word):
                    whole = msgspec.structs.replace(last, text=last.text + word.text, box=last.box | word.box)
                    words[-1] = whole, min(sure, symbol.sure)
                    continue
                word = msgspec.structs.replace(word, glued=True)
        words.append((word, symbol.sure))
    return [(_figure(word), sure) for word, sure in words]


def _figure(word: Word) -> Word:
    """An upright l alone as the 1 that prints alike: variables lean."""
    alike = (word.text, word.font, word.bold) == ("l", "CMR10", False)
    return msgspec.structs.replace(word, text="1") if alike else word


def _is_one(left: Word, right: Word) -> bool:
    """Return whether two neighbours are letters of a name, or digits of a number with its point."""
    if not left.font == right.font == "CMR10" or left.bold != right.bold:
        return False
    digits = left.text[0].isdigit() and (right.text.isdigit() or right.text == ".")
    return digits or (left.text.isalpha() and right.text.isalpha())


def _word(symbol: Symbol, scale: float) -> Word:
    char, box = symbol.char, symbol.box
    style = unicodedata.name(char, "")
    italic = "MATHEMATICAL ITALIC" in style or char == "ℎ"
    bold = "MATHEMATICAL BOLD" in style
    upright = bold or (char.isascii() and char.isalnum())
    return Word(
        text=unstyled(char) if italic or bold else char,
        box=Box(box.x0 / scale, box.y0 / scale, box.x1 / scale, box.y1 / scale),
        baseline=symbol.baseline / scale,
        size=symbol.size / scale,
        bold=bold,
        italic=italic,
        math=not (upright or char in "()[],.:;!?"),
        font="CMMI10" if italic else "CMR10" if upright or char in ROMAN else "CMSY10",
    )
