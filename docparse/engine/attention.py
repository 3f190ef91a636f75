"""Attention of new tokens over keys and values, and of a prompt to itself."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

from docparse.engine.hooks import RowMethods

if TYPE_CHECKING:
    from docparse.engine.lean import Shared

Linear = Callable[[int, Tensor], Tensor]  # what a layer of linear attention answers to hidden states `[B, N, D]`


class Attention(ABC):
    """The attention of one pass over the rows `data [L, 2, B, KV, S, D]`, of which the new tokens begin at `starts [L,
    B]`. `linear` is there where some layers are of linear attention, `shared` where the memory of an earlier pass is
    computed in."""

    linear: Linear | None = None
    shared: Shared | None = None

    def __init__(self, data: Tensor, starts: Tensor) -> None:
        self.data, self.starts = data, starts

    @abstractmethod
    def store(self, layer: int, new: Tensor) -> None:
        """Put the layer's new keys and values `[2, B, KV, N, D]` in their place."""

    @abstractmethod
    def attend(self, layer: int, query: Tensor, scale: float) -> Tensor:
        """`[B, N, H, D]` for queries `[B, H, N, D]`, once the layer's new keys and values are in their place."""


class PromptAttention(Attention):
    """The attention of prompts of `lengths` tokens in empty rows: causal, and each shown to its row's methods. What
    pads a shorter prompt stands behind it, where no token of it looks."""

    def __init__(self, data: Tensor, lengths: Sequence[int], readers: Sequence[RowMethods]) -> None:
        super().__init__(data, torch.zeros(len(data), len(lengths), dtype=torch.long, device=data.device))
        self._rows = list(zip(lengths, readers, strict=True))
        self.seen: set[int] = set()  # layers that came here, and have no attention of their own

    def store(self, layer: int, new: Tensor) -> None:
        self.data[layer, ..., : new.shape[3], :].copy_(new)

    def attend(self, layer: int, query: Tensor, scale: float) -> Tensor:
        """See `Attention`. What a compressor lets a prompt not read here is zeros."""
        self.seen.add(layer)
        key, value = self.data[layer, :, :, :, : query.shape[2]]
        entering: list[Tensor | None] = []
        for row, (length, reader) in enumerate(self._rows):
            for method in (reader.compressor, reader.selector):
                if method is not None:
                    method.on_prefill_layer(layer, query[row, :, :length], key[row, :, :length], scale)
            entering.append(None if reader.compressor is None else reader.compressor.prefill_rows(layer))
        if all(each is None for each in entering):
            return attention(query, key, value, None, scale, causal=True)
        out = torch.zeros_like(query.transpose(1, 2))
        for row, (rows, (length, _)) in enumerate(zip(entering, self._rows, strict=True)):
            at = torch.arange(length, device=query.device) if rows is None else rows
            one, keys, values = (each[row : row + 1, :, at] for each in (query, key, value))
            out[row : row + 1, at] = attention(one, keys, values, None, scale, causal=True)
        return out


def attention(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None, scale: float, *, causal: bool = False
) -> Tensor:
    """`[B, N, H, D]` of queries `[B, H, N, D]` over keys and values `[B, KV, S, D]`; `mask [B, 1, N, S]` is added to
    the scores.

    Keys are repeated for grouped heads only where no fused kernel takes these: of several queries, on a device, in full
    precision.
    """
    batch, heads, nodes, size = query.shape
    kv_heads = key.shape[1]
    if nodes == 1:
        folded = query.reshape(batch, kv_heads, -1, size)
        out = scaled_dot_product_attention(folded, key, value, attn_mask=mask, scale=scale)
        return out.view(batch, 1, heads, size)
    if heads > kv_heads and not key.is_cpu and key.dtype not in (torch.float16, torch.bfloat16):
        key, value = (each.repeat_interleave(heads // kv_heads, 1) for each in (key, value))
        kv_heads = heads
    out = scaled_dot_product_attention(
        query, key, value, attn_mask=mask, is_causal=causal, scale=scale, enable_gqa=heads > kv_heads
    )
    return out.transpose(1, 2)
