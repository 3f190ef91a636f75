"""A model that repeats itself for ever is stopped, at the same token however its tokens were found, and cut there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class LoopGuard:
    """When the end of an output counts as a loop: one block of tokens, over and over.

    A block of p tokens (p up to `longest`) loops once it fills the last `threshold(p)` tokens: at least `min_tokens`
    (documents repeat dot leaders and empty cells, too), and short blocks `repeats` of themselves, up to `max_tokens`
    tokens; long blocks, which no page says eight times, `min_repeats`. What six converters write for 31 public pages
    stays below half of every threshold.
    """

    longest: int = 512
    min_tokens: int = 512
    repeats: int = 64
    max_tokens: int = 2048
    min_repeats: int = 8

    def thresholds(self) -> np.ndarray:
        """Return tokens that must repeat, `[longest]`, for blocks of 1, 2, ... tokens."""
        block = np.arange(1, self.longest + 1)
        short = np.minimum(self.repeats * block, self.max_tokens)
        return np.maximum(np.maximum(short, self.min_repeats * block), self.min_tokens)


class LoopWatch:
    """Reads one output as it grows; it depends on the tokens only, not on the steps. After a look it is known how many
    more tokens a loop takes at least, and until then nothing is computed."""

    def __init__(self, guard: LoopGuard) -> None:
        self._blocks = np.arange(1, guard.longest + 1)
        self._limits = guard.thresholds() - self._blocks  # tokens in a row that equal the one a block before
        self._tokens: list[int] = []
        self._next = max(1, int(self._limits.min()))  # how long the output is when it may first be a loop

    def read(self, tokens: Iterable[int]) -> int | None:
        """Read the next tokens; the number of the one with which the output became a loop, from 0, or None."""
        known = len(self._tokens)
        self._tokens.extend(tokens)
        while self._next <= len(self._tokens):
            end = self._next
            missing = int((self._limits - self._runs(end)).min())
            self._next += max(1, missing)
            if missing <= 0:
                return end - 1 - known
        return None

    def _runs(self, end: int) -> np.ndarray:
        """Return for each length of block how many of the last tokens before `end` equal the one a block before."""
        far = int(self._limits.max()) + len(self._blocks)
        past = np.array(self._tokens[max(0, end - far) : end])
        runs = np.zeros(len(self._blocks), dtype=np.int64)
        alive, count = self._blocks, 0
        while len(alive := alive[alive < len(past) - count]):
            alive = alive[past[-1 - count - alive] == past[-1 - count]]
            count += 1
            runs[alive - 1] = count
        return runs


def before_loop(tokens: Sequence[int]) -> int:
    """Return how many tokens to keep so that the block repeated at the end of `tokens` stands there once."""
    sequence = np.asarray(tokens)
    kept = len(tokens)
    for period in range(1, min(LoopGuard.longest, len(tokens) // 2) + 1):
        differs = np.flatnonzero(sequence[period:] != sequence[:-period])
        first = int(differs[-1]) + 1 if len(differs) else 0  # from here on everything equals what is `period` further
        if len(tokens) - first >= 2 * period:
            kept = min(kept, first + period)
    return kept
