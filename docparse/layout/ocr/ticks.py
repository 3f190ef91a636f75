"""Boxes to tick on a page image: small squares with four straight sides, however faint, empty or with a sign inside;
and the ticks of a list, which OCR takes for roots."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import cv2
import msgspec
import numpy as np

from docparse.layout.text.words import Word
from docparse.types import Box, corners

SMALLEST, LARGEST = 5.0, 16.0  # points: of forms in small print, and of those to be filled in by hand
FAINT = 24  # of 255 by which the lines of browsers, light grey and thinner than a pixel, differ from paper at least
SQUARE, EDGE = 0.85, 0.85  # shorter over longer side; share of a side that is drawn: corners may be round
RIM = 0.15  # of a side that the line along the next one takes
EMPTY, FULL = 0.05, 0.9  # share of the inner half that is drawn of an empty box, and of a filled square, which is none
TICK = 0.8  # em that a tick is wide, which OCR takes for a root, but before words there is no root of a quantity
WORDED = re.compile(r"[^\W\d_]*[a-zß-ÿ]{2}|[\"“‘(]?[A-Z][a-z]")


def boxes_to_tick(far: np.ndarray, scale: float) -> list[tuple[Box, str]]:
    """Return the boxes to tick of a page in points, each with "☐" or "☑"; `far` is uint8 [height, width], how far
    its pixels are from their paper, `scale` of them a point."""
    ink = (far > FAINT).astype(np.uint8)
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
    """Return the words, each root that begins a line of words as the tick that it is, where two lines and more begin
    so."""
    roots = {i for i, word in enumerate(words[:-1]) if word.begins and word.text[0] == "√"}
    ticks = {i for i in roots if WORDED.match(words[i].text[1:] or words[i + 1].text)}
    if len(ticks) < 2:
        return list(words)
    return [piece for i, word in enumerate(words) for piece in (_parted(word) if i in ticks else [word])]


def _parted(word: Word) -> Iterator[Word]:
    """The tick, and the rest of its word, if it is in one with it."""
    x0, y0, x1, y1 = corners(word.box)
    end = min(x0 + max(word.box.width / len(word.text), TICK * word.size), x1)
    yield msgspec.structs.replace(word, text="✓", box=Box(x0, y0, end, y1))
    if len(word.text) > 1:
        yield msgspec.structs.replace(word, text=word.text[1:], box=Box(end, y0, x1, y1), begins=False)
