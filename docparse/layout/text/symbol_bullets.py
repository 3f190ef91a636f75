"""Bullets in symbol fonts whose codes lie: a box that the file calls "¢", an arrow that it calls "h"."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from docparse.layout.chained import grouped
from docparse.layout.text.markers import is_marker
from docparse.layout.text.words import Word

FEWEST = 3  # lines that begin with it
ALWAYS = 0.9  # of the times that it is printed it begins a line
REACH, LEAST = 4.0, 0.2  # em to the word behind it, at most and at least
OWN = 0.8  # of the words in its font are no longer than it, where it is a letter
ODD = re.compile(r"[¢¤¨¯¸ÊËÌÎÏÐÞŸ\uff61-\uffdc]")  # alone they are no word: accents, Katakana letters of half width
BULLET = "•"


def with_symbol_bullets(words: Sequence[Word]) -> list[Word]:
    """Return the words, with a bullet for each sign that begins three lines or more and hardly stands elsewhere: of a
    font that sets next to nothing else, or one that no text is written with."""
    upright = [word for word in words if word.angle == 0]
    signs = grouped(
        ((word.font, word.text), word) for word in upright if len(word.text) == 1 and not word.text.isdigit()
    )
    fonts = grouped((word.font, len(word.text) == 1) for word in upright)
    found: set[int] = set()
    for (font, text), own in signs.items():
        apart = sum(fonts[font]) >= OWN * len(fonts[font])
        if (
            len(own) < FEWEST
            or is_marker(text)
            or not (ODD.fullmatch(text) or (apart and text.isascii() and text.isalpha()))
        ):
            continue
        first = [word for word in own if _begins_line(word, upright)]
        if len(first) >= max(FEWEST, ALWAYS * len(own)):
            found |= set(map(id, first))
    return [msgspec.structs.replace(word, text=BULLET) if id(word) in found else word for word in words]


def _begins_line(word: Word, words: Sequence[Word]) -> bool:
    """Whether nothing stands before it on its line, and a word close behind it."""
    level = [other for other in words if other is not word and abs(other.baseline - word.baseline) < 0.3 * word.size]
    before = any(-REACH * word.size < other.box.x1 - word.box.x0 < LEAST * word.size for other in level)
    gaps = (other.box.x0 - word.box.x1 for other in level if other.box.x1 > word.box.x1)
    return not before and LEAST * word.size < min(gaps, default=0.0) < REACH * word.size
