"""Letters of fonts that do not say what they are (`docparse.pdf.untold`): OCR reads lines they stand in, and tells.

A glyph is what OCR sees in its place between known letters, in most lines. It sees print, not formulas: a line is read
in the parts between them, and their letters are those of the text layer.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import groupby
from string import punctuation

import numpy as np

from docparse.layout.ocr.result import OcrResult
from docparse.layout.text.line_finding import lines_of
from docparse.layout.text.word_finding import words_of
from docparse.layout.text.wording import HALF_WIDTH
from docparse.pdf.content import Characters
from docparse.types import Box

ENOUGH = 5  # lines with a glyph that are read
MOST = 0.5  # of what OCR saw in its place
WIDE = 0.7  # em: a mark so wide is one of Chinese type
UNKNOWN = "\0"
LETTER = "口"  # stands for an unknown one while lines are found
FULL_WIDTH = {half: full for full, half in HALF_WIDTH.items() if chr(half) in punctuation}


def has_unnamed(layer: Characters) -> bool:
    """Return whether there are letters that nothing tells."""
    return layer.glyph is not None


def with_letters(layer: Characters, read: Callable[[Sequence[Box]], OcrResult]) -> Characters:
    """Return the layer with these letters as OCR sees them, and which ones it could not tell; `read` runs it on the
    lines in the boxes it is given."""
    if layer.glyph is None:
        return layer
    glyphs = {i: int(layer.glyph[i]) for i in np.flatnonzero(layer.glyph >= 0).tolist()}
    shown = replace(layer, text="".join(LETTER if i in glyphs else char for i, char in enumerate(layer.text)))
    rows = _chosen([part for line in lines_of(words_of(shown)) for part in _parts(layer, line.box)], glyphs)
    meant = _meant(layer, glyphs, rows, read)
    alone = [(Box(*layer.box[i].tolist()), [i]) for i, glyph in glyphs.items() if glyph not in meant]
    meant |= _meant(layer, glyphs, _chosen(alone, glyphs), read)
    text, still = list(layer.text), layer.glyph.copy()
    for i, glyph in glyphs.items():
        if glyph in meant:
            wide = layer.box[i, 2] - layer.box[i, 0] > WIDE * layer.fonts[layer.font[i]].size
            text[i] = meant[glyph].translate(FULL_WIDTH) if wide else meant[glyph]
            still[i] = -1
    return replace(layer, text="".join(text), glyph=still if (still >= 0).any() else None)


def _meant(
    layer: Characters,
    glyphs: dict[int, int],
    rows: Sequence[tuple[Box, list[int]]],
    read: Callable[[Sequence[Box]], OcrResult],
) -> dict[int, str]:
    """Return what OCR sees in the place of each glyph, in most of the rows."""
    votes: dict[int, Counter[str]] = defaultdict(Counter)
    words = read([box for box, _ in rows]).words if rows else []
    for box, row in rows:
        inside = sorted((word for word in words if box.holds(*word.box.center)), key=lambda word: word.box.x0)
        known = "".join(UNKNOWN if i in glyphs else layer.text[i] for i in row)
        for at, char in _seen(known, "".join(word.text for word in inside)):
            votes[glyphs[row[at]]][char] += 1
    found = {glyph: seen.most_common(1)[0] for glyph, seen in votes.items()}
    return {glyph: char for glyph, (char, count) in found.items() if count > MOST * votes[glyph].total()}


def _parts(layer: Characters, box: Box) -> Iterator[tuple[Box, list[int]]]:
    """The parts of a line between letters of mathematics, which OCR does not read: their boxes, and their characters
    from left to right."""
    x, y = ((layer.box[:, :2] + layer.box[:, 2:]) / 2).T
    inside = (x > box.x0) & (x < box.x1) & (y > box.y0) & (y < box.y1) & ~layer.generated
    found = np.flatnonzero(inside)
    row = [i for i in found[np.argsort(x[found], kind="stable")].tolist() if not layer.text[i].isspace()]
    for math, part in groupby(row, key=lambda i: layer.fonts[layer.font[i]].math):
        if not math:
            index = list(part)
            yield Box(float(layer.box[index, 0].min()), box.y0, float(layer.box[index, 2].max()), box.y1), index


def _chosen(rows: Sequence[tuple[Box, list[int]]], glyphs: dict[int, int]) -> list[tuple[Box, list[int]]]:
    """The first rows in which each glyph stands."""
    counts: Counter[int] = Counter()
    chosen = []
    for box, row in rows:
        held = {glyphs[i] for i in row if i in glyphs}
        if any(counts[glyph] < ENOUGH for glyph in held):
            counts.update(held)
            chosen.append((box, row))
    return chosen


def _seen(known: str, said: str) -> list[tuple[int, str]]:
    """Return what OCR saw in the places of unknown letters, between the same letters on both sides."""
    said = said.translate(HALF_WIDTH)
    seen = []
    for kind, start, end, first, last in SequenceMatcher(None, known, said, autojunk=False).get_opcodes():
        if kind == "replace" and end - start == last - first:
            seen += [(start + k, said[first + k]) for k in range(end - start) if known[start + k] == UNKNOWN]
    return seen
