"""A model that repeats itself for ever is stopped, at the same token however its tokens were found."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Guard:
    """When the end of an output counts as a loop: one block of tokens, over and over.

    A block of p tokens (p up to `longest`) loops once it fills the last `threshold(p)` tokens. Documents repeat too:
    dot leaders, empty cells, whole rows of blank forms. So a loop needs at least `least` tokens (three full lines of
    dots, a blank row of eighty `<td></td>`), and short blocks `repeats` of themselves (a form with that many blank
    rows), up to `most` tokens; long blocks, which no page says eight times, need `fewest` repetitions. (What six
    converters write for 31 public benchmark pages, in pieces of up to four letters, stays below half of every
    threshold: the longest repeat is a rule of 251 dashes, otherwise 81 tokens.)
    """

    longest: int = 512
    least: int = 512
    repeats: int = 64
    most: int = 2048
    fewest: int = 8

    def thresholds(self) -> np.ndarray:
        """Tokens that must repeat, `[longest]`, for blocks of 1, 2, ... tokens."""
        block = np.arange(1, self.longest + 1)
        return np.maximum(np.maximum(np.minimum(self.repeats * block, self.most), self.fewest * block), self.least)


class LoopWatch:
    """Reads one output token by token; it depends on the tokens only, not on the steps that found them."""

    def __init__(self, guard: Guard) -> None:
        self._periods = guard.longest
        self._limits = guard.thresholds() - np.arange(1, guard.longest + 1)
        self._runs = np.zeros(guard.longest, dtype=np.int64)  # of period p: tokens in a row equal to the one p before
        self._past = np.full(2 * guard.longest, -1, dtype=np.int64)  # the last tokens, newest first from `_newest`
        self._newest = 2 * guard.longest

    def loops(self, token: int) -> bool:
        """Read the next token; True when the output is now a loop."""
        past = self._past[self._newest : self._newest + self._periods]
        same = np.zeros(self._periods, dtype=bool)
        same[: len(past)] = past == token
        self._runs = (self._runs + 1) * same
        if self._newest == 0:
            self._past[self._periods :] = self._past[: self._periods]
            self._newest = self._periods
        self._newest -= 1
        self._past[self._newest] = token
        return bool((self._runs >= self._limits).any())
