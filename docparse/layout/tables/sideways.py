"""Tables printed sideways on an upright page: the page is turned, searched, and what was found turned back."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from docparse.layout.text.words import Word
from docparse.types import Box

MIN_TURNED_WORDS = 20  # words; fewer turned ones are axis labels and margin notes


def turned_angles(words: Sequence[Word]) -> list[int]:
    """Return the angles (90, 270) at which enough words are set for a table."""
    return [angle for angle in (90, 270) if sum(w.angle == angle for w in words) >= MIN_TURNED_WORDS]


def upright(box: Box, angle: int, page: Box) -> Box:
    """Return where `box` lies when the page is turned so that text at `angle` reads from left to right.

    On the turned page the inverse is that of 360 - `angle`.
    """
    if angle == 90:
        return Box(box.y0, page.x1 - box.x1, box.y1, page.x1 - box.x0)
    return Box(page.y1 - box.y1, box.x0, page.y1 - box.y0, box.x1)


def upright_words(words: Sequence[Word], angle: int, page: Box) -> list[Word]:
    """Return the words as they stand on the turned page, angle 0."""

    def turned(word: Word) -> Word:
        baseline = page.x1 - word.baseline if angle == 90 else word.baseline
        return msgspec.structs.replace(word, box=upright(word.box, angle, page), baseline=baseline, angle=0)

    return list(map(turned, words))


def upright_rulings(rulings: np.ndarray, angle: int, page: Box) -> np.ndarray:
    """float [n, 4] on the turned page."""
    boxes = [upright(Box(*map(float, row)), angle, page) for row in np.asarray(rulings).reshape(-1, 4)]
    return np.array([(b.x0, b.y0, b.x1, b.y1) for b in boxes], float).reshape(-1, 4)
