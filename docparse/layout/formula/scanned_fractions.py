"""Fractions in the lines of a scan: OCR reads numerator and denominator as lines of their own, or side by side.

What lies close over and under a bar, and no farther out than it, is a fraction: its words become one in the line that
the bar belongs to. It is as tall as its ink, so that the symbols in it are found when the line is read from its pixels.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
from msgspec.structs import replace as changed

from docparse.layout.chained import without
from docparse.layout.formula.nodes import AXIS
from docparse.layout.text.words import Word
from docparse.pdf.content import PageImage
from docparse.types import Box

SLASH = "⁄"  # OCR never reads it: what holds it is a fraction
# em:
THIN, SHORTEST, LONGEST = 0.14, 0.35, 12.0  # a bar
NEAREST, CLOSE, FAR = 0.5, 0.75, 1.7  # from it to the nearest ink, to the foot of a number, and to its top
SCRIPT, TOUCH = 0.05, 0.05  # from the top of a letter up to its script; from a number down into the bar, at most
AROUND = 0.15  # from a fraction to what OCR read in it
BEYOND, SPARE = 0.2, 0.6  # by which numbers reach beyond their bar, and it beyond the longer one
LETTER, TALL = 0.3, 1.15  # height of a number, and of a fraction; Chinese characters with level strokes are lower
ON = 0.2  # from the bar to the middle of a word that is no number over or under it
BESIDE = 0.3  # of white beside a number: underlined words have neighbours
OFF = 0.2  # from the middle of a line to the bar
REACH = 6.0  # to the next word of the line
UPSIDE_DOWN = np.array([1, -1, 1, -1])  # times a box: what is under a bar is over it


def is_fraction(word: Word) -> bool:
    """Return whether a word stands for a fraction that was found in the pixels."""
    return SLASH in word.text


def with_fractions(words: Sequence[Word], image: PageImage, size: float) -> list[Word]:
    """Return the words, those of each fraction that stands in a line as one, mere `SLASH` where OCR read none of them.
    `size` is that of the type in points."""
    result = list(words)
    for bar, whole in _fractions_in(image, size):
        held = [word for word in result if whole.padded(AROUND * word.size).holds(*word.box.center)]
        line = [word for word in without(result, held) if word.angle == 0 and _is_level(word, bar)]
        near = min(line, key=lambda word: word.box.gap_x(whole), default=None)
        if near and near.box.gap_x(whole) < REACH * near.size:
            made = changed(
                held[0] if held else near, text=_text(held, bar, near.size), box=whole, baseline=near.baseline,
                size=near.size, glued=False, bold=False, angle=0
            )  # fmt: skip
            result = [*without(result, held), made]
    return result


def lowered(word: Word) -> Word:
    """Return a fraction as high as the words of its line, and without the bar where OCR read one number alone."""
    if not is_fraction(word):
        return word
    top, foot = word.baseline - 0.75 * word.size, word.baseline + 0.25 * word.size
    return changed(word, text=word.text.rstrip(SLASH), box=Box(word.box.x0, top, word.box.x1, foot))


def _text(held: Sequence[Word], bar: Box, size: float) -> str:
    """Return what OCR read over and under the bar; what it read on the bar itself is all of it, where nothing else
    is."""
    ordered = sorted(held, key=lambda word: word.box.x0)
    raised = [(bar.y0 - word.box.center[1]) / size for word in ordered]
    over, under = (
        "".join(word.text for word, up in zip(ordered, raised, strict=True) if up * way > ON) for way in (1, -1)
    )
    return f"{over}{SLASH}{under}" if over and under else "".join(word.text for word in ordered) + SLASH


def _is_level(word: Word, bar: Box) -> bool:
    """Return whether the bar of a fraction is in the middle of a word's line."""
    return abs(word.baseline - AXIS * word.size - bar.y0) < OFF * word.size


def _fractions_in(image: PageImage, size: float) -> Iterator[tuple[Box, Box]]:
    """Yield the bar of each fraction in type of about `size` points, and all its ink, in points."""
    boxes = _ink(image)
    width, height = (boxes[:, 2:] - boxes[:, :2]).T
    bars = (height < THIN * size + 1 / image.scale) & (width > SHORTEST * size) & (width < LONGEST * size)
    for bar in boxes[bars]:
        over, under = _number(boxes, bar, size), _number(boxes * UPSIDE_DOWN, bar * UPSIDE_DOWN, size)
        if over is None or under is None:
            continue
        left, right = min(bar[0], over[0], under[0]), max(bar[2], over[1], under[1])
        whole = Box(float(left), float(bar[1] - over[2]), float(right), float(bar[3] + under[2]))
        longer = max(over[1] - over[0], under[1] - under[0])
        if whole.height > TALL * size and bar[2] - bar[0] - longer < SPARE * size:
            yield Box(*bar.tolist()), whole


def _ink(image: PageImage) -> np.ndarray:
    """Return the boxes of the pieces of ink, float [n, 4], in points."""
    gray = cv2.cvtColor(image.pixels, cv2.COLOR_RGB2GRAY)
    _, dark = cv2.threshold(gray, 0, 1, cv2.THRESH_BINARY_INV | cv2.THRESH_OTSU)
    _, _, stats, _ = cv2.connectedComponentsWithStats(dark, connectivity=8)
    boxes = stats[1:, :4].astype(np.float64)
    boxes[:, 2:] += boxes[:, :2]
    return boxes / image.scale


def _number(boxes: np.ndarray, bar: np.ndarray, em: float) -> tuple[float, float, float] | None:
    """Return the left and right end of the ink over a bar, and how far it reaches up from it; None where it is no
    number of its own."""
    x0, x1 = boxes[:, 0], boxes[:, 2]
    top, foot, end = boxes[:, [1, 3]].min(axis=1), boxes[:, [1, 3]].max(axis=1), min(bar[1], bar[3])
    level = (foot < end + TOUCH * em) & (foot > end - CLOSE * em) & (top > end - FAR * em)
    middle = (x0 + x1) / 2
    own = level & (middle > bar[0]) & (middle < bar[2])
    if not own.any() or foot[own].max() < end - NEAREST * em:
        return None
    scripts = (foot < end) & (foot > top[own].min() - SCRIPT * em) & (middle > bar[0]) & (middle < bar[2])
    own |= scripts & (top > end - FAR * em)
    left, right, high = float(x0[own].min()), float(x1[own].max()), float(end - top[own].min())
    beside = level & ~own & (x1 > bar[0] - BESIDE * em) & (x0 < bar[2] + BESIDE * em) & (foot - top > LETTER * em)
    if high < LETTER * em or left < bar[0] - BEYOND * em or right > bar[2] + BEYOND * em or beside.any():
        return None
    return left, right, high
