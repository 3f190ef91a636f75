"""Where an output that ended in a loop still said something new."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from docparse.engine.loop_guard import LoopGuard


def before_loop(tokens: Sequence[int]) -> int:
    """How many tokens to keep so that the block repeated at the end of `tokens` stands there once."""
    sequence = np.asarray(tokens)
    kept = len(tokens)
    for period in range(1, min(LoopGuard.longest, len(tokens) // 2) + 1):
        differs = np.flatnonzero(sequence[period:] != sequence[:-period])
        first = int(differs[-1]) + 1 if len(differs) else 0  # from here on everything equals what is `period` further
        if len(tokens) - first >= 2 * period:
            kept = min(kept, first + period)
    return kept
