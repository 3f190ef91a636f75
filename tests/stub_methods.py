"""Methods that evict or select what they are told, and keep what they are shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from torch import Tensor

from docparse.engine.hooks import Compressor, Selection, Selector
from docparse.engine.tree import Candidate, Tree


class Keeps(Compressor):
    """Keeps given rows of each layer; where `wants` says so, it looks at the attention of every step."""

    def __init__(self, rows: Sequence[Tensor], wants: bool = False) -> None:
        self.rows, self.continues = rows, wants
        self.watched: dict[int, tuple[Tensor, Tensor, float]] = {}
        self.seen: list[Tensor] = []

    def on_prefill_layer(self, layer: int, query: Tensor, key: Tensor, scale: float) -> None:
        self.watched[layer] = (query.clone(), key.clone(), scale)

    def keep(self) -> Sequence[Tensor]:
        return self.rows

    def needs_attention(self, layer: int) -> bool:
        return True

    def observe(self, layer: int, weights: Tensor) -> None:
        self.seen.append(weights)


class Selects(Selector):
    """Selects the given visual tokens of each layer, everything where it is None."""

    def __init__(self, chosen: Sequence[Selection | None]) -> None:
        self.chosen = chosen
        self.asked: list[int] = []
        self.seen: list[Tensor] = []
        self.settled: list[Sequence[int]] = []

    def select(self, layer: int) -> Selection | None:
        self.asked.append(layer)
        return self.chosen[layer]

    def on_commit(self, path: Sequence[int], left: Mapping[int, Tensor]) -> None:
        self.settled.append(path)

    def observe(self, layer: int, weights: Tensor, real: Tensor | None = None) -> None:
        self.seen.append(weights if real is None else weights[real])


def chain(words: Sequence[int]) -> Tree:
    return Tree.grow(words[0], [Candidate(words[1:], "any")], len(words))
