"""Bullets in symbol fonts whose codes lie: a box that the file calls "¢", an arrow that it calls "h"."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

import msgspec

from docparse.layout.chained import grouped
from docparse.layout.text.markers import is_marker
from docparse.layout.text.words import LEVEL, Word

FEWEST = 3  # lines that begin with it
ALWAYS = 0.9  # of the times that it is printed it begins a line
REACH, LEAST = 4.0, 0.2  # em to the word behind it, at most and at least
ODD = re.compile(r"[¢¤¨¯¸ÊËÌÎÏÐÞŸ\uff61-\uffdc]")  # alone they are no word: accents, Katakana letters of half width
LETTER = re.compile(r"[A-Za-z]")
BULLET = "•"


def with_symbol_bullets(words: Sequence[Word]) -> list[Word]:
    """Return the words, with a bullet for each sign that begins three lines or more and hardly stands elsewhere, where
    no text is written with it, or its font has this one letter and nothing else."""
    upright = [word for word in words if word.angle == 0 and not word.math]
    fonts = grouped((word.font, word.text) for word in upright)
    lone = {font: len(set(texts)) == 1 for font, texts in fonts.items()}
    signs = grouped(((word.font, word.text), word) for word in upright if len(word.text) == 1)
    told = (
        own
        for (font, text), own in signs.items()
        if (ODD.fullmatch(text) or (lone[font] and LETTER.fullmatch(text))) and not is_marker(text)
    )
    often = [own for own in told if len(own) >= FEWEST]
    lines = sorted((word.baseline, i) for i, word in enumerate(upright)) if often else []
    found: set[int] = set()
    for own in often:
        first = [word for word in own if _begins_line(word, upright, lines)]
        if len(first) >= max(FEWEST, ALWAYS * len(own)):
            found |= set(map(id, first))
    return [msgspec.structs.replace(word, text=BULLET) if id(word) in found else word for word in words]


def _begins_line(word: Word, words: Sequence[Word], lines: Sequence[tuple[float, int]]) -> bool:
    """Return whether nothing stands before it on its line, and a word close behind it; `lines` are the baselines of all
    words, sorted."""
    near, em = LEVEL * word.size, word.size
    start, end = bisect_left(lines, (word.baseline - near, -1)), bisect_right(lines, (word.baseline + near, len(words)))
    level = [words[i].box for _, i in lines[start:end] if words[i] is not word]
    before = any(-REACH * em < box.x1 - word.box.x0 < LEAST * em for box in level)
    gaps = (box.x0 - word.box.x1 for box in level if box.x1 > word.box.x1)
    return not before and LEAST * em < min(gaps, default=0.0) < REACH * em
