"""Lines from right to left: what is seen from left to right, in the order in which it is read.

The recogniser's columns go from left to right. Words in Hebrew and Arabic letters are spelled the other way, numbers
and Latin words among them are not: Unicode's algorithm (UAX #9) backwards, for a line that is read from the right.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from docparse.layout.text.wording import is_rtl

_NUMBER = r"[\d٠-٩۰-۹]+(?:[.,:/٫٬][\d٠-٩۰-۹]+)*"
_LATIN = r"[A-Za-zÀ-ɏ](?:[\wÀ-ɏ.'’@:/&+ -]*[\dA-Za-zÀ-ɏ])?"
_FORWARD = re.compile(f"{_LATIN}|{_NUMBER}", re.ASCII)
_ZEROS = ("٠", "۰")
_MIRRORED = str.maketrans("()[]{}<>«»‹›", ")(][}{><»«›‹")


def turned(text: str) -> str:
    """Return a line as it is read where `text` is how it is seen from left to right, and the other way round."""
    pieces, done = [], 0
    for match in _FORWARD.finditer(text):
        pieces += [_backward(text[done : match.start()]), match[0]]
        done = match.end()
    return "".join(reversed([*pieces, _backward(text[done:])]))


def as_read(words: Sequence[str]) -> list[tuple[int, str]]:
    """Return the places of a line's words, which are given from left to right as they are seen, in the order in which
    they are read, each with its spelling."""
    if not is_rtl("".join(words)):
        return list(enumerate(words))
    words = [_as_point(word, ends=k == len(words) - 1) for k, word in enumerate(words)]
    runs = [(latin, list(run)) for latin, run in groupby(range(len(words)), key=lambda i: _is_latin(words[i]))]
    places = [i for latin, run in reversed(runs) for i in (run if latin else reversed(run))]
    return [(i, turned(words[i])) for i in places]


def _backward(text: str) -> str:
    return text[::-1].translate(_MIRRORED)


def _as_point(word: str, *, ends: bool) -> str:
    """The zero of Arabic figures alone is a bullet, at the right end of its line, or a point between words."""
    return ("•" if ends else "·") if word in _ZEROS else word


def _is_latin(word: str) -> bool:
    return any(character.isascii() and character.isalpha() for character in word)
