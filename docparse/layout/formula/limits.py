"""Limits of big operators in the running text of a scan: what OCR read as lines of their own over and under ∑."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from docparse.hyphenation import is_cjk
from docparse.layout.formula.symbols import BIG, RELATIONS
from docparse.layout.text.words import Word

SMALL = 0.8  # times the usual size: limits are set in seven tenths of it
WIDTH, OFF = 1.0, 0.6  # em of it: of an operator, and from its middle to that of a limit at most
OVERLAP, APART = 0.3, 0.7  # em: of their boxes, and between these, at most
LONGEST = 8  # characters: "i,j=1" and the like
AS_OPERATOR = {"Σ": "∑", "Π": "∏"}  # what has limits is no letter
OPERATORS = "".join([*BIG, *AS_OPERATOR])


def limits_of(words: Sequence[Word]) -> dict[int, tuple[int, ...]]:
    """Return the words, by index, that are limits of a big operator in another one, by the index of that."""
    operators = [i for i, word in enumerate(words) if _count(word)]
    if not operators:
        return {}
    em = median(word.size for word in words)
    small = [k for k, word in enumerate(words) if _may_be_limit(word, em)]
    found = {i: tuple(k for k in small if k != i and _is_limit(words[k], words[i], em)) for i in operators}
    return {i: limits for i, limits in found.items() if limits}


def _count(word: Word) -> int:
    """Return how many operators a word begins with."""
    return len(word.text) - len(word.text.lstrip(OPERATORS))


def _may_be_limit(word: Word, em: float) -> bool:
    small = word.size < SMALL * em and len(word.text) <= LONGEST
    return small and word.angle == 0 and not any(map(is_cjk, word.text))


def _is_limit(word: Word, operator: Word, em: float) -> bool:
    """Return whether a word stands right over an operator or under it, where alone it says what is equal to what. Words
    may begin with several operators."""
    box, count = operator.box, _count(operator)
    step = box.width / len(operator.text) if count > 1 else min(box.width, WIDTH * em)
    middles = (box.x0 + step * (k + 0.5) for k in range(count))
    over, under = box.y0 - word.box.y1, word.box.y0 - box.y1
    near = any(abs(word.box.center[0] - middle) < OFF * em for middle in middles)
    near &= -OVERLAP * em < max(over, under) < APART * em
    return near and not (over > under and any(sign in word.text for sign in RELATIONS))
