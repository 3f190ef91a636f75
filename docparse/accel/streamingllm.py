"""StreamingLLM, a baseline: the first rows, which soak up attention, and the most recent ones.

After Xiao et al., "Efficient Streaming Language Models with Attention Sinks" (ICLR 2024). Rows keep their positions;
the paper moves them together, for outputs longer than any the model was trained on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from docparse.accel.eviction import Rows, count_of
from docparse.accel.method import Compressing, between
from docparse.engine.hooks import Compressor

if TYPE_CHECKING:
    from torch import Tensor

    from docparse.engine.prompt import Prompt


@dataclass(frozen=True)
class StreamingLlm(Compressing):
    """Keep `budget` of all rows so far (a share; the paper keeps a number): the first `sinks` and the last. `visual`:
    only the visual rows of the prompt are thinned out, and nothing while decoding."""

    name: ClassVar[str] = "streamingllm"

    budget: float = between(0.001, 1.0, 0.1)
    sinks: int = between(0, 1024, 4)
    visual: bool = False

    def compressor(self, prompt: Prompt) -> Compressor:
        return StreamingCompressor(self, prompt)


class StreamingCompressor(Compressor):
    def __init__(self, method: StreamingLlm, prompt: Prompt) -> None:
        self._method = method
        self._rows = Rows.of(prompt, visual=method.visual)
        self._layers = 0
        self._seen = len(prompt)
        self._held = 0

    def on_prefill_layer(self, layer: int, query: Tensor, key: Tensor, scale: float) -> None:
        self._layers = layer + 1

    def keep(self) -> Sequence[Tensor]:
        kept = self._rows.keeping(self._ends(len(self._rows.open), count_of(self._method.budget, len(self._rows.open))))
        self._held = len(kept)
        return [kept] * self._layers

    def evict(self, path: Sequence[int]) -> Sequence[Tensor] | None:
        if self._method.visual:
            return None
        self._seen += 1 + len(path)
        held = self._held + 1 + len(path)
        self._held = count_of(self._method.budget, self._seen)
        return [self._ends(held, self._held)] * self._layers

    def _ends(self, rows: int, count: int) -> Tensor:
        """The first and the last of so many rows."""
        import torch

        sinks = min(self._method.sinks, count // 2)
        every = torch.arange(rows, device=self._rows.open.device)
        return torch.cat([every[:sinks], every[rows - count + sinks :]])
