"""The attention of one pass: a prompt's to itself, and that of trees of new tokens to all that is in the cache."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from torch import Tensor

from docparse.engine.attention import attention, tree_mask
from docparse.engine.by_kernels import KernelPass, suits
from docparse.engine.cache import KeyValueCache, Placement
from docparse.engine.modules import refuse
from docparse.engine.reading import Reading
from docparse.engine.seams import Compressor


@dataclass(frozen=True, eq=False)
class PromptAttention:
    """Of one prompt in one row: causal, and shown to the row's `compressor`. `seen` collects the layers that asked."""

    cache: KeyValueCache
    placements: Sequence[Placement]
    compressor: Compressor | None = None
    seen: set[int] = field(default_factory=set)

    def check(self) -> None:
        """Raise `EnvironmentProblem` after a prefill in which a layer attended by means of its own."""
        if len(self.seen) < len(self.placements):
            refuse("attention of its own, outside transformers' AttentionInterface")

    def attend(self, layer: int, query: Tensor, key: Tensor, value: Tensor, scale: float) -> Tensor:
        """Store keys and values `[1, KV, P, D]`; `[1, P, H, D]` for queries `[1, H, P, D]`.

        Where the compressor lets a part of the prompt only enter the layer, the rest is zeros: nobody reads it.
        """
        self.seen.add(layer)
        _store(self.cache, self.placements[layer], layer, key, value)
        entering = None
        if self.compressor is not None:
            self.compressor.watch(layer, query[0], key[0], scale)
            entering = self.compressor.enters(layer)
        if entering is None:
            return attention(query, key, value, None, scale, causal=True).transpose(1, 2)
        out = query.new_zeros(query.shape)
        out[:, :, entering] = attention(
            *(each[:, :, entering] for each in (query, key, value)), None, scale, causal=True
        )
        return out.transpose(1, 2)


class TreeAttention:
    """Of a tree in every row. `ancestors [B, N, N]` says which node reads which, None for one token a row;
    `reading` what the rows' methods choose of the cache, None where there is no such method."""

    def __init__(
        self,
        cache: KeyValueCache,
        placements: Sequence[Placement],
        count: int,
        ancestors: Tensor | None,
        reading: Reading | None = None,
    ) -> None:
        self.placements = placements
        self._cache = cache
        self._count = count
        self._ancestors = ancestors
        self._reading = reading
        self._kernels = KernelPass(ancestors)
        self._nothing = [None] * len(placements[0].lengths)
        self._masks: dict[int, Tensor | None] = {}

    def attend(self, layer: int, query: Tensor, key: Tensor, value: Tensor, scale: float) -> Tensor:
        """Store keys and values `[B, KV, N, D]`; `[B, N, H, D]` for queries `[B, H, N, D]`."""
        at = self.placements[layer]
        keys, values = _store(self._cache, at, layer, key, value)
        return self._attend(layer, at, query, keys, values, scale).transpose(1, 2)

    def _attend(self, layer: int, at: Placement, query: Tensor, keys: Tensor, values: Tensor, scale: float) -> Tensor:
        chosen = None if self._reading is None else self._reading.choose(layer)
        if suits(query) and (self._reading is None or not self._reading.needs_weights(layer, chosen)):
            states = query, keys, values
            if self._reading is None:
                return self._kernels.attend(at, self._nothing, self._nothing, states, scale)[0]
            return self._reading.by_kernels(self._kernels, layer, chosen, states, scale)
        keys, values = keys[:, :, : at.end], values[:, :, : at.end]
        mask = self._mask(at, query)
        if self._reading is None:
            return attention(query, keys, values, mask, scale)
        return self._reading.attend(layer, chosen, (query, keys, values), mask, scale)

    def _mask(self, at: Placement, query: Tensor) -> Tensor | None:
        """What is added to scores, `[B, 1, N, S]`; None where every query reads all. Built once for layers of equal
        lengths. (An additive mask costs 10 % less than a boolean one on a CPU.)"""
        if id(at) not in self._masks:
            self._masks[id(at)] = tree_mask(at, self._ancestors, self._count, query)
        return self._masks[id(at)]


def _store(cache: KeyValueCache, at: Placement, layer: int, key: Tensor, value: Tensor) -> tuple[Tensor, Tensor]:
    """Write new keys and values; all those `[B, KV, S, D]` of the pass's rows."""
    keys, values = cache.data[layer, :, at.rows].unbind(0)
    at.write(keys, key)
    at.write(values, value)
    return keys, values
