"""VL-Cache: after the prefill every layer keeps the rows that the instruction after the picture looks at, and the
denser a layer's attention, the more of them.

After Tu et al., "VL-Cache: Sparsity and Modality-Aware KV Cache Compression for Vision-Language Model Inference
Acceleration" (ICLR 2025).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from docparse.accel.eviction import Ranking, Rows, attention, best_and_recent, count_of, shared_out
from docparse.accel.method import between

if TYPE_CHECKING:
    from torch import Tensor

MIN_KEPT_SHARE = 0.01  # of its rows that every layer keeps


@dataclass(frozen=True)
class VlCache(Ranking):
    """`budget` of the prompt's rows stay, mean over the layers (the paper's alpha). An entry of the attention counts as
    zero below `threshold` times its row's maximum. `recent` of a layer's rows are the last ones. At most `window`
    queries after the picture are asked (their speed benchmark's 50); with `mode=paper` all of them are. Visual and text
    rows compete alike."""

    name: ClassVar[str] = "vlcache"
    uniform: ClassVar[bool] = True

    budget: float = between(MIN_KEPT_SHARE, 1.0, 0.1)
    threshold: float = between(0.0, 1.0, 0.01)
    recent: float = between(0.0, 1.0, 0.1)
    window: int = between(1, 4096, 50)
    mode: Literal["ours", "paper"] = "ours"

    def score(self, query: Tensor, key: Tensor, scale: float, rows: Rows) -> tuple[Tensor, Tensor]:
        """Return the attention after the picture to each row `[P]`, mean over heads, and the share of its visible
        entries that counts as zero `[]` (section 4.1)."""
        asking = rows.asking if self.mode == "paper" else min(self.window, rows.asking)
        first = rows.count - asking
        weights = attention(query[:, first:], key, scale, first=first)
        visible = weights.new_ones(asking, rows.count).tril(first).bool()
        zero = weights < self.threshold * weights.amax(dim=-1, keepdim=True)
        return weights.sum(dim=1).mean(dim=0), (zero & visible).sum() / (len(weights) * visible.sum())

    def budgets(self, scores: list[tuple[Tensor, Tensor]]) -> list[float]:
        """Return each layer's share of its rows (section 4.2): in proportion to its density."""
        import torch

        density = 1.0 - torch.stack([sparsity for _, sparsity in scores])
        return shared_out(density.tolist(), self.budget, MIN_KEPT_SHARE)

    def kept(self, scores: list[tuple[Tensor, Tensor]], rows: Rows) -> Sequence[Tensor]:
        """Return the last rows, the very last among them, and the best of the others (section 4.3)."""
        counts = [count_of(share, rows.count) for share in self.budgets(scores)]
        return [
            best_and_recent(score, count, count_of(self.recent, count))
            for (score, _), count in zip(scores, counts, strict=True)
        ]
