"""The text half of a vision-language model as the engine sees it: a native decoder and its output head."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class TextModel:
    """A transformers text decoder, called directly.

    `decoder(inputs_embeds=[B, N, D], position_ids=..., past_key_values=cache, use_cache=True)` answers with
    `last_hidden_state [B, N, D]`; `head` turns hidden states `[..., D]` into logits `[..., V]` (scaled as the model's
    own forward scales them). `axes` is the number of position axes: 1 for plain rotary positions, 3 for M-RoPE, 4 for
    XD-RoPE. `end` holds the tokens that end an output. `key` names the decoder's shape, device and dtype for
    measurements that are kept between runs.
    """

    decoder: nn.Module
    head: Callable[[Tensor], Tensor]
    end: frozenset[int]
    axes: int
    key: str

    @property
    def config(self) -> Any:
        """The decoder's configuration."""
        return cast(Any, self.decoder).config

    @property
    def layers(self) -> int:
        return int(self.config.num_hidden_layers)

    @property
    def groups(self) -> int:
        """Query heads that share one head of keys and values."""
        heads = int(self.config.num_attention_heads)
        return heads // int(getattr(self.config, "num_key_value_heads", None) or heads)

    @property
    def vocabulary(self) -> int:
        return int(self.config.vocab_size)

    @property
    def device(self) -> torch.device:
        return self.embedding.weight.device

    @property
    def dtype(self) -> torch.dtype:
        return self.embedding.weight.dtype

    @property
    def embedding(self) -> nn.Embedding:
        return cast(nn.Embedding, cast(Any, self.decoder).get_input_embeddings())

    def embed(self, tokens: Tensor) -> Tensor:
        """Embeddings `[..., D]` of token ids `[...]`."""
        return cast(Tensor, self.embedding(tokens))
