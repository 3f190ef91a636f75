"""Letters of fonts that do not say what they are: OCR reads some of the lines they stand in, and tells.

Founder BookMaker, in which many Chinese schoolbooks, journals and newspapers are set, writes the punctuation, digits
and Latin letters of its own fonts as fonts that number their glyphs from "!" on, with no word on what these are. A
glyph is what OCR sees in its place between the letters on both sides, in most lines.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from string import punctuation

import numpy as np

from docparse.layout.ocr.result import OcrResult
from docparse.layout.text.line_finding import lines_of
from docparse.layout.text.word_finding import words_of
from docparse.layout.text.wording import HALF_WIDTH
from docparse.pdf.content import Characters
from docparse.types import Box

UNNAMED = re.compile(r"^FzBookMaker\d+DlFont")
ENOUGH = 5  # lines with a glyph that are read
MOST = 0.5  # of what OCR saw in its place
WIDE = 0.7  # em: a mark so wide is one of Chinese type
UNKNOWN = "\0"
FULL_WIDTH = {half: full for full, half in HALF_WIDTH.items() if chr(half) in punctuation}

Glyph = tuple[str, str]  # the name of a font, and a code


def has_unnamed(layer: Characters) -> bool:
    """Return whether there are letters that nothing tells."""
    return any(UNNAMED.match(font.name) for font in layer.fonts)


def with_letters(layer: Characters, read: Callable[[Sequence[Box]], OcrResult]) -> Characters:
    """Return the layer with these letters as OCR sees them; `read` runs it on the lines in the boxes it is given."""
    unnamed = np.array([UNNAMED.match(font.name) is not None for font in layer.fonts])[layer.font]
    unnamed &= ~layer.generated & np.array([not char.isspace() for char in layer.text])
    glyphs = {i: (layer.fonts[layer.font[i]].name, layer.text[i]) for i in np.flatnonzero(unnamed).tolist()}
    rows = _chosen([(line.box, _along(layer, line.box)) for line in lines_of(words_of(layer))], glyphs)
    votes: dict[Glyph, Counter[str]] = defaultdict(Counter)
    words = read([box for box, _ in rows]).words
    for box, row in rows:
        inside = sorted((word for word in words if box.holds(*word.box.center)), key=lambda word: word.box.x0)
        known = "".join(UNKNOWN if i in glyphs else layer.text[i] for i in row)
        for at, char in _seen(known, "".join(word.text for word in inside)):
            votes[glyphs[row[at]]][char] += 1
    found = {glyph: seen.most_common(1)[0] for glyph, seen in votes.items()}
    meant = {glyph: char for glyph, (char, count) in found.items() if count > MOST * votes[glyph].total()}
    text = list(layer.text)
    for i, glyph in glyphs.items():
        if glyph in meant:
            wide = layer.box[i, 2] - layer.box[i, 0] > WIDE * layer.fonts[layer.font[i]].size
            text[i] = meant[glyph].translate(FULL_WIDTH) if wide else meant[glyph]
    return replace(layer, text="".join(text))


def _along(layer: Characters, box: Box) -> list[int]:
    """The characters of a line, from left to right."""
    x, y = ((layer.box[:, :2] + layer.box[:, 2:]) / 2).T
    inside = (x > box.x0) & (x < box.x1) & (y > box.y0) & (y < box.y1) & ~layer.generated
    found = np.flatnonzero(inside)
    return [i for i in found[np.argsort(x[found], kind="stable")].tolist() if not layer.text[i].isspace()]


def _chosen(rows: Sequence[tuple[Box, list[int]]], glyphs: dict[int, Glyph]) -> list[tuple[Box, list[int]]]:
    """The first rows in which each glyph stands."""
    counts: Counter[Glyph] = Counter()
    chosen = []
    for box, row in rows:
        held = {glyphs[i] for i in row if i in glyphs}
        if any(counts[glyph] < ENOUGH for glyph in held):
            counts.update(held)
            chosen.append((box, row))
    return chosen


def _seen(known: str, said: str) -> list[tuple[int, str]]:
    """What OCR saw in the places of unknown letters, between the same letters on both sides."""
    said = said.translate(HALF_WIDTH)
    seen = []
    for kind, start, end, first, last in SequenceMatcher(None, known, said, autojunk=False).get_opcodes():
        if kind == "replace" and end - start == last - first:
            seen += [(start + k, said[first + k]) for k in range(end - start) if known[start + k] == UNKNOWN]
    return seen
