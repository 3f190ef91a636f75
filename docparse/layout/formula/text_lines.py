"""Which chains of words are lines of running text, whatever symbols are in them: items, answers, lines of Chinese."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Sequence
from itertools import takewhile

import numpy as np

from docparse.hyphenation import CJK
from docparse.layout.formula.evidence import is_symbol
from docparse.layout.text.words import Word

NUMBER = re.compile(r"\d{1,2}[.．、]|\((?:\d{1,2}|[a-h]|[ivx]{1,4})\)|[–—]")  # of an item, or the dash before it
LISTED = 0.4  # em from a number to its words
LINK = 1.3  # em from a line to the halves of a fraction in it, at most
LARGE = 1.3  # times the size of running text: signs of integrals and sums
TALL = 0.95  # em between the baseline of a fraction and those of its halves; lines stand farther apart
LINES = 3  # of Chinese that begin at one place: a margin; displays hardly ever begin with a word at one place
_ENDED = re.compile(rf"。(?:{CJK.pattern}){{2}}")  # a sentence ends, and the next one begins: no display goes on so


def lines_of_text(
    words: Sequence[Word], chains: Sequence[Sequence[int]], answers: Container[int], em: float
) -> tuple[set[int], set[int]]:
    """Return which of the chains begin with the number of an item that stands apart, and which are text.

    Where nothing tall is in it, so is a line of Chinese that goes on with a formula. At the margin of Chinese text it
    is text whatever is in it, and so is one that begins with one of the `answers`.
    """
    numbered = {k for k, chain in enumerate(chains) if _is_numbered([words[i] for i in chain[:2]])}
    inline = {k for k, chain in enumerate(chains) if _begins_in_chinese(words[i] for i in chain)}
    starts = {k: _text_start([words[i] for i in chains[k]]) for k in numbered | inline}
    margins = Counter(starts[k] for k in inline)
    running = {k for k in starts if margins[starts[k]] >= LINES}
    running |= {k for k, chain in enumerate(chains) if _ENDED.search("".join(words[i].text for i in chain))}
    running |= {k for k, chain in enumerate(chains) if id(words[chain[0]]) in answers}
    tall = _tall(words, chains, numbered | inline, em) - running
    return numbered - tall, (inline - tall) | running


def _is_numbered(first: Sequence[Word]) -> bool:
    """Whether a chain begins with the number of an item, and a space where more follows it. In brackets and alone it is
    that of a formula."""
    if not NUMBER.fullmatch(first[0].text):
        return False
    if len(first) == 1:
        return not first[0].text.startswith("(")
    return first[1].box.x0 - first[0].box.x1 > LISTED * first[0].size


def _begins_in_chinese(words: Iterable[Word]) -> bool:
    return any(CJK.search(word.text) for word in takewhile(lambda word: not is_symbol(word), words))


def _text_start(chain: Sequence[Word]) -> int:
    """Where the text behind the numbers of items begins, in whole points."""
    return round(next((word for word in chain if not NUMBER.fullmatch(word.text)), chain[0]).box.x0)


def _tall(words: Sequence[Word], chains: Sequence[Sequence[int]], asked: Iterable[int], em: float) -> set[int]:
    """Which of the chains `asked` for hold, or have beside them, a large operator, a fraction, or something else with
    halves of full size."""
    asked = list(asked)
    if not asked:
        return set()
    x0 = np.array([words[chain[0]].box.x0 for chain in chains])
    x1 = np.array([max(words[i].box.x1 for i in chain) for chain in chains])
    size = np.array([max(words[i].size for i in chain) for chain in chains])
    baseline = np.array([words[chain[0]].baseline for chain in chains])

    def is_tall(k: int) -> bool:
        step = np.abs(baseline - baseline[k])
        half = (size > 0.85 * em) & (step > 0.3 * em)
        beside = (x0 < x1[k] + LINK * em) & (x1 > x0[k] - LINK * em) & (step < TALL * em)
        return bool((beside & (half | (size > LARGE * em))).any())

    return set(filter(is_tall, asked))
