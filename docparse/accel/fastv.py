"""FastV, a baseline: visual tokens that the last word of the prompt hardly looks at are dropped early in the decoder.

After Chen et al., "An Image is Worth 1/2 Tokens After Layer 2" (ECCV 2024). Tokens are ranked as in the authors' code
(https://github.com/pkunlp-icler/FastV): by the last token's attention, averaged over heads, in the layer before they
are dropped. The rest of a layer still computes these tokens in the prefill, and nobody reads the result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from docparse.accel.eviction import Rows, attention, best, count_of
from docparse.accel.method import Compressing, between
from docparse.engine.hooks import Compressor
from docparse.errors import UsageError

if TYPE_CHECKING:
    from torch import Tensor

    from docparse.engine.prompt import Prompt


@dataclass(frozen=True)
class FastV(Compressing):
    """The first `layer` layers (the paper's K) read every visual token, the others only `keep` of them (1 - R)."""

    name: ClassVar[str] = "fastv"
    uniform: ClassVar[bool] = True

    keep: float = between(0.0, 1.0, 0.5)
    layer: int = between(1, 1000, 2)

    def check_layers(self, layers: int) -> None:
        """Raise `UsageError` where the model has no layer after the one that tokens are dropped after."""
        if self.layer >= layers:
            has = f"the model has {layers} layers"
            raise UsageError(f"--accel {self.name}: layer={self.layer}: {has}: use a smaller number")

    def reads(self, layers: int) -> tuple[float, float]:
        """Return what a layer reads of the visual tokens and of all others, mean over the layers."""
        whole = min(self.layer / layers, 1.0)
        return whole + (1 - whole) * self.keep, 1.0

    def chosen(self, query: Tensor, key: Tensor, scale: float, rows: Rows, embeds: Tensor) -> Tensor:
        """Return which of the open `rows` enter the later layers, `[K]`, ascending, by a layer's queries and keys, or
        by the embeddings `[P, D]` of the prompt."""
        seen = attention(query[:, -1:], key, scale).mean(dim=0)[0, rows.open]
        return best(seen, count_of(self.keep, len(seen)))

    def compressor(self, prompt: Prompt) -> Compressor:
        return FastVCompressor(self, prompt)


class FastVCompressor(Compressor):
    """Text and structural tokens stay everywhere; `stays [K]` are the rows that enter the later layers."""

    def __init__(self, method: FastV, prompt: Prompt) -> None:
        self._method = method
        self._rows = Rows.of(prompt, visual=True)
        self._embeds = prompt.embeds
        self._layers = 0
        self.stays: Tensor | None = None

    def on_prefill_layer(self, layer: int, query: Tensor, key: Tensor, scale: float) -> None:
        self._layers = layer + 1
        if self._layers == self._method.layer:
            self.stays = self._rows.keeping(self._method.chosen(query, key, scale, self._rows, self._embeds))

    def prefill_rows(self, layer: int) -> Tensor | None:
        return None if layer < self._method.layer else self.stays

    def keep(self) -> Sequence[Tensor]:
        import torch

        first = self._method.layer
        assert self.stays is not None  # the method's `check_layers` has seen to that
        everything = torch.arange(self._rows.count, device=self.stays.device)
        return [everything] * first + [self.stays] * (self._layers - first)
