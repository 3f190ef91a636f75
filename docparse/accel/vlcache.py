"""VL-Cache: after the prefill every layer keeps the rows that the instruction after the picture looks at, and the
denser a layer's attention, the more of them.

After Tu et al., "VL-Cache: Sparsity and Modality-Aware KV Cache Compression for Vision-Language Model Inference
Acceleration" (ICLR 2025).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from docparse.accel.eviction import after_vision, best_and_recent, count_of, shared_out
from docparse.accel.method import Compressing, between
from docparse.engine.hooks import Compressor

if TYPE_CHECKING:
    from torch import Tensor

    from docparse.engine.prompt import Prompt

MIN_KEPT_SHARE = 0.01  # of its rows that every layer keeps


@dataclass(frozen=True)
class VlCache(Compressing):
    """`budget` of the prompt's rows stay, mean over the layers (the paper's alpha). An entry of the attention counts as
    zero below `threshold` times its row's maximum. `recent` of a layer's rows are the last ones. At most `window`
    queries after the picture are asked (their speed benchmark's 50); with `mode=paper` all of them are."""

    name: ClassVar[str] = "vlcache"
    uniform: ClassVar[bool] = True

    budget: float = between(MIN_KEPT_SHARE, 1.0, 0.1)
    threshold: float = between(0.0, 1.0, 0.01)
    recent: float = between(0.0, 1.0, 0.1)
    window: int = between(1, 4096, 50)
    mode: Literal["ours", "paper"] = "ours"

    def compressor(self, prompt: Prompt) -> Compressor:
        return VlCacheCompressor(self, prompt)


class VlCacheCompressor(Compressor):
    """Visual and text rows compete alike."""

    def __init__(self, method: VlCache, prompt: Prompt) -> None:
        self._method = method
        asking = after_vision(prompt)
        self._queries = asking if method.mode == "paper" else min(method.window, asking)
        self._rows = len(prompt)
        self.scores: list[Tensor] = []  # of each layer [P]: post-vision attention to each row
        self._sparsity: list[Tensor] = []  # of each layer []: the share of that attention which counts as zero

    def on_prefill_layer(self, layer: int, query: Tensor, key: Tensor, scale: float) -> None:
        """The statistics of a layer (section 4.1), without its attention matrix: maxima and sums of rows first, then
        sums and counts of columns."""
        import torch

        from docparse.kernels.prompt_statistics import prompt_statistics

        first = torch.tensor([self._rows - self._queries], device=key.device)
        asking = query[None, :, -self._queries :]
        score, sparsity = prompt_statistics(asking, key[None], first, scale, self._method.threshold)
        self.scores.append(score[0])
        self._sparsity.append(sparsity[0])

    def budgets(self) -> list[float]:
        """Return each layer's share of its rows (section 4.2): in proportion to its density."""
        import torch

        density = (1.0 - torch.stack(self._sparsity)).tolist()
        return shared_out(density, self._method.budget, MIN_KEPT_SHARE)

    def keep(self) -> Sequence[Tensor]:
        """Return the last rows, the very last among them, and the best of the others (section 4.3)."""
        counts = [count_of(share, self._rows) for share in self.budgets()]
        return [
            best_and_recent(score, count, count_of(self._method.recent, count))
            for score, count in zip(self.scores, counts, strict=True)
        ]
