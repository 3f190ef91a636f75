"""The text half of a vision-language model as the engine sees it: a decoder and its output head."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, NamedTuple, cast

import torch
from torch import Tensor, nn

from docparse.engine.cache import Shape
from docparse.engine.graphs import Graphs, capture_on_cuda
from docparse.engine.hooks import RowMemory
from docparse.engine.lean import Lean
from docparse.engine.modules import LINEAR, REFERENCE, layer_kinds, run_modules
from docparse.engine.packet import Packet
from docparse.engine.weights import Unfit
from docparse.kernels.launch import use_triton
from docparse.logits import LogitsRule


class Spare(NamedTuple):
    """The memory of sessions that are over, for those to come, so that page after page uses the same: of `caches`, of
    what hosts write before a pass (`packets`, of each session by their sizes), and of `rows`."""

    caches: list[Tensor]
    packets: list[dict[Hashable, Packet]]
    rows: list[RowMemory]


@dataclass(frozen=True)
class TextModel:
    """A transformers text decoder; where its shape allows, our lean decoder runs on its weights instead.

    `head` turns hidden states `[..., D]` into logits `[..., V]` (scaled as the model's own forward scales them). `axes`
    is the number of position axes: 1 for plain rotary positions, 3 for M-RoPE, 4 for XD-RoPE. `end` holds the tokens
    that end an output. `key` names the decoder's shape, device and dtype for measurements that are kept between runs.
    `processors` change the logits of every output, however it is decoded.
    """

    decoder: nn.Module
    head: Callable[[Tensor], Tensor]
    end: frozenset[int]
    axes: int
    key: str
    processors: tuple[LogitsRule, ...] = ()

    @cached_property
    def lean(self) -> Lean | Unfit:
        """Return the lean decoder, or why there is none."""
        try:
            return Lean.of(self.decoder, self.axes)
        except Unfit as unfit:
            return unfit.with_traceback(None)  # which would hold the prompt at hand

    @cached_property
    def spare(self) -> Spare:
        """Return the memory that no session uses."""
        return Spare([], [], [])

    @cached_property
    def graphs(self) -> Graphs | None:
        """Return its captured passes, where the lean decoder runs by kernels on a GPU."""
        captures = self.device.type == "cuda" and isinstance(self.lean, Lean) and self.by_kernels
        return Graphs(capture_on_cuda) if captures else None

    @property
    def by_kernels(self) -> bool:
        """Return whether kernels read the cache; they know no window."""
        return self.window is None and use_triton(self.embed.weight)

    @cached_property
    def window(self) -> int | None:
        """Return how many of the written tokens each of them reads, itself among them, beside the prompt (None: all).
        Such a decoder has no other layers (`modules.refuse_config`)."""
        return int(self.config.sliding_window) if REFERENCE in layer_kinds(self.config) else None

    @cached_property
    def recurrent(self) -> bool:
        """Return whether some layers have a state in place of keys and values (linear attention)."""
        return LINEAR in layer_kinds(self.config)

    @cached_property
    def shape(self) -> Shape:
        config = self.config
        heads = int(config.num_attention_heads)
        size = getattr(config, "head_dim", None) or config.hidden_size // heads
        kv_heads = int(getattr(config, "num_key_value_heads", None) or heads)
        return Shape(self.layers, kv_heads, int(size), self.dtype, self.device)

    @cached_property
    def run(self) -> Callable[..., Tensor]:
        """Return what runs the decoder: for arguments and answer see `Lean`."""
        return self.lean if isinstance(self.lean, Lean) else partial(run_modules, self.decoder)

    def free(self) -> None:
        """Give back all memory but that of the weights; no batch may be under way."""
        for each in self.spare:
            each.clear()
        if self.graphs is not None:
            self.graphs.forget()

    @property
    def config(self) -> Any:
        return cast(Any, self.decoder).config

    @property
    def layers(self) -> int:
        """Return how many layers hold keys and values."""
        return sum(kind != LINEAR for kind in layer_kinds(self.config))

    @property
    def vocabulary(self) -> int:
        return int(self.config.vocab_size)

    @cached_property
    def device(self) -> torch.device:
        return self.embed.weight.device

    @cached_property
    def dtype(self) -> torch.dtype:
        return self.embed.weight.dtype

    @cached_property
    def embed(self) -> nn.Embedding:
        """Return what turns token ids into embeddings."""
        return cast(nn.Embedding, cast(Any, self.decoder).get_input_embeddings())
