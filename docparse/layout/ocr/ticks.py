"""Boxes to tick on a page image: small squares with four straight sides, however faint, empty or with a sign inside.
And ticks, which OCR takes for roots."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

import cv2
import msgspec
import numpy as np

from docparse.layout.text.words import Word
from docparse.types import Box

SMALLEST, LARGEST = 5.0, 16.0  # points: of forms in small print, and of those to be filled in by hand
FAINT = 24  # of 255 by which the lines of browsers, light grey and thinner than a pixel, differ from paper at least
SQUARE, EDGE = 0.85, 0.85  # shorter over longer side; share of a side that is drawn: corners may be round
RIM = 0.15  # of a side that the line along the next one takes
WORDED = re.compile(r"[^\W\d_]*[a-zß-ÿ]{2}|[\"“‘(]?[A-Z][a-z]")  # no root of a quantity
TICK = 0.8  # em that a tick is wide
EMPTY, FULL = 0.05, 0.9  # share of the inner half that is drawn of an empty box, and of a filled square, which is none


def boxes_to_tick(contrast: np.ndarray, scale: float) -> list[tuple[Box, str]]:
    """Return the boxes to tick of a page in points, each with "☐" or "☑"; `contrast` is uint8
    [height, width], how far its pixels are from their paper, `scale` of them a point."""
    ink = (contrast > FAINT).astype(np.uint8)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    _, _, wide, high, _ = stats.T
    shorter, longer = np.minimum(wide, high), np.maximum(wide, high)
    sized = (shorter >= SMALLEST * scale) & (longer <= LARGEST * scale)
    found = []
    for i in np.flatnonzero(sized & (shorter >= SQUARE * longer)).tolist():
        x, y, width, height = stats[i, :4].tolist()
        if _has_sides(labels[y : y + height, x : x + width] == i):
            inner = ink[y + height // 4 : y + height - height // 4, x + width // 4 : x + width - width // 4].mean()
            if inner < FULL:
                box = Box(x / scale, y / scale, (x + width) / scale, (y + height) / scale)
                found.append((box, "☐" if inner < EMPTY else "☑"))
    return found


def _has_sides(drawn: np.ndarray) -> bool:
    """Whether a shape, bool [height, width], reaches along all four sides of its box."""
    rim = max(2, round(RIM * min(drawn.shape)))
    sides = (drawn[:rim].any(axis=0), drawn[-rim:].any(axis=0), drawn[:, :rim].any(axis=1), drawn[:, -rim:].any(axis=1))
    return all(side.mean() > EDGE for side in sides)


def with_ticks(words: Sequence[Word]) -> list[Word]:
    """Return the words of OCR in order, each root that begins a line of words as the tick that it is, where two lines
    and more begin so."""
    following = [after for _, after in pairwise([*words, None])]
    ticks = [
        after is not None and word.begins and _is_tick(word.text, after.text)
        for word, after in zip(words, following, strict=True)
    ]
    if sum(ticks) < 2:
        return list(words)
    return [piece for word, tick in zip(words, ticks, strict=True) for piece in (_parted(word) if tick else [word])]


def _is_tick(text: str, after: str) -> bool:
    """Whether a root stands before a word."""
    return text[0] == "√" and WORDED.match(text[1:] or after) is not None


def _parted(word: Word) -> list[Word]:
    """The tick, and the rest of its word, if it is in one with it."""
    width = word.box.width / len(word.text)
    end = min(word.box.x0 + max(width, TICK * word.size), word.box.x1)
    tick = msgspec.structs.replace(word, text="✓", box=Box(word.box.x0, word.box.y0, end, word.box.y1))
    if len(word.text) == 1:
        return [tick]
    rest = Box(end, word.box.y0, word.box.x1, word.box.y1)
    return [tick, msgspec.structs.replace(word, text=word.text[1:], box=rest, begins=False)]
