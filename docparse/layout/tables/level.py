"""Words that are not level, made so: tables printed sideways, and column headings at 45 degrees.

A page with sideways words is turned, searched, and what was found turned back. Text at 45 degrees comes as a staircase
of fragments, which are put together again.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from docparse.layout.chained import chained
from docparse.layout.geometry import boxes_of, corners_of
from docparse.layout.text.words import Word
from docparse.types import Box

MIN_TURNED_WORDS = 20  # words; fewer turned ones are axis labels and margin notes
STEPS = 3  # fragments at least: two may be a base and its exponent
LEVEL = 0.15  # em: a smaller rise is that of another font


def turned_angles(words: Sequence[Word]) -> list[int]:
    """Return the angles (90, 270) at which enough words are set for a table."""
    return [angle for angle in (90, 270) if sum(w.angle == angle for w in words) >= MIN_TURNED_WORDS]


def upright_words(words: Sequence[Word], angle: int, page: Box) -> list[Word]:
    """Return the words as they stand on the page turned so that those at `angle` read from left to right."""

    def turned(word: Word) -> Word:
        baseline = page.x1 - word.baseline if angle == 90 else word.baseline
        return msgspec.structs.replace(word, box=word.box.turned(360 - angle, page), baseline=baseline, angle=0)

    return list(map(turned, words))


def upright_rulings(rulings: np.ndarray, angle: int, page: Box) -> np.ndarray:
    """float [n, 4] on the turned page."""
    return corners_of(stroke.turned(360 - angle, page) for stroke in boxes_of(rulings))


def rejoin(words: Sequence[Word]) -> tuple[list[Word], list[tuple[int, ...]]]:
    """Return words with slanted fragments joined, and for each the indices of the words it was made from.

    A joined word gets the box of its foot, where it stands over its column, so that it lines up with level text. The
    order of the input does not matter: fragments follow each other in the PDF's own order.
    """
    ordered = sorted(range(len(words)), key=lambda i: (words[i].index, words[i].box.x0, words[i].box.y0))
    chains = chained(ordered, lambda chain, i: _climbs(words[chain[-1]], words[i]))
    sources = [part for chain in chains for part in ([tuple(chain)] if len(chain) >= STEPS else [(i,) for i in chain])]
    return [_standing([words[i] for i in chain]) for chain in sources], sources


def _climbs(last: Word, word: Word) -> bool:
    """`word` starts where `last` ends, up and to the right (or down), in the same type, with no space between."""
    steep = len(last.text) > 2 and last.box.height > 1.8 * last.size
    if not (word.glued or steep) or last.angle or abs(last.size - word.size) > 0.1 * last.size:
        return False
    near = last.box.padded(0.3 * last.size).intersection(word.box) > 0
    x, rise = word.box.center[0] - last.box.center[0], abs(word.box.y0 - last.box.y0)
    return near and x > 0 and rise > LEVEL * word.size


def _standing(chain: Sequence[Word]) -> Word:
    if len(chain) == 1:
        return chain[0]
    first, foot = chain[0], max(word.box.y1 for word in chain)
    box = Box(first.box.x0, foot - first.size, first.box.x0 + 1.5 * first.size, foot)
    text = "".join(word.text for word in chain)
    return msgspec.structs.replace(first, text=text, box=box, baseline=foot - 0.2 * first.size, glued=False)
