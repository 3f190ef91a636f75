"""PyramidKV, a baseline: SnapKV's votes, and more rows for the lower layers than for the upper ones.

After Cai et al., "PyramidKV: Dynamic KV Cache Compression based on Pyramidal Information Funneling" (2024) and
https://github.com/Zefan-Cai/KVCache-Factory.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from docparse.accel.eviction import Rows
from docparse.accel.method import between
from docparse.accel.snapkv import SnapKv


@dataclass(frozen=True)
class PyramidKv(SnapKv):
    """The hyper-parameters of SnapKV, and `beta`: the uppermost layer keeps 1 / beta of the mean, its window aside."""

    name: ClassVar[str] = "pyramidkv"

    beta: float = between(1.0, 1000.0, 20.0)

    def counts(self, layers: int, rows: Rows) -> list[int]:
        """Falling in even steps from the lowest layer to the uppermost; the mean is the budget."""
        count, voting = self.sizes(rows)
        window = 0 if self.visual else voting
        mean, most = count - window, len(rows.open) - window
        lowest = min(2 * mean - mean / self.beta, most)
        step = 2 * (lowest - mean) / max(1, layers - 1)
        return [window + round(lowest - layer * step) for layer in range(layers)]
