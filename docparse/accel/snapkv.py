"""SnapKV, a baseline: the rows that the last queries of the prompt look at, and the neighbours of these rows.

After Li et al., "SnapKV: LLM Knows What You are Looking for Before Generation" (NeurIPS 2024) and
https://github.com/FasterDecoding/SnapKV; each head keeps its own rows, and where query heads share a head of keys
their attention is averaged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from docparse.accel.eviction import Rows, after_vision, attention, best_and_recent, by_key_head, count_of
from docparse.accel.method import Compressing, between
from docparse.engine.hooks import Compressor
from docparse.errors import UsageError

if TYPE_CHECKING:
    from torch import Tensor

    from docparse.engine.prompt import Prompt


@dataclass(frozen=True)
class SnapKv(Compressing):
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

    def compressor(self, prompt: Prompt) -> Compressor:
        return SnapKvCompressor(self, prompt)


class SnapKvCompressor(Compressor):
    def __init__(self, method: SnapKv, prompt: Prompt) -> None:
        self._method = method
        self._rows = Rows.of(prompt, visual=method.visual)
        self._count = count_of(method.budget, len(self._rows.open))
        most = after_vision(prompt) if method.visual else max(1, self._count // 2)
        self._window = min(method.window, most)
        self.scores: list[Tensor] = []  # of each layer [KV, P]: votes for the rows before the window

    def on_prefill_layer(self, layer: int, query: Tensor, key: Tensor, scale: float) -> None:
        from torch.nn.functional import max_pool1d, pad

        before, kernel = key.shape[1] - self._window, self._method.kernel
        votes = attention(query[:, before:], key, scale, first=before)[:, :, :before].sum(dim=1)
        spread = max_pool1d(by_key_head(votes, len(key)), kernel, stride=1, padding=kernel // 2)
        self.scores.append(pad(spread, (0, self._window)))

    def counts(self) -> list[int]:
        """Return how many each layer keeps of the rows that compete."""
        return [self._count] * len(self.scores)

    def keep(self) -> Sequence[Tensor]:
        recent = 0 if self._method.visual else self._window
        return [
            self._rows.keeping(best_and_recent(scores[:, self._rows.open], count, recent))
            for scores, count in zip(self.scores, self.counts(), strict=True)
        ]
