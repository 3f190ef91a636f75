"""PrefixKV, a baseline: every layer keeps the rows that hold one share of its attention, the same for all layers.

After Wang et al., "PrefixKV: Adaptive Prefix KV Cache is What Vision Instruction-Following Models Need for Efficient
Generation" (NeurIPS 2025) and https://github.com/THU-MIG/PrefixKV (39b7265, MIT). A row's priority is what all queries
of the prompt pay it; a layer's priorities, sorted and summed up, say how many rows hold a share of them, and halving
finds the share at which the layers' rows together meet the budget. Here that is found for each prompt, once; the code
drops a further row with every token written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from docparse.accel.eviction import Ranking, Rows, attention_received, best
from docparse.accel.method import between

if TYPE_CHECKING:
    from torch import Tensor

LAST = 1  # rows at the end of the prompt that always stay
HALVINGS = 40


@dataclass(frozen=True)
class PrefixKv(Ranking):
    """`budget` of the prompt's rows stay, mean over the layers; the first `sinks` and the last one in any case. Visual
    and text rows compete alike."""

    name: ClassVar[str] = "prefixkv"
    uniform: ClassVar[bool] = True

    budget: float = between(0.001, 1.0, 0.1)
    sinks: int = between(0, 1024, 4)

    def score(self, query: Tensor, key: Tensor, scale: float, rows: Rows) -> Tensor:
        """Return what all queries pay each row, mean over heads: `[P]`."""
        return attention_received(query, key, scale).mean(dim=0)

    def evicted(self, scores: list[Tensor]) -> list[int]:
        """Return how many rows each layer loses."""
        import torch

        rows, most = len(scores[0]), self._competing(len(scores[0]))
        priorities = torch.stack(scores).sort(dim=1, descending=True).values
        held = (priorities / priorities.sum(dim=1, keepdim=True)).cumsum(dim=1)
        wanted = (1 - self.budget) * rows * len(held)

        def lost(share: float) -> Tensor:
            return (most - 1 - (held < share).sum(dim=1)).clamp(min=0)

        low, high = 0.0, 1.0
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            low, high = (low, middle) if float(lost(middle).sum()) < wanted else (middle, high)
        counts = lost(low)
        scale = wanted / max(1.0, float(counts.sum()))
        return [min(most, int(scale * count)) for count in counts.tolist()]

    def kept(self, scores: list[Tensor], rows: Rows) -> Sequence[Tensor]:
        import torch

        end = rows.count - LAST
        sinks, kept = end - self._competing(rows.count), []
        for score, count in zip(scores, self.evicted(scores), strict=True):
            chosen = sinks + best(score[sinks:end], end - sinks - count)
            kept.append(torch.cat([rows.open[:sinks], chosen, rows.open[end:]]))
        return kept

    def _competing(self, rows: int) -> int:
        """Return how many of so many rows may go."""
        return rows - LAST - min(self.sinks, rows - LAST)
