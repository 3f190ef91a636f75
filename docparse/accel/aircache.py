"""AirCache: after the prefill every layer keeps the visual rows that the telling words of the instruction look at, and
the stronger and the more selective that look, the more of them.

After Huang et al., "AirCache: Activating Inter-modal Relevancy KV Cache Compression for Efficient Large
Vision-Language Model Inference" (2025).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from docparse.accel.eviction import Ranking, Rows, attention, best, count_of, shared_out
from docparse.accel.method import between

if TYPE_CHECKING:
    from torch import Tensor

Shares = Literal["both", "strength", "skewness", "uniform", "pyramid"]
SLIGHT = 1e-9  # weight of a layer that is not skewed where skewness alone decides: it keeps the least it may
STEEP = 20.0  # PyramidKV's beta: with `shares=pyramid` the uppermost layer keeps so little of the mean


@dataclass(frozen=True)
class AirCache(Ranking):
    """`budget` of the visual rows stay, mean over the layers. A word of the instruction is in the elite window if the
    last one pays it `elite` times as much attention as the most attended one (0: all words, 1: that one). `shares` says
    what the layers' budgets go by: the paper's strength and skewness, one of them, or, for comparison, the same for all
    or fewer rows layer by layer. Every text row stays, and every structural one."""

    name: ClassVar[str] = "aircache"
    uniform: ClassVar[bool] = True
    visual: ClassVar[bool] = True  # what a parameter says of other methods: no other rows are removed

    budget: float = between(0.001, 1.0, 0.1)
    elite: float = between(0.0, 1.0, 0.9)
    shares: Shares = "both"

    def score(self, query: Tensor, key: Tensor, scale: float, rows: Rows) -> Tensor:
        """Importance of each visual row `[n_v]` (section 3.2): what the elite queries see among visual and elite keys,
        and nothing else. Elite are the words that matter to the last of them (section 3.1)."""
        import torch

        words = slice(-rows.asking, None)
        seen = attention(query[:, -1:], key[:, words], scale).mean(dim=0)[0]
        elite = rows.count - rows.asking + (seen >= self.elite * seen.max()).nonzero()[:, 0]
        visual = len(rows.open)
        weights = attention(query[:, elite], key[:, torch.cat([rows.open, elite])], scale, first=visual)
        return weights[:, :, :visual].mean(dim=(0, 1))

    def budgets(self, scores: list[Tensor]) -> list[float]:
        """Return each layer's share of the visual rows (section 3.3), from its scores' strength and skewness."""
        import torch

        stacked = torch.stack(scores)
        strength = stacked.sum(dim=1)
        weights = layer_weights(self.shares, strength / strength.sum(), skewness_of(stacked))
        return shared_out(weights.tolist(), self.budget, 1 / stacked.shape[1])

    def kept(self, scores: list[Tensor], rows: Rows) -> Sequence[Tensor]:
        visual = len(rows.open)
        counts = [count_of(share, visual) for share in self.budgets(scores)] if visual else [0] * len(scores)
        return [rows.keeping(best(score, count)) for score, count in zip(scores, counts, strict=True)]


def layer_weights(shares: Shares, strength: Tensor, skewness: Tensor) -> Tensor:
    """Return what the layers' budgets are proportional to; where no layer is skewed, `strength` (sum 1) decides."""
    import torch

    count = len(strength)
    if shares == "uniform" or (shares == "pyramid" and count == 1):
        return torch.full_like(strength, 1 / count)
    if shares == "pyramid":
        return torch.linspace(2 - 1 / STEEP, 1 / STEEP, count).to(strength)
    if shares == "strength" or not skewness.any():
        return strength
    skewed = skewness / skewness.sum()
    return skewed.clamp_min(SLIGHT) if shares == "skewness" else (strength + skewed) / 2


def skewness_of(scores: Tensor) -> Tensor:
    """Return the third standardised moment of each row of `[L, n]`, at least 0; 0 where all scores are the same."""
    away = scores - scores.mean(dim=1, keepdim=True)
    spread = away.square().mean(dim=1).sqrt()
    skewed = away.pow(3).mean(dim=1) / spread.pow(3)
    return skewed.masked_fill(spread == 0, 0.0).clamp_min(0.0)
