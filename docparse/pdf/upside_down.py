"""Lines that stand on their heads, as the answers of a quiz do.

pdfium puts what stands on a line in order from left to right, and sees spaces where it then seems to go back.
"""

from __future__ import annotations

import numpy as np

from docparse.pdf.textlayer import RawText, quadrants

LEVEL = 0.1  # em between baselines of one line


def in_own_direction(raw: RawText) -> RawText:
    """Return the text with lines that stand on their heads and are told from left to right turned around, less the
    spaces that are not the file's."""
    around = (quadrants(raw) == 2)[raw.run]
    if not around.any():
        return raw
    base, size = raw.matrix[raw.run, 5], raw.size[raw.run]
    breaks = np.diff(around.astype(np.int8)) != 0
    breaks |= raw.code[:-1] == ord("\n")
    breaks |= raw.drawn[1:] & raw.drawn[:-1] & (np.abs(np.diff(base)) > LEVEL * size[1:])
    order: list[np.ndarray] = []
    for line in np.split(np.arange(len(raw)), np.flatnonzero(breaks) + 1):
        shown = line[raw.drawn[line]]
        backwards = around[line[0]] and len(shown) > 1 and np.median(np.diff(raw.box[shown, 0])) > 0
        last = line[line > shown[-1]] if backwards else line[:0]  # the end of the line
        order += [shown[::-1], last] if backwards else [line]
    return raw.taken(np.concatenate(order))
