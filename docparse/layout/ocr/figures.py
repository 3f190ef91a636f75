"""Figures that OCR takes for letters: typewriters without a 1 have a small l for it, and o and 〇 look like 0."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from docparse.hyphenation import CJK
from docparse.layout.text.words import Word

# a part of a number, as of l,00o, and a whole one
PART = re.compile(r"(?<![^\W_])([\dlIoO]+)((?:st|nd|rd|th)?)(?![^\W_]|['’]|/[a-zA-Z])")
WHOLE = re.compile(r"[\dlo]+(?:[.,:/-][\dlo]+)*")
FIGURES = str.maketrans("lIoO", "1100")
TOLD = 3  # figures among which a letter is one
ZERO = "〇"  # of Chinese years
MOSTLY = 0.5  # of the characters of a typewritten page are told to be monospaced
CODE, CODED = frozenset("{}=<>_;\\"), 0.004  # signs of a listing, where l1 is a name, and share of them in one


def with_figures(words: Sequence[Word]) -> list[Word]:
    """Return the words with figures for the letters that stand for some in numbers: l939, 2lst; on a typewritten page
    where one does so in a long number also l0 and l alone. A Chinese zero among other letters is an o, among figures
    a 0."""
    typed = _is_typewritten(words) and any(map(_is_evident, words))
    found = ((word, _in_figures(_without_zeros(word.text), typed=typed)) for word in words)
    return [word if text == word.text else msgspec.structs.replace(word, text=text) for word, text in found]


def _is_typewritten(words: Sequence[Word]) -> bool:
    text = "".join(word.text for word in words)
    mono = sum(len(word.text) for word in words if word.mono)
    return mono > MOSTLY * len(text) and sum(char in CODE for char in text) < CODED * len(text)


def _is_evident(word: Word) -> bool:
    """Return whether letters stand for figures in a number of several: £l0o,000."""
    found = WHOLE.findall(word.text)
    return any(_figures(number) >= TOLD and not number.isdecimal() and "l" in number for number in found)


def _figures(text: str) -> int:
    return sum(map(str.isdigit, text))


def _without_zeros(text: str) -> str:
    rest = text.replace(ZERO, "")
    if rest == text or not any(map(str.isalnum, rest)) or CJK.search(rest):
        return text
    return text.replace(ZERO, "0" if any(map(str.isdigit, rest)) else "o")


def _in_figures(text: str, *, typed: bool) -> str:
    def written(match: re.Match[str]) -> str:
        part, ordinal = match.groups()
        if part[0] in "oO" or not _is_number(part, ordinal, typed=typed):
            return match[0]
        return part.translate(FIGURES) + ordinal

    return PART.sub(written, text)


def _is_number(part: str, ordinal: str, *, typed: bool) -> bool:
    """Return whether hardly anything but a number looks so: no 5O2, II or I80. A small l is a 1 before th, too, and on
    a typewritten page wherever it stands, and o a 0 behind two figures."""
    figures = _figures(part)
    last = part[-1] == "l" and figures == len(part) - 1
    if figures >= TOLD and (part[-1].isdigit() or ordinal):
        return True
    if ordinal and last and (figures or typed):
        return True
    alone = "o" in part and "l" not in part  # 2o is an ordinal, too
    return typed and set(part) <= set("0123456789lo") and (set(part) == {"l"} or figures > alone)
