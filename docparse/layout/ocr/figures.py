"""Figures that OCR takes for letters: typewriters without a 1 have a small l for it, and o and 〇 look like 0."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from docparse.hyphenation import CJK
from docparse.layout.text.words import Word

NUMBER = re.compile(r"(?<![^\W_])([\dlIoO]+(?:[.,:/-][\dlIoO]+)*)((?:st|nd|rd|th)?)(?![^\W_]|['’])")
FIGURES = str.maketrans("lIoO", "1100")
YEAR = re.compile(r"[lI][789]\d\d")
ZERO = "〇"  # of Chinese years
MOSTLY = 0.5  # of the characters of a typewritten page are told to be monospaced
CODE, CODED = frozenset("{}=<>_;\\"), 0.004  # signs of a listing, where l1 is a name, and share of them in one


def with_figures(words: Sequence[Word]) -> list[Word]:
    """Return the words with figures for the letters that stand for some in numbers: l939, 2lst; on a typewritten page
    also l0 and l alone. A Chinese zero among other letters is an o, among figures a 0."""
    typed = _is_typewritten(words)
    found = ((word, _in_figures(_without_zeros(word.text), typed=typed)) for word in words)
    return [word if text == word.text else msgspec.structs.replace(word, text=text) for word, text in found]


def _is_typewritten(words: Sequence[Word]) -> bool:
    text = "".join(word.text for word in words)
    mono = sum(len(word.text) for word in words if word.mono)
    return mono > MOSTLY * len(text) and sum(char in CODE for char in text) < CODED * len(text)


def _without_zeros(text: str) -> str:
    rest = text.replace(ZERO, "")
    if rest == text or not any(map(str.isalnum, rest)) or CJK.search(rest):
        return text
    return text.replace(ZERO, "0" if any(map(str.isdigit, rest)) else "o")


def _in_figures(text: str, *, typed: bool) -> str:
    def written(match: re.Match[str]) -> str:
        number, ordinal = match.groups()
        is_number = _is_typed(number) if typed else _is_printed(number, ordinal)
        return (number.translate(FIGURES) if is_number else number) + ordinal

    return NUMBER.sub(written, text)


def _is_typed(number: str) -> bool:
    """Return whether all its parts are numbers: not those of 10.III.1939."""
    parts = re.split(r"[.,:/-]", number)
    return number[0] not in "oO" and all(set(part) == {"l"} or any(map(str.isdigit, part)) for part in parts)


def _is_printed(number: str, ordinal: str) -> bool:
    """Return whether hardly anything but a number looks so: no O2, I80 or 10l."""
    figures = sum(map(str.isdigit, number))
    inside = number[0].isdigit() and (number[-1].isdigit() or bool(ordinal))
    letters = sum(map(str.isalpha, number))
    return YEAR.fullmatch(number) is not None or (inside and figures > letters) or (inside and bool(ordinal))
