"""One decode pass over packed trees, as it is or compiled.

A compiled pass wants shapes that stay: trees are padded to a few sizes, slabs have a power of two positions and are
read as a whole under the mask, and a finished row stays in its slab as padding.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, cast

import torch
from torch import Tensor

from docparse.engine.attention import Pass
from docparse.engine.cache import SlabCache
from docparse.engine.reading import Reading
from docparse.engine.text_model import TextModel

SIZES = (1, 8, 16, 32, 64)  # nodes of a compiled pass; larger trees are padded to a multiple of the last
GRAPHS = 64  # compiled passes kept at most, of all models, sizes and capacities of a process (torch's own limit is 8)

Decode = Callable[..., Tensor]  # with the arguments of `decode`


def run_decoder(model: TextModel, cache: SlabCache, embeds: Tensor, positions: Tensor, **arguments: Any) -> Tensor:
    """Hidden states `[B, N, D]` of inputs `[B, N, D]` at positions `[A, B, N]`."""
    out = model.decoder(
        inputs_embeds=embeds,
        position_ids=positions if model.axes > 1 else positions[0],
        past_key_values=cache,
        use_cache=True,
        **arguments,
    )
    return cast(Tensor, out.last_hidden_state)


def decode(
    model: TextModel,
    cache: SlabCache,
    tokens: Tensor,
    positions: Tensor,
    biases: Sequence[Tensor | None],
    reading: Reading | None = None,
) -> Tensor:
    """Logits `[B, N, V]` of tokens `[B, N]`; the decoder's attention must be ours."""
    hidden = run_decoder(model, cache, model.embed(tokens), positions, docparse_pass=Pass(biases, reading))
    return model.head(hidden)


@functools.cache
def compiled(compiler: str) -> Decode:
    """`decode` through `torch.compile` with the backend of this name."""
    graph = torch.compile(decode, fullgraph=True, dynamic=False, backend=compiler)

    def run(*arguments: Any) -> Tensor:
        with torch._dynamo.config.patch(recompile_limit=GRAPHS, accumulated_recompile_limit=4 * GRAPHS):
            return cast(Tensor, graph(*arguments))

    return run


def padded_nodes(nodes: int) -> int:
    """The size of the compiled pass that takes this many nodes."""
    return next((size for size in SIZES if size >= nodes), -(-nodes // SIZES[-1]) * SIZES[-1])


def padded_positions(positions: int) -> int:
    """The capacity of a slab for compiled passes: few enough values that pages share their graphs."""
    return max(1024, 1 << (positions - 1).bit_length())
