"""What a forward pass costs by the rows that share it and the tokens that each feeds, measured once per model."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

BATCHES = (1, 4, 16, 64)  # rows at which passes are measured; between them costs are linear
GAIN = 1.1  # times as many tokens a second, what twice as many rows must bring


@dataclass(frozen=True, eq=False)
class CostCurve:
    """Seconds of one decode pass by the number of tokens fed per row, at a few measured points; linear between them."""

    points: Mapping[int, float]

    def seconds(self, tokens: int) -> float:
        """Cost of a pass over `tokens` tokens (root included), interpolated; beyond the last point extrapolated. Before
        the first point it is the first point's, and so it is everywhere where there is only one."""
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


class PassCosts:
    """The cost of a pass as long as `rows` rows share it, which changes as outputs come and go. `measured(rows)` gives
    the curve of so many rows, asked at `BATCHES` only and once each."""

    def __init__(self, measured: Callable[[int], CostCurve]) -> None:
        self.rows = 1
        self._measured = measured
        self._curves: dict[int, CostCurve] = {}

    @property
    def now(self) -> CostCurve:
        """Return the curve of as many rows as there are, rounded up to a power of two."""
        return self.of(1 << (max(1, self.rows) - 1).bit_length())

    def of(self, rows: int) -> CostCurve:
        if rows not in self._curves:
            self._curves[rows] = self._measured(rows) if rows in BATCHES else self._between(rows)
        return self._curves[rows]

    def best_rows(self) -> int:
        """Return how many rows pay: as long as twice as many bring more tokens a second, up to the most measured."""
        rows = 1
        while rows < BATCHES[-1]:
            if 2 * self.of(rows).seconds(1) < GAIN * self.of(2 * rows).seconds(1):
                break
            rows *= 2
        return rows

    def _between(self, rows: int) -> CostCurve:
        above = next((i for i, batch in enumerate(BATCHES) if batch > rows), len(BATCHES) - 1)
        fewer, more = BATCHES[above - 1], BATCHES[above]
        first, second = self.of(fewer), self.of(more)
        share = (rows - fewer) / (more - fewer)
        sizes = sorted({*first.points, *second.points})
        return CostCurve({k: (1 - share) * first.seconds(k) + share * second.seconds(k) for k in sizes})
