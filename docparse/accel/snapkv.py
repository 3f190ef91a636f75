"""SnapKV, a baseline: the rows that the last queries of the prompt look at, and the neighbours of these rows.

After Li et al., "SnapKV: LLM Knows What You are Looking for Before Generation" (NeurIPS 2024) and
https://github.com/FasterDecoding/SnapKV; each head keeps its own rows, and where query heads share a head of keys
their attention is averaged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from docparse.accel.eviction import Ranking, Rows, attention, best_and_recent, by_key_head, count_of
from docparse.accel.method import between
from docparse.errors import UsageError

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True)
class SnapKv(Ranking):
    """`budget` of the prompt's rows stay in every layer. The last `window` queries vote, whose own rows stay and are
    half of the budget at most; a vote spreads to the `kernel` rows around. (32 and 7 as in the authors' runs on
    LongBench.) `visual`: only the visual rows are thinned out, and only text that follows them votes."""

    name: ClassVar[str] = "snapkv"

    budget: float = between(0.001, 1.0, 0.1)
    window: int = between(1, 4096, 32)
    kernel: int = between(1, 255, 7)
    visual: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.kernel % 2 == 0:
            raise UsageError(
                f"--accel {self.name}: kernel={self.kernel}: use an odd number, as many rows on either side"
            )

    def sizes(self, rows: Rows) -> tuple[int, int]:
        """Return how many of the competing rows a layer keeps, and how many queries vote."""
        count = count_of(self.budget, len(rows.open))
        return count, min(self.window, rows.asking if self.visual else max(1, count // 2))

    def score(self, query: Tensor, key: Tensor, scale: float, rows: Rows) -> Tensor:
        """Return votes for the rows before the window: `[KV, P]`."""
        from torch.nn.functional import max_pool1d, pad

        _, window = self.sizes(rows)
        before = rows.count - window
        votes = attention(query[:, before:], key, scale, first=before)[:, :, :before].sum(dim=1)
        spread = max_pool1d(by_key_head(votes, len(key)), self.kernel, stride=1, padding=self.kernel // 2)
        return pad(spread, (0, window))

    def counts(self, layers: int, rows: Rows) -> list[int]:
        """Return how many each layer keeps of the rows that compete."""
        return [self.sizes(rows)[0]] * layers

    def kept(self, scores: list[Tensor], rows: Rows) -> Sequence[Tensor]:
        recent = 0 if self.visual else self.sizes(rows)[1]
        return [
            rows.keeping(best_and_recent(score[:, rows.open], count, recent))
            for score, count in zip(scores, self.counts(len(scores), rows), strict=True)
        ]
