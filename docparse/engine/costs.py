"""What a forward pass over k tokens costs, measured once per model, device and dtype."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class CostCurve:
    """Seconds of one decode pass by the number of tokens fed per row, at a few measured points; linear between them."""

    points: Mapping[int, float]

    def seconds(self, tokens: int) -> float:
        """Cost of a pass over `tokens` tokens (root included), interpolated; beyond the last point extrapolated.

        Before the first point it is the first point's, and so it is everywhere where there is only one.
        """
        sizes = self._sizes
        if tokens <= sizes[0] or len(sizes) == 1:
            return self.points[sizes[0]]
        right = min(bisect_right(sizes, tokens), len(sizes) - 1)
        x0, x1 = sizes[right - 1], sizes[right]
        y0, y1 = self.points[x0], self.points[x1]
        return y0 + (y1 - y0) * (tokens - x0) / (x1 - x0)

    @cached_property
    def _sizes(self) -> list[int]:
        return sorted(self.points)
