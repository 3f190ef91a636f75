"""What a forward pass over k tokens costs, measured once per model, device and dtype."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class CostCurve:
    """Seconds of one decode pass by the number of tokens fed per row, at a few measured points; linear between them."""

    points: Mapping[int, float]

    def seconds(self, tokens: int) -> float:
        """Cost of a pass over `tokens` tokens (root included), interpolated; beyond the last point extrapolated."""
        raise NotImplementedError
