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

from docparse.accel.eviction import attention_received, best
from docparse.accel.method import Compressing, between
from docparse.engine.hooks import Compressor

if TYPE_CHECKING:
    from torch import Tensor

    from docparse.engine.prompt import Prompt

LAST = 1  # rows at the end of the prompt that always stay
HALVINGS = 40


@dataclass(frozen=True)
class PrefixKv(Compressing):
    """`budget` of the prompt's rows stay, mean over the layers; the first `sinks` and the last one in any case."""

    name: ClassVar[str] = "prefixkv"
    uniform: ClassVar[bool] = True

    budget: float = between(0.001, 1.0, 0.1)
    sinks: int = between(0, 1024, 4)

    def compressor(self, prompt: Prompt) -> Compressor:
        return PrefixKvCompressor(self, prompt)


class PrefixKvCompressor(Compressor):
    """Visual and text rows compete alike."""

    def __init__(self, method: PrefixKv, prompt: Prompt) -> None:
        self._method = method
        self._rows = len(prompt)
        self._sinks = min(method.sinks, self._rows - LAST)
        self.scores: list[Tensor] = []  # of each layer [P]: what all queries pay each row, mean over heads

    def on_prefill_layer(self, layer: int, query: Tensor, key: Tensor, scale: float) -> None:
        self.scores.append(attention_received(query, key, scale).mean(dim=0))

    def evicted(self) -> list[int]:
        import torch

        priorities = torch.stack(self.scores).sort(dim=1, descending=True).values
        held = (priorities / priorities.sum(dim=1, keepdim=True)).cumsum(dim=1)
        wanted = (1 - self._method.budget) * self._rows * len(held)
        most = self._rows - LAST - self._sinks

        def lost(share: float) -> Tensor:
            return (self._rows - 1 - (held < share).sum(dim=1) - LAST - self._sinks).clamp(min=0)

        low, high = 0.0, 1.0
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            low, high = (low, middle) if float(lost(middle).sum()) < wanted else (middle, high)
        counts = lost(low)
        scale = wanted / max(1.0, float(counts.sum()))
        return [min(most, int(scale * count)) for count in counts.tolist()]

    def keep(self) -> Sequence[Tensor]:
        import torch

        end = self._rows - LAST
        kept = []
        for scores, count in zip(self.scores, self.evicted(), strict=True):
            chosen = self._sinks + best(scores[self._sinks : end], end - self._sinks - count)
            fixed = torch.arange(self._rows, device=scores.device)
            kept.append(torch.cat([fixed[: self._sinks], chosen, fixed[end:]]))
        return kept
