"""Slanted headings: text printed at 45 degrees comes as a staircase of fragments and is put together again here."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from docparse.layout.text.words import Word
from docparse.types import Box


def rejoin(words: Sequence[Word], box: np.ndarray) -> tuple[list[Word], list[tuple[int, ...]]]:
    """Return words with slanted fragments joined, and for each the indices of the words it was made from.

    `box` is float [n, 4], the boxes of `words`. A joined word gets the box of its foot, where it stands over its
    column, so that it lines up with level text. The order of the input does not matter: fragments follow each other
    in the PDF's own order.
    """
    index = np.array([w.index for w in words])
    order = np.lexsort((box[:, 1], box[:, 0], index))
    before, after = box[order[:-1]], box[order[1:]]
    height = after[:, 3] - after[:, 1]
    shift = np.abs(after[:, 1] - before[:, 1])
    meet = np.minimum(before[:, 2:], after[:, 2:]) > np.maximum(before[:, :2], after[:, :2]) - 0.3 * height[:, None]
    possible = meet.all(1) & (after[:, 0] > before[:, 0]) & (shift > 0.1 * height)
    climbs = {int(order[k + 1]) for k in np.flatnonzero(possible) if _climbs(words[order[k]], words[order[k + 1]])}
    if not climbs:
        return list(words), [(i,) for i in range(len(words))]
    chains = [[int(order[0])]]
    for i in order[1:].tolist():
        if i in climbs:
            chains[-1].append(i)
        else:
            chains.append([i])
    joined, sources = [], []
    for chain in chains:
        if len(chain) >= 3 or (len(chain) == 2 and _is_steep(words[chain[0]])):
            joined.append(_standing(words, chain))
            sources.append(tuple(chain))
        else:
            joined += [words[i] for i in chain]
            sources += [(i,) for i in chain]
    return joined, sources


def _is_steep(word: Word) -> bool:
    return len(word.text) > 2 and word.angle == 0 and word.box.height > 1.8 * word.size


def _climbs(last: Word, word: Word) -> bool:
    """`word` starts where `last` ends, up and to the right (or down), in the same type, with no space between."""
    if last.angle or word.angle or abs(last.size - word.size) > 0.1 * last.size or word.box.height < 0.7 * word.size:
        return False
    if not (word.glued or _is_steep(last)) or (len(last.text) > 1 and not _is_steep(last)):
        return False
    x = (word.box.x0 + word.box.x1 - last.box.x0 - last.box.x1) / 2
    rise = last.box.y0 - word.box.y0
    near = last.box.padded(0.3 * last.size).intersection(word.box) > 0
    return near and x > 0.1 * word.size and abs(rise) > 0.15 * word.size


def _standing(words: Sequence[Word], chain: Sequence[int]) -> Word:
    first = words[chain[0]]
    text = "".join(words[i].text for i in chain)
    foot = max(words[i].box.y1 for i in chain)
    box = Box(first.box.x0, foot - first.size, first.box.x0 + 1.5 * first.size, foot)
    fields = {name: getattr(first, name) for name in Word.__struct_fields__}
    return Word(**(fields | {"text": text, "box": box, "baseline": foot - 0.2 * first.size, "glued": False}))
