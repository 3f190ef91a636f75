"""Paragraphs: does a new one start between two lines that stand one under the other?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from docparse.layout.items import Marker
from docparse.layout.lines import Line
from docparse.layout.words import Word

INDENT = 0.8  # em
SENTENCE_END = (".", "!", "?", ":", "”", '"', "。", "！", "？", "：", ")")


@dataclass(frozen=True)
class Pair:
    """Two lines, one under the other; `leading` is the usual baseline distance around here in font sizes."""

    upper: Line
    lower: Line
    leading: float
    noise: float

    @property
    def distance(self) -> float:
        return (self.lower.baseline - self.upper.baseline) / max(self.upper.size, self.lower.size)


def ruled_apart(pair: Pair, strokes: np.ndarray) -> bool:
    """A horizontal stroke between the two lines, under most of the narrower one, or the short one over footnotes.

    `strokes` is float32 [n, 4].
    """
    if len(strokes) == 0:
        return False
    top, bottom = pair.upper.baseline + 0.25 * pair.upper.size, pair.lower.baseline - 0.4 * pair.lower.size
    x0, x1 = max(pair.upper.box.x0, pair.lower.box.x0), min(pair.upper.box.x1, pair.lower.box.x1)
    between = (strokes[:, 1] > top) & (strokes[:, 1] < bottom)
    shared = np.minimum(strokes[:, 2], x1) - np.maximum(strokes[:, 0], x0)
    wide = shared > 0.6 * (x1 - x0)
    margin = np.abs(strokes[:, 0] - pair.lower.box.x0) < 3 * pair.lower.size
    over_notes = margin & (shared > 3 * pair.lower.size) & (pair.distance > 1.05 * pair.leading)
    return bool(np.any(between & (wide | over_notes)))


def breaks(
    pair: Pair, column: tuple[float, float, int], group: Sequence[Line], item: Marker | None, marker: Marker | None
) -> bool:
    """Does a new paragraph, heading or item start with the lower line? `group` are the lines it would join, which begin
    with the marker `item`, it with `marker`, if there are any."""
    return (
        _size_differs(pair)
        or _set_right(pair)
        or pair.distance > 1.3 * pair.leading
        or (marker is not None and _starts_item(pair, marker))
        or _next_number(group[0].words, pair.lower.words)
        or _weight_differs(pair)
        or (_leaves_item(pair, group, item) if item else _starts_paragraph(pair, column, group))
    )


def _size_differs(pair: Pair) -> bool:
    """A few small characters are a loose index or accent; a few large ones are a short heading."""
    small, large = sorted((pair.upper, pair.lower), key=lambda line: line.size)
    return large.size - small.size > pair.noise * large.size and small.characters > 3


def _set_right(pair: Pair) -> bool:
    """A date or number set to the right, over text."""
    upper, lower, em = pair.upper.box, pair.lower.box, max(pair.upper.size, pair.lower.size)
    return upper.x0 - lower.x0 > max(8 * em, 0.4 * lower.width) and abs(upper.center[0] - lower.center[0]) > em


def _weight_differs(pair: Pair) -> bool:
    """A bold line over or under text without any bold is a heading; a run-in heading shares its line."""
    light, heavy = sorted((pair.upper.share("bold"), pair.lower.share("bold")))
    return light < 0.15 and heavy > 0.9


def _starts_item(pair: Pair, marker: Marker) -> bool:
    """An item begins where the marker is sure, or after a sentence."""
    return marker.sure or (not marker.doubtful and pair.upper.text.endswith(SENTENCE_END))


def _next_number(first: Sequence[Word], words: Sequence[Word]) -> bool:
    """Entries of a list numbered without points: "1 Author ..." is followed by "2 Author ..."."""
    numbers = [w[0].text for w in (first, words) if len(w) > 1 and w[0].text.isdigit() and len(w[0].text) <= 3]
    return len(numbers) == 2 and int(numbers[1]) == int(numbers[0]) + 1 and words[0].box.x1 < first[1].box.x0 + 1


def _leaves_item(pair: Pair, group: Sequence[Line], item: Marker) -> bool:
    """After a list item whose lines hang under its text, a line out at the marker's margin is a new paragraph."""
    em = pair.lower.size
    if item.words <= item.start or pair.lower.start > item.words - 0.5 * em:
        return False  # Chinese and Japanese set no space behind a marker: nothing says where the text hangs
    hangs = len(group) > 1 and abs(pair.upper.start - item.words) < 0.5 * em
    return hangs or pair.upper.text.endswith(SENTENCE_END)


def _starts_paragraph(pair: Pair, column: tuple[float, float, int], group: Sequence[Line]) -> bool:
    left, right, lines = column
    upper, lower, em = pair.upper, pair.lower, pair.lower.size
    if lines < 3:
        return False
    indented = INDENT * em < lower.box.x0 - left < 6 * em and upper.box.x0 - left < 0.4 * em
    hanging = len(group) > 1 and group[1].box.x0 - group[0].box.x0 > INDENT * em
    if indented and len(group) == 1 and not upper.text.endswith(SENTENCE_END):
        return False  # the second line of a hanging paragraph
    if indented:
        return True
    if hanging:
        return lower.box.x0 < group[1].box.x0 - INDENT * em
    short = upper.box.x1 < right - max(6 * em, 0.25 * (right - left))
    return short and upper.text.endswith(SENTENCE_END) and not lower.text[:1].islower()
