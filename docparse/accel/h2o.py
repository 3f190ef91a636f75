"""H2O, a baseline: the rows that all queries so far looked at most, and the most recent ones.

After Zhang et al., "H2O: Heavy-Hitter Oracle for Efficient Generative Inference of Large Language Models" (NeurIPS
2023) and https://github.com/FMInference/H2O: half of the rows are heavy hitters, half are recent, and each head keeps
its own. Where query heads share a head of keys their attention is averaged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from docparse.accel.eviction import Rows, attention_received, best_and_recent, by_key_head, count_of
from docparse.accel.method import Compressing, between
from docparse.engine.hooks import Compressor

if TYPE_CHECKING:
    from torch import Tensor

    from docparse.engine.prompt import Prompt


@dataclass(frozen=True)
class H2o(Compressing):
    """Keep `budget` of all rows so far (a share; the paper keeps a number). `visual`: only the visual rows of the
    prompt are thinned out, and nothing while decoding."""

    name: ClassVar[str] = "h2o"

    budget: float = between(0.001, 1.0, 0.1)
    visual: bool = False

    def compressor(self, prompt: Prompt) -> Compressor:
        return H2oCompressor(self, prompt)


class H2oCompressor(Compressor):
    """A step that verifies a tree evicts once, after the tokens that it accepted."""

    def __init__(self, method: H2o, prompt: Prompt) -> None:
        self.watches = not method.visual
        self._method = method
        self._rows = Rows.of(prompt, visual=method.visual)
        self._seen = len(prompt)
        self.scores: list[Tensor] = []  # of each layer [KV, S]: attention so far to each row that is still there
        self._step: list[Tensor] = []  # of each layer [KV, N, S]: that of the nodes of this step

    def on_prefill_layer(self, layer: int, query: Tensor, key: Tensor, scale: float) -> None:
        self.scores.append(by_key_head(attention_received(query, key, scale), len(key)))

    def keep(self) -> Sequence[Tensor]:
        count = count_of(self._method.budget, len(self._rows.open))
        chosen = [best_and_recent(scores[:, self._rows.open], count, (count + 1) // 2) for scores in self.scores]
        return self._kept([self._rows.keeping(each) for each in chosen])

    def observe(self, layer: int, weights: Tensor) -> None:
        self._step.append(by_key_head(weights, len(self.scores[layer])))

    def evict(self, path: Sequence[int]) -> Sequence[Tensor] | None:
        import torch

        if self._method.visual:
            return None
        nodes = [0, *path]
        self._seen += len(nodes)
        count = count_of(self._method.budget, self._seen)
        for layer, (scores, step) in enumerate(zip(self.scores, self._step, strict=True)):
            old = scores.shape[1]
            stays = [*range(old), *(old + node for node in nodes)]
            self.scores[layer] = torch.nn.functional.pad(scores, (0, len(nodes))) + step[:, nodes].sum(1)[:, stays]
        self._step.clear()
        return self._kept([best_and_recent(scores, count, (count + 1) // 2) for scores in self.scores])

    def _kept(self, rows: list[Tensor]) -> list[Tensor]:
        self.scores = [scores.gather(1, kept) for scores, kept in zip(self.scores, rows, strict=True)]
        return rows
