"""Operators of formulas on a page of Chinese, which OCR takes for characters: a lone 二 among variables is =."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from docparse.hyphenation import is_cjk
from docparse.layout.text.words import Word

READ_AS = {"一": "−", "二": "=", "十": "+"}
NEAR, OFF = 1.0, 0.8  # em from an operator to what it stands beside, and up or down to that: half a fraction
FAR = 12.0  # em from a sign that begins or ends a formula to Chinese on its line: 二 heads sections
NAME = re.compile("[A-Za-z]{4}")  # no variable has so many letters


def with_operators(words: Sequence[Word]) -> list[Word]:
    """Return the words, as operators those characters that stand alone beside numbers and variables, and no words."""
    return [_as_operator(word, words) if word.text in READ_AS else word for word in words]


def _as_operator(word: Word, words: Sequence[Word]) -> Word:
    beside = [other for other in words if other is not word and _is_beside(other, word)]
    ends = (other.text[-1 if other.box.x0 < word.box.x0 else 0] for other in beside)
    sides = {other.box.x0 < word.box.x0 for other in beside}
    headed = len(sides) < 2 and any(is_cjk(c) for other in words if _is_beside(other, word, FAR) for c in other.text)
    among = (
        beside and not headed and not any(NAME.search(other.text) for other in beside) and not any(map(is_cjk, ends))
    )
    return msgspec.structs.replace(word, text=READ_AS[word.text]) if among else word


def _is_beside(other: Word, word: Word, near: float = NEAR) -> bool:
    level = other.angle == word.angle and abs(word.box.center[1] - other.box.center[1]) < OFF * other.size
    return level and other.text not in READ_AS and word.box.gap_x(other.box) < near * other.size
