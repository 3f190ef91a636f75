"""Blanks to fill in, which forms and exam papers draw as strokes, become words of their lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec
import numpy as np

from docparse.hyphenation import is_cjk
from docparse.layout.geometry import corners_of
from docparse.layout.tables.rules import TOUCH, Rule, split_rules
from docparse.layout.text.words import BLANK, WORD_GAP, Word
from docparse.types import Box

SHORTEST, LONGEST = 2.0, 20.0  # em: longer strokes are rules, unless text goes on behind them or a colon asks for them
LOW, HIGH = 0.45, 0.15  # em below and above the baseline: where underlines are
ASKS = (":", "：", "=")  # what a stroke answers
BESIDE, ASKING = 1.0, 2.0  # em from the end of a stroke to the word that it stands by, and to one that asks for it
FILLED = 0.7  # em of a stroke under what is written on it at least: OCR makes its words so much too wide
ABOVE = 0.9  # em over a stroke in which there is no print: it would be a numerator, or another line


def with_blanks(words: Sequence[Word], rulings: np.ndarray) -> list[Word]:
    """Return the words, with one more for every stroke on a baseline, or part of one, that has nothing over it and
    stands behind a colon or an equals sign, inside a sentence, or beside Chinese, which needs neither."""
    upright = [word for word in words if word.angle == 0]
    level, upward = split_rules(rulings)
    if not level or not upright:
        return list(words)
    level = [rule for rule in level if not _is_border(rule, upward)]
    words = [_without_end(word, level) if "_" in (word.text[0], word.text[-1]) else word for word in words]
    page = _Print([word for word in words if word.angle == 0])
    return [*words, *(blank for rule in level for blank in page.blanks(rule))]


def _without_end(word: Word, level: Sequence[Rule]) -> Word:
    """The word without the end of a stroke beside it, which OCR reads as an underscore."""
    text, box, em = word.text, word.box, word.size
    on = [rule for rule in level if -HIGH * em < rule.at - word.baseline < LOW * em]
    left = next((rule.hi for rule in on if rule.lo < box.x0 < rule.hi < min(box.x0 + em, box.x1)), box.x0)
    right = next((rule.lo for rule in on if max(box.x1 - em, box.x0) < rule.lo < box.x1 < rule.hi), box.x1)
    text = text.lstrip("_") if left > box.x0 else text
    text = text.rstrip("_") if right < box.x1 else text
    if text in ("", word.text) or word.angle:
        return word
    return msgspec.structs.replace(word, text=text, box=Box(left, box.y0, right, box.y1))


def _is_border(rule: Rule, upward: Sequence[Rule]) -> bool:
    """Return whether an upright stroke meets it: it belongs to a table or a frame."""
    across = (other for other in upward if rule.lo - TOUCH < other.at < rule.hi + TOUCH)
    return any(other.lo - TOUCH < rule.at < other.hi + TOUCH for other in across)


def _reach(word: Word) -> float:
    return ASKING if word.text.endswith(ASKS) else BESIDE


class _Print:
    """The upright words of a page as arrays."""

    def __init__(self, words: Sequence[Word]) -> None:
        self.words = words
        self.box = corners_of(word.box for word in words)
        self.size = np.array([word.size for word in words])
        self.baseline = np.array([word.baseline for word in words])

    def blanks(self, rule: Rule) -> Iterator[Word]:
        """Yield the parts of a stroke that no word stands on."""
        drop = rule.at - self.baseline
        near = (self.box[:, 0] < rule.hi + BESIDE * self.size) & (self.box[:, 2] > rule.lo - ASKING * self.size)
        on = np.flatnonzero(near & (drop < LOW * self.size) & (drop > -HIGH * self.size))
        if len(on) == 0:
            return
        row = sorted((self.words[i] for i in on.tolist()), key=lambda word: word.box.x0)
        starts = [rule.lo, *(min(word.box.x1, rule.hi) for word in row if word.box.x1 > rule.lo)]
        ends = [*(max(word.box.x0, rule.lo) for word in row if word.box.x1 > rule.lo), rule.hi]
        for lo, hi in zip(starts, ends, strict=True):
            blank = self._blank(Rule(rule.at, lo, hi), rule, row)
            if blank is not None:
                yield blank

    def _blank(self, part: Rule, rule: Rule, row: Sequence[Word]) -> Word | None:
        """A part of the stroke as a word, where the words beside it leave something out and nothing is filled in. Level
        with a headline ends the rule of another column."""
        left = [word for word in row if -_reach(word) * word.size < word.box.x1 - part.lo < 0.4 * word.size]
        right = [word for word in row if -0.4 * word.size < word.box.x0 - part.hi < BESIDE * word.size]
        beside = left[-1] if left else right[0] if right else None
        if beside is None or part.length < SHORTEST * beside.size:
            return None
        before, after = left[-1].text if left else "", right[0].text if right else ""
        if rule.hi - part.hi > FILLED * beside.size:
            return None  # the white before what is written on the stroke
        underlined = part.lo - rule.lo > FILLED * beside.size  # the white behind it
        label = before.endswith(ASKS) and not underlined
        inside = before != "" and re.match(r"[a-z.,;:)]", after) is not None
        east = is_cjk(after[:1]) or (is_cjk(before[-1:]) and not underlined and part.length < LONGEST * beside.size)
        if not (label or inside or (east and not beside.bold)) or self._is_printed_over(part, beside.size):
            return None
        box = Box(part.lo, beside.box.y0, part.hi, beside.box.y1)
        glued = bool(left) and part.lo - left[-1].box.x1 < WORD_GAP * beside.size
        return msgspec.structs.replace(beside, text=BLANK, box=box, glued=glued, bold=False, italic=False, math=False)

    def _is_printed_over(self, part: Rule, em: float) -> bool:
        x0, y0, x1, y1 = self.box.T
        across = np.minimum(x1, part.hi) - np.maximum(x0, part.lo) > 0.3 * em
        return bool((across & (y1 > part.at - ABOVE * em) & (y0 < part.at - 0.2 * em)).any())
