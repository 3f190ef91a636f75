"""Move the nodes of a pass that are kept together in the cache: every layer, keys and values at once."""

from __future__ import annotations

import torch
from torch import Tensor

from docparse.kernels.launch import OPTIONS, jit, strided, tl, use_triton

NODES, NUMBERS = 16, 64  # moved at a time: nodes, and numbers of each


def commit(slab: Tensor, starts: Tensor, kept: Tensor) -> None:
    """Node `kept[b, i]`, at `starts[l, b] + kept[b, i]` of `slab [L, 2, B, KV, S, D]`, goes to `starts[l, b] + i`.

    `starts [L, B]` and `kept [B, P]` are int32 or int64. A row's nodes ascend, so that none goes to where a later one
    lies; after them -1 is none. The slab may be a view with a contiguous last axis; positions are not checked.
    Raises `ValueError` where shapes disagree.
    """
    if starts.shape != (len(slab), slab.shape[2]) or kept.dim() != 2 or len(kept) != slab.shape[2]:
        shapes = f"starts {list(starts.shape)} and kept nodes {list(kept.shape)}"
        raise ValueError(f"a cache {list(slab.shape)} does not go with {shapes}")
    (fused if use_triton(slab) else reference)(slab, starts, kept)


def reference(slab: Tensor, starts: Tensor, kept: Tensor) -> None:
    """The same in torch: all that moves is gathered, then written."""
    row, target = ((kept >= 0) & (kept != torch.arange(kept.shape[1], device=kept.device))).nonzero(as_tuple=True)
    if not len(row):
        return
    layer, start = torch.arange(len(slab), device=slab.device)[:, None], starts[:, row]
    nodes = slab.permute(0, 2, 4, 1, 3, 5)  # by layer, row and position
    nodes[layer, row, start + target] = nodes[layer, row, start + kept[row, target]]


def fused(slab: Tensor, starts: Tensor, kept: Tensor) -> None:
    """The same in one launch, on the device alone."""
    layers, _, batch, kv_heads, _, size = slab.shape
    move[(2 * layers, batch * kv_heads, -(-size // NUMBERS))](
        *(strided(slab), starts.contiguous(), kept.contiguous(), batch, kv_heads, kept.shape[1], size),
        NODES=NODES,
        NUMBERS=NUMBERS,
        **OPTIONS,
    )


@jit
def move(slab, starts_ptr, kept_ptr, rows, kv_heads, count, size, NODES: tl.constexpr, NUMBERS: tl.constexpr):
    """Program (layer's keys or values, row and head, numbers): no other program touches these numbers of a node."""
    slab_ptr, layer_stride, half_stride, batch_stride, head_stride, node_stride = slab
    layer, half = (tl.program_id(0) // 2).to(tl.int64), tl.program_id(0) % 2
    batch, head = (tl.program_id(1) // kv_heads).to(tl.int64), tl.program_id(1) % kv_heads
    start = tl.load(starts_ptr + layer * rows + batch).to(tl.int64)
    dim = tl.program_id(2) * NUMBERS + tl.arange(0, NUMBERS)[None, :]
    base = slab_ptr + layer * layer_stride + half * half_stride + batch * batch_stride + head * head_stride + dim
    for begin in range(0, count, NODES):  # targets never lie among the sources of a later turn
        target = begin + tl.arange(0, NODES)
        source = tl.load(kept_ptr + batch * count + target, mask=target < count, other=-1)
        moves = ((source >= 0) & (source != target))[:, None] & (dim < size)
        nodes = tl.load(base + (start + source)[:, None] * node_stride, mask=moves, other=0.0)
        tl.debug_barrier()  # every warp has read before one writes
        tl.store(base + (start + target)[:, None] * node_stride, nodes, mask=moves)
