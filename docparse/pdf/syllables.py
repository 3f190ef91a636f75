"""Syllables of India's scripts, put in the order in which they are spoken.

A vowel sign that stands before its consonant is stored behind it, an r over the end of a syllable before it. Most
writers of PDFs leave such glyphs in the order in which they stand.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from docparse.pdf.codes import among
from docparse.pdf.textlayer import RawText

FIRST_INDIC, LAST_INDIC, BLOCK = 0x900, 0xDFF, 0x80  # the scripts' blocks in Unicode, laid out alike
CONSONANTS, NUKTA, VIRAMA, RA = (0x15, 0x39), 0x3C, 0x4D, 0x30  # places in a block
BEFORE = "\u093f\u09bf\u09c7\u09c8\u0a3f\u0abf\u0b47\u0bc6\u0bc7\u0bc8\u0d46\u0d47\u0d48\u0dd9\u0ddb"
AHEAD = 0.3  # of the width of the character before it: a sign that begins further right stands behind it


def with_spoken_syllables(raw: RawText) -> RawText:
    """Return the text with the characters of syllables in the order of Unicode."""
    if not ((raw.code >= FIRST_INDIC) & (raw.code <= LAST_INDIC)).any():
        return raw
    syllables = _Syllables(raw)
    order, box = np.arange(len(raw), dtype=np.float64), raw.box.copy()
    for i in np.flatnonzero(raw.inked & among(raw.code, BEFORE)).tolist():
        if syllables.is_ahead(i):
            end = syllables.end(i + 1)
            order[i] = end + 0.5
            box[i + 1, 0] = min(box[i, 0], box[i + 1, 0])
            box[i, [0, 2]] = box[end, 2]
    for i in np.flatnonzero(syllables.place[:-1] == RA).tolist():
        if syllables.is_over(i):
            start = syllables.start(i - 1)
            order[[i, i + 1]] = start - np.array([0.5, 0.4])
            box[i : i + 2, [0, 2]] = box[start, 0]
    return replace(raw, box=box).taken(np.argsort(order, kind="stable"))


class _Syllables:
    """Where those of a page begin and end; `place` is where a character stands in the block of its script, or -1."""

    def __init__(self, raw: RawText) -> None:
        self.raw = raw
        indic = (raw.code >= FIRST_INDIC) & (raw.code <= LAST_INDIC)
        self.place = np.where(indic, raw.code % BLOCK, -1).astype(np.int64)
        self.consonant = (self.place >= CONSONANTS[0]) & (self.place <= CONSONANTS[1])

    def is_ahead(self, i: int) -> bool:
        """Return whether a sign stands before the consonant that is stored behind it, not before the one stored
        first."""
        if i + 1 >= len(self.place) or not self.consonant[i + 1]:
            return False
        box, before = self.raw.box[i], self.raw.box[i - 1]
        behind = i == 0 or self.place[i - 1] < 0 or box[0] > before[0] + AHEAD * (before[2] - before[0])
        return bool(behind)

    def is_over(self, i: int) -> bool:
        """Return whether an r and its virama, one glyph, stand over the character stored before them."""
        box, before = self.raw.box[i], self.raw.box[i - 1]
        one = self.place[i + 1] == VIRAMA and (self.raw.box[i + 1] == box).all()
        return bool(one and i and self.place[i - 1] >= 0 and before[0] < (box[0] + box[2]) / 2 < before[2])

    def end(self, i: int) -> int:
        """The last consonant of the cluster that begins at `i`."""
        last = len(self.place) - 1
        while i < last:
            if self.place[i + 1] == NUKTA:
                i += 1
            elif self.place[i + 1] == VIRAMA and i + 1 < last and self.consonant[i + 2]:
                i += 2
            else:
                break
        return i

    def start(self, i: int) -> int:
        """The first consonant of the syllable that ends at `i`."""
        while i > 0 and not self.consonant[i] and self.place[i - 1] >= 0:
            i -= 1
        while i > 1 and self.place[i - 1] in (VIRAMA, NUKTA) and self.consonant[i - 2]:
            i -= 2
        return i
