"""Leaders of contents and indexes in scans, which OCR reads in pieces: a title, some of the dots, the number."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

import msgspec

from docparse.layout.text.words import LEVEL, Word
from docparse.types import Box

DOTS = re.compile(r"[.·•∙…‥]+")
NUMBER = re.compile(r"[.·•∙…‥]*(\d{1,4}[,;]?)")  # of a page, and dots that were read with it
ROWS = 3  # with a leader to a number, at least
REACH = 6.0  # em from one of the dots to the next: old books set them two em apart, and OCR overlooks some
DRAWN = "...."  # what is read as a leader

# The last word of a title, the dots behind it, and the number that they lead to.
_Leader = tuple[Word, list[Word], Word]


def with_leaders(words: Sequence[Word]) -> list[Word]:
    """Return the words of a scan, with all the dots from a title to the number behind it as one word, and no gap that
    parts cells on either side of it. Rows of several numbers are those of a table."""
    if sum(DOTS.fullmatch(word.text) is not None for word in words) < ROWS:
        return list(words)
    seen = list(_leaders(words))
    found = [leader for leader in seen if _is_sure(leader, seen)]
    if len(found) < ROWS:
        return list(words)
    taken = {id(word) for _, dots, number in found for word in (*dots, number)}
    behind = {id(title): (_drawn(title, dots, number), _bare(number)) for title, dots, number in found}
    ordered = sorted((word for word in words if id(word) not in taken), key=lambda word: word.index)
    whole = [each for word in ordered for each in (word, *behind.get(id(word), ()))]
    return [msgspec.structs.replace(word, index=i) for i, word in enumerate(whole)]


def _leaders(words: Sequence[Word]) -> Iterator[_Leader]:
    """Yield titles' last words, the dots behind them, and the numbers that these lead to."""
    for number in words:
        if number.angle or NUMBER.fullmatch(number.text) is None:
            continue
        row = sorted((word for word in words if _is_in_row(word, number)), key=lambda word: word.box.x0)
        at = row.index(number)
        if at + 1 < len(row) and row[at + 1].text[0].isdigit():
            continue
        first = at
        while first and DOTS.fullmatch(row[first - 1].text):
            first -= 1
        title, dots = row[first - 1] if first else None, row[first:at]
        lettered = title is not None and not title.angle and any(map(str.isalpha, title.text))
        if dots and title is not None and lettered:
            yield title, dots, number


def _is_sure(leader: _Leader, seen: Sequence[_Leader]) -> bool:
    """Return whether its dots stand near each other and what they join, or other leaders end where it does: of those
    with wide spaces OCR often sees the first or the last dot alone."""
    title, dots, number = leader
    ends = (abs(other.box.x1 - number.box.x1) < LEVEL * number.size for *_, other in seen)
    return all(_is_near(*pair, number.size) for pair in pairwise([title, *dots, number])) or sum(ends) >= ROWS


def _is_in_row(word: Word, number: Word) -> bool:
    """Return whether it stands in the row of a number; a dot alone may have been read as text that runs down."""
    return (not word.angle or DOTS.fullmatch(word.text) is not None) and (
        number.box.y0 < word.box.center[1] < number.box.y1 or word is number
    )


def _is_near(left: Word, right: Word, size: float) -> bool:
    return right.box.x0 - left.box.x1 < REACH * size


def _drawn(title: Word, dots: Sequence[Word], number: Word) -> Word:
    """The dots as one word of the title's line, up to the number."""
    box = Box(max(title.box.x1, dots[0].box.x0), title.box.y0, max(number.box.x0, title.box.x1), title.box.y1)
    return msgspec.structs.replace(
        title, text=DRAWN, box=box, glued=False, bold=False, italic=False, stretched=True, begins=False
    )


def _bare(number: Word) -> Word:
    said = NUMBER.fullmatch(number.text)
    return msgspec.structs.replace(number, text=said[1] if said else number.text, stretched=True, begins=False)
