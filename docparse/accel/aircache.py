"""AirCache: after the prefill every layer keeps the visual rows that the telling words of the instruction look at, and
the stronger and the more selective that look, the more of them.

After Huang et al., "AirCache: Activating Inter-modal Relevancy KV Cache Compression for Efficient Large
Vision-Language Model Inference" (2025).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from docparse.accel.eviction import Rows, after_vision, attention, best, count_of, shared_out
from docparse.accel.method import Compressing, between
from docparse.engine.hooks import Compressor

if TYPE_CHECKING:
    from torch import Tensor

    from docparse.engine.prompt import Prompt


Shares = Literal["both", "strength", "skewness", "uniform", "pyramid"]
SLIGHT = 1e-9  # weight of a layer that is not skewed where skewness alone decides: it keeps the least it may
STEEP = 20.0  # PyramidKV's beta: with `shares=pyramid` the uppermost layer keeps so little of the mean


@dataclass(frozen=True)
class AirCache(Compressing):
    """`budget` of the visual rows stay, mean over the layers. A word of the instruction is in the elite window if the
    last one pays it `elite` times as much attention as the most attended one (0: all words, 1: that one). `shares` says
    what the layers' budgets go by: the paper's strength and skewness, one of them, or, for comparison, the same for all
    or fewer rows layer by layer."""

    name: ClassVar[str] = "aircache"
    uniform: ClassVar[bool] = True
    visual: ClassVar[bool] = True  # what a parameter says of other methods: no other rows are removed

    budget: float = between(0.001, 1.0, 0.1)
    elite: float = between(0.0, 1.0, 0.9)
    shares: Shares = "both"

    def compressor(self, prompt: Prompt) -> Compressor:
        return AirCacheCompressor(self, prompt)


class AirCacheCompressor(Compressor):
    """Every text row stays, and every structural one."""

    def __init__(self, method: AirCache, prompt: Prompt) -> None:
        self._method = method
        self._rows = Rows.of(prompt, visual=True)
        self._text = len(prompt) - after_vision(prompt)  # the first token after the picture
        self.scores: list[Tensor] = []  # of each layer [n_v]: the importance of each visual row

    def on_prefill_layer(self, layer: int, query: Tensor, key: Tensor, scale: float) -> None:
        """Importance (section 3.2): what the elite queries see among visual and elite keys, and nothing else."""
        import torch

        elite = self._text + self._elite(query[:, self._text :], key[:, self._text :], scale)
        among = torch.cat([self._rows.open, elite])
        weights = attention(query[:, elite], key[:, among], scale, first=len(self._rows.open))
        self.scores.append(weights[:, :, : len(self._rows.open)].mean(dim=(0, 1)))

    def _elite(self, query: Tensor, key: Tensor, scale: float) -> Tensor:
        """Which of the T words after the picture matter to the last of them (section 3.1); ascending."""
        seen = attention(query[:, -1:], key, scale).mean(dim=0)[0]
        return (seen >= self._method.elite * seen.max()).nonzero()[:, 0]

    def budgets(self) -> list[float]:
        """Return each layer's share of the visual rows (section 3.3), from its scores' strength and skewness."""
        import torch

        scores = torch.stack(self.scores)
        strength, skewness = scores.sum(dim=1), skewness_of(scores)
        weights = layer_weights(self._method.shares, strength / strength.sum(), skewness)
        return shared_out(weights.tolist(), self._method.budget, 1 / scores.shape[1])

    def keep(self) -> Sequence[Tensor]:
        visual = len(self._rows.open)
        counts = [count_of(share, visual) for share in self.budgets()] if visual else [0] * len(self.scores)
        return [self._rows.keeping(best(score, count)) for score, count in zip(self.scores, counts, strict=True)]


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
