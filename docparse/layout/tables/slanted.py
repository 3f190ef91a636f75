"""Slanted headings: text printed at 45 degrees comes as a staircase of fragments and is put together again here."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from docparse.layout.text.words import Word
from docparse.types import Box

STEPS = 3  # fragments at least: two may be a base and its exponent
LEVEL = 0.15  # em: a smaller rise is that of another font


def rejoin(words: Sequence[Word]) -> tuple[list[Word], list[tuple[int, ...]]]:
    """Return words with slanted fragments joined, and for each the indices of the words it was made from.

    A joined word gets the box of its foot, where it stands over its column, so that it lines up with level text. The
    order of the input does not matter: fragments follow each other in the PDF's own order.
    """
    chains: list[tuple[int, ...]] = []
    for i in sorted(range(len(words)), key=lambda i: (words[i].index, words[i].box.x0, words[i].box.y0)):
        if chains and _climbs(words[chains[-1][-1]], words[i]):
            chains[-1] = (*chains[-1], i)
        else:
            chains.append((i,))
    sources = [part for chain in chains for part in ([chain] if len(chain) >= STEPS else [(i,) for i in chain])]
    return [_standing([words[i] for i in chain]) for chain in sources], sources


def _climbs(last: Word, word: Word) -> bool:
    """`word` starts where `last` ends, up and to the right (or down), in the same type, with no space between."""
    steep = len(last.text) > 2 and last.box.height > 1.8 * last.size
    if not (word.glued or steep) or last.angle or word.angle or abs(last.size - word.size) > 0.1 * last.size:
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
