"""The two kinds of pass: a prompt attends to itself, and trees of new tokens to all that is in the cache."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from docparse.engine.attention import attention, tree_mask
from docparse.engine.cache import KeyValueCache, Placement
from docparse.engine.hooks import Compressor, Selector
from docparse.engine.modules import refuse
from docparse.engine.packet import Packet
from docparse.kernels.decode_attention import decode_attention
from docparse.kernels.launch import use_triton
from docparse.kernels.reads import Reads

BY_KERNELS = (torch.float32, torch.float16, torch.bfloat16)


class PromptAttention:
    """Of prompts of `lengths` tokens in the last rows of the cache, from `first` on: causal, and each shown to its
    compressor and its selector. What pads a shorter prompt stands behind it, where no token of it looks."""

    def __init__(
        self,
        cache: KeyValueCache,
        first: int,
        lengths: Sequence[int],
        compressors: Sequence[Compressor | None],
        selectors: Sequence[Selector | None],
    ) -> None:
        self._data = cache.data[:, :, first : first + len(lengths)]
        self._starts = torch.zeros(len(lengths), dtype=torch.long, device=cache.data.device)
        self._lengths = lengths
        self._compressors = compressors
        self._selectors = selectors
        self._seen: set[int] = set()

    def place(self, layer: int) -> tuple[Tensor, Tensor, None]:
        """See `lean.Attention`; the rows are empty."""
        return self._data[layer], self._starts, None

    def attend(self, layer: int, query: Tensor, scale: float) -> Tensor:
        """See `lean.Attention`. Where a compressor lets a part of its prompt only enter the layer, the rest is zeros:
        nobody reads it."""
        self._seen.add(layer)
        key, value = self._data[layer, :, :, :, : query.shape[2]]
        entering: list[Tensor | None] = []
        watching = zip(self._lengths, self._compressors, self._selectors, strict=True)
        for row, (length, compressor, selector) in enumerate(watching):
            for each in (compressor, selector):
                if each is not None:
                    each.on_prefill_layer(layer, query[row, :, :length], key[row, :, :length], scale)
            entering.append(None if compressor is None else compressor.prefill_rows(layer))
        if all(each is None for each in entering):
            return attention(query, key, value, None, scale, causal=True).transpose(1, 2)
        out = query.new_zeros(query.shape)
        for row, rows in enumerate(entering):
            at = torch.arange(self._lengths[row], device=query.device) if rows is None else rows
            one, keys, values = (each[row : row + 1, :, at] for each in (query, key, value))
            out[row : row + 1, :, at] = attention(one, keys, values, None, scale, causal=True)
        return out.transpose(1, 2)

    def check(self) -> None:
        """Raise `EnvironmentProblem` after a prefill in which a layer attended by means of its own."""
        if len(self._seen) < len(self._data):
            refuse("attention of its own, outside transformers' AttentionInterface")


class TreeAttention:
    """Of a tree in every row: each node reads all that is committed, and its ancestors, but for what is `far`: out of
    the model's window, for each row (`attention.out_of_window`)."""

    def __init__(
        self,
        cache: KeyValueCache,
        placements: Sequence[Placement],
        packet: Packet,
        far: Sequence[Tensor | None] = (),
    ) -> None:
        self.placements = placements
        self.packet = packet
        self._far = far
        slabs = cache.data.narrow(2, 0, cache.rows).unbind(0)
        self._places = list(zip(slabs, packet.starts.unbind(0), strict=True))
        self._masks: dict[int, Tensor | None] = {}

    def place(self, layer: int) -> tuple[Tensor, Tensor, None]:
        """See `lean.Attention`."""
        return *self._places[layer], None

    def attend(self, layer: int, query: Tensor, scale: float) -> Tensor:
        """See `lean.Attention`."""
        if uses_kernels(query) and all(each is None for each in self._far):
            (key, value), starts = self._places[layer]
            reads = Reads(None, self.packet.since, starts, self.packet.tree)
            return decode_attention(query, key, value, reads, scale).transpose(1, 2)
        key, value, mask = self.read(layer, query)
        return attention(query, key, value, mask, scale).transpose(1, 2)

    def read(self, layer: int, query: Tensor) -> tuple[Tensor, Tensor, Tensor | None]:
        """Keys and values `[B, KV, S, D]` as far as any row reads, and what is added to scores, `[B, 1, N, S]`.

        The mask is None where every query reads all; it is built once for layers of equal lengths. (An additive one
        costs 10 % less than a boolean one on a CPU.)
        """
        at = self.placements[layer]
        if id(at) not in self._masks:
            self._masks[id(at)] = tree_mask(at, self.packet.tree, query, self._far)
        key, value = self._places[layer][0].narrow(3, 0, at.end).unbind(0)
        return key, value, self._masks[id(at)]


def uses_kernels(query: Tensor) -> bool:
    """Return whether Triton's kernels compute attention of these queries: they need no mask, and read rows where they
    lie."""
    return query.dtype in BY_KERNELS and use_triton(query)
