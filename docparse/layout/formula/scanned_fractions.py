"""Fractions in the lines of a scan: OCR reads numerator and denominator as lines of their own, or side by side.

What lies close over and under a bar, and no farther out than it, is a fraction: its words become one in the line that
the bar belongs to. It is as tall as its ink, so that the symbols in it are found when the line is read from its pixels.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
from msgspec.structs import replace as changed

from docparse.layout.formula.nodes import AXIS
from docparse.layout.text.words import Word
from docparse.pdf.content import PageImage
from docparse.types import Box, corners, union

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
LEVEL = 0.2  # from the middle of a line to the bar
LARGE = 1.2  # times the size of text
REACH = 6.0  # to the next word of the line
FULL, NARROW = 0.85, 0.85  # of its width: ink of a bar, and the letter that touches it
UPSIDE_DOWN = np.array([1, -1, 1, -1])  # times a box: what is under a bar is over it


def is_fraction(word: Word) -> bool:
    """Return whether a word stands for a fraction that was found in the pixels."""
    return SLASH in word.text


def with_fractions(words: Sequence[Word], image: PageImage, size: float) -> list[Word]:
    """Return the words, those of each fraction that stands in a line as one, mere `SLASH` where OCR read none of them.
    `size` is that of the type in points."""
    result = list(words)
    for bar, whole in fractions_in(image, size):
        held = [word for word in result if _is_held(word, whole)]
        line = _line_of(bar, whole, [word for word in result if word not in held])
        if line:
            even = [_evened(word, bar, whole, size) for word in line]
            first = held[0] if held else even[0]
            text, room = _text(held, bar, even[0].size), _room(whole, held, even)
            made = changed(
                first, text=text, box=room, baseline=even[0].baseline, size=even[0].size,
                glued=False, bold=False, angle=0
            )  # fmt: skip
            new = {id(word): other for word, other in zip(line, even, strict=True)}
            gone = set(map(id, held))
            result = [*(new.get(id(word), word) for word in result if id(word) not in gone), made]
    return result


def lowered(word: Word) -> Word:
    """Return a fraction as high as the words of its line, and without the bar where OCR read one number alone."""
    if not is_fraction(word):
        return word
    top, foot = word.baseline - 0.75 * word.size, word.baseline + 0.25 * word.size
    return changed(word, text=word.text.rstrip(SLASH), box=Box(word.box.x0, top, word.box.x1, foot))


def _text(held: Sequence[Word], bar: Box, size: float) -> str:
    """What OCR read over and under the bar; what it read on the bar itself is all of it, where nothing else is."""
    ordered = sorted(held, key=lambda word: word.box.x0)
    raised = [(bar.y0 - word.box.center[1]) / size for word in ordered]
    over, under = (
        "".join(word.text for word, up in zip(ordered, raised, strict=True) if up * way > ON) for way in (1, -1)
    )
    return f"{over}{SLASH}{under}" if over and under else "".join(word.text for word in ordered) + SLASH


def _is_held(word: Word, whole: Box) -> bool:
    """Whether most of a word is printed in a fraction."""
    return whole.padded(AROUND * word.size).holds(*word.box.center)


def _line_of(bar: Box, whole: Box, words: Sequence[Word]) -> list[Word]:
    """The words in whose middle the bar of a fraction is, the nearest first."""

    def apart(word: Word) -> float:
        return word.box.gap_x(whole)

    level = [word for word in words if abs(word.baseline - AXIS * word.size - bar.y0) < LEVEL * word.size]
    return sorted((word for word in level if word.angle == 0 and apart(word) < REACH * word.size), key=apart)


def _room(whole: Box, held: Sequence[Word], line: Sequence[Word]) -> Box:
    """The box of a fraction with what OCR read in one with it, up to the words beside it."""
    middle = whole.center[0]
    ends = union([whole, *(word.box for word in held)])
    left = [min(word.box.x1, whole.x0) for word in line if word.box.center[0] < middle]
    right = [max(word.box.x0, whole.x1) for word in line if word.box.center[0] > middle]
    return Box(max([ends.x0, *left]), whole.y0, min([ends.x1, *right]), whole.y1)


def _evened(word: Word, bar: Box, whole: Box, size: float) -> Word:
    """A word of the line without what is of the fraction, for OCR is not exact about its ends; in the size of text
    where a tall line made OCR think that its type is large."""
    if word.size > LARGE * size:
        base = bar.y0 + AXIS * size
        box = Box(word.box.x0, base - 0.75 * size, word.box.x1, base + 0.25 * size)
        word = changed(word, size=size, baseline=base, box=box)
    x0, y0, x1, y1 = corners(word.box)
    if word.box.center[0] < whole.center[0]:
        return changed(word, box=Box(x0, y0, min(x1, whole.x0), y1))
    return changed(word, box=Box(max(x0, whole.x1), y0, x1, y1))


def fractions_in(image: PageImage, size: float) -> Iterator[tuple[Box, Box]]:
    """Yield the bar of each fraction in type of about `size` points, and all its ink, in points."""
    boxes = _ink(image, size)
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


def _ink(image: PageImage, size: float) -> np.ndarray:
    """Return the boxes of the pieces of ink, float [n, 4], in points."""
    gray = cv2.cvtColor(image.pixels, cv2.COLOR_RGB2GRAY)
    _, dark = cv2.threshold(gray, 0, 1, cv2.THRESH_BINARY_INV | cv2.THRESH_OTSU)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(dark, connectivity=8)
    boxes = stats[:, :4].astype(np.int64)
    boxes[:, 2:] += boxes[:, :2]
    em = size * image.scale
    parts = [part for i, box in enumerate(boxes.tolist()) if i for part in _unbarred(labels, i, box, em)]
    return np.array(parts, np.float64).reshape(-1, 4) / image.scale


def _unbarred(labels: np.ndarray, i: int, box: list[int], em: float) -> list[list[int]]:
    """Return the box of a piece of ink; of a letter that touches the bar it hangs down to, that of either."""
    x0, y0, x1, y1 = box
    if not (SHORTEST * em < x1 - x0 < LONGEST * em and LETTER * em < y1 - y0 < FAR * em):
        return [box]
    own = labels[y0:y1, x0:x1] == i
    level = own[::-1].mean(axis=1) > FULL
    thick = int(np.argmin(level))
    letter = np.flatnonzero(own[: y1 - y0 - thick].any(axis=0))
    if not 0 < thick < THIN * em + 1 or not len(letter) or np.ptp(letter) > NARROW * (x1 - x0):
        return [box]
    return [[x0 + int(letter[0]), y0, x0 + int(letter[-1]) + 1, y1 - thick], [x0, y1 - thick, x1, y1]]


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
