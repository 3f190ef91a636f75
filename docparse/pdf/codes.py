"""Characters as arrays of their codes."""

from __future__ import annotations

import functools
from collections.abc import Iterable

import numpy as np


def codes_of(text: str) -> np.ndarray:
    """Return the codes of characters, uint32 [n]."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


def among(codes: np.ndarray, few: str) -> np.ndarray:
    """Return bool [n]: the codes (uint32) of the characters in `few`, all of the first plane; np.isin is slower."""
    return _table(few)[np.minimum(codes, 0xFFFF)]


def within(codes: np.ndarray, ranges: Iterable[tuple[int, int]]) -> np.ndarray:
    """Return bool [n]: the codes that lie in one of the `ranges`, each from its first to its last code."""
    return np.any([(codes >= first) & (codes <= last) for first, last in ranges], axis=0)


@functools.cache
def _table(few: str) -> np.ndarray:
    table = np.zeros(0x10000, bool)
    table[list(map(ord, few))] = True
    return table
