"""Attention of a focal layer: over everything, and how much of it fell on each visual row (FastOCR).

The weights of all heads, `[B, H, N, S]`, are never written: the first pass is decode attention and leaves each query's
log-sum-exp; the second recomputes the scores of the visual rows alone and writes their mean over the heads.
"""

from __future__ import annotations

import torch
from torch import Tensor

from docparse.kernels import decode_attention
from docparse.kernels.decode_attention import Reads
from docparse.kernels.launch import dot, jit, query_tile, strided, tiling, tl, use_triton


def focal_attention(
    query: Tensor, key: Tensor, value: Tensor, reads: Reads, visual: Tensor, scaling: float
) -> tuple[Tensor, Tensor]:
    """Attention `[B, H, N, D]` as `decode_attention` returns it, and the share of each visual row `[B, N, V]`.

    `visual [B, V]`: positions of visual rows, all of them read; -1 is none, with share 0. A share is the softmax weight
    over everything that the node reads, mean over the query heads, float32: the shares of one node sum to what it
    spends on the image. A batch row with visual rows reads everything: `reads` lists none for it, since 0. The other
    arguments are those of `decode_attention`.
    Raises `ValueError` where `visual` is of another shape, or Triton gets shapes that disagree.
    """
    if visual.dim() != 2 or len(visual) != len(query):
        raise ValueError(f"focal attention takes visual rows [B, V], not {list(visual.shape)}")
    return (fused if use_triton(query) else reference)(query, key, value, reads, visual, scaling)


def reference(
    query: Tensor, key: Tensor, value: Tensor, reads: Reads, visual: Tensor, scaling: float
) -> tuple[Tensor, Tensor]:
    """The same in torch, which does write the weights."""
    weight, at = decode_attention.weights(query, key, reads, scaling)
    out = (weight.to(value.dtype) @ decode_attention.gathered(value, at)).view(query.shape)
    batch, _, nodes, _ = query.shape
    mean = weight.view(batch, -1, nodes, weight.shape[3]).mean(1)
    place = visual.long().clamp(0) + (0 if reads.rows is None else reads.rows.shape[1])  # behind what is listed
    share = mean.gather(2, place[:, None].expand(-1, nodes, -1))
    return out.transpose(1, 2).contiguous().transpose(1, 2), share.masked_fill((visual < 0)[:, None], 0.0)


def fused(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    reads: Reads,
    visual: Tensor,
    scaling: float,
    parts: int = 0,
) -> tuple[Tensor, Tensor]:
    """The same in Triton; `parts` as in `decode_attention.fused`."""
    out, lse = decode_attention.fused(query, key, value, reads, scaling, parts)
    tile, options = tiling(query, key)
    batch, nodes, count = len(query), query.shape[2], visual.shape[1]
    share = query.new_empty(batch, nodes, count, dtype=torch.float32)
    visual_shares[(-(-count // tile.block), -(-nodes // tile.nodes), batch)](
        *(strided(query), strided(key), visual.contiguous(), lse, share, count, nodes, key.shape[1], scaling),
        **tile.constants,
        **options,
    )
    return out, share


@jit
def visual_shares(
    query, key, visual_ptr, lse_ptr, share_ptr, count, nodes, kv_heads, scaling,
    GROUPS: tl.constexpr, SIZE: tl.constexpr, WIDTH: tl.constexpr, NODES: tl.constexpr,
    HEADS: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    """Program (visual rows, tile of nodes, batch row): the shares of these rows, one KV head after the other."""
    batch = tl.program_id(2).to(tl.int64)
    item = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    row = tl.load(visual_ptr + batch * count + item, mask=item < count, other=-1)
    dim = tl.arange(0, WIDTH)
    key_ptr, key_batch, key_head, key_row = key
    cell = key_ptr + batch * key_batch + row[None, :] * key_row + dim[:, None]
    there = (row >= 0)[None, :] & (dim < SIZE)[:, None]
    share = tl.zeros([NODES, BLOCK], tl.float32)
    for kv_head in range(kv_heads):
        queries, node, head, real = query_tile(
            query, tl.program_id(1), batch, kv_head, nodes, GROUPS, SIZE, WIDTH, NODES, HEADS
        )
        line = (batch * kv_heads * GROUPS + head) * nodes + node
        lse = tl.load(lse_ptr + line, mask=real, other=float("inf"))  # what is no query weighs nothing
        score = dot(queries, tl.load(cell + kv_head * key_head, mask=there, other=0.0)) * scaling
        share += tl.sum(tl.reshape(tl.exp(score - lse[:, None]), (NODES, HEADS, BLOCK)), 1)
    node = tl.program_id(1) * NODES + tl.arange(0, NODES)
    share = tl.where((row >= 0)[None, :], share / (kv_heads * GROUPS), 0.0)
    out = share_ptr + (batch * nodes + node[:, None]) * count + item[None, :]
    tl.store(out, share, mask=(node < nodes)[:, None] & (item < count)[None, :])
