"""Attention of a focal layer: over everything, and how much of it fell on each visual row (FastOCR).

The weights of all heads, `[B, H, N, S]`, are never written: the first pass is decode attention and leaves each query's
log mass; the second recomputes the scores of the visual rows alone and writes their mean over the heads, `[B, N, V]`.
"""

from __future__ import annotations

import torch
from torch import Tensor

from docparse.kernels import decode_attention
from docparse.kernels.launch import LEAST, OPTIONS, dot, jit, power, query_tile, tiles, tl, unit_stride, use_triton
from docparse.kernels.reads import Reads, check, positions, readable

BLOCK = 32  # visual rows of one program


def focal_attention(
    query: Tensor, key: Tensor, value: Tensor, reads: Reads, visual: Tensor, scaling: float
) -> tuple[Tensor, Tensor]:
    """Attention `[B, H, N, D]` as `decode_attention` returns it, and the share of each visual row `[B, N, V]`.

    `visual [B, V]`: positions of visual rows, all of them read; -1 is none, with share 0. A share is the softmax weight
    over everything that the node reads, mean over the query heads, float32: the shares of one node sum to what it
    spends on the image. `reads` lists no rows; the other arguments are those of `decode_attention`.
    Raises `ValueError` where shapes disagree or rows are listed.
    """
    check(query, key, value, reads)
    if reads.rows is not None or visual.dim() != 2 or len(visual) != len(query):
        raise ValueError(f"focal attention lists no rows and takes visual rows [B, V], not {list(visual.shape)}")
    return (fused if use_triton(query) else reference)(query, key, value, reads, visual, scaling)


def top_rows(shares: Tensor, visual: Tensor, keep: Tensor, most: int, nodes: Tensor | None = None) -> Tensor:
    """Positions `[B, most]` of the visual rows with the largest mean share over the nodes, best first, then -1.

    `shares [B, N, V]` and `visual [B, V]` are those of `focal_attention`; `keep [B]` says how many rows each batch row
    keeps, `most` the largest of these numbers (at most V), `nodes [B]` how many nodes of each are not padding.
    """
    if nodes is not None:
        padding = torch.arange(shares.shape[1], device=shares.device) >= nodes[:, None]
        shares = shares.masked_fill(padding[:, :, None], 0.0)
    best = shares.sum(1).masked_fill(visual < 0, -1.0).topk(most).indices
    beyond = torch.arange(most, device=visual.device) >= keep[:, None]
    return visual.gather(1, best).masked_fill(beyond, -1)


def reference(
    query: Tensor, key: Tensor, value: Tensor, reads: Reads, visual: Tensor, scaling: float
) -> tuple[Tensor, Tensor]:
    """The same in torch, which does write the weights."""
    batch, heads, nodes, size = query.shape
    position = positions(reads, nodes, key.shape[2])
    hidden = ~readable(reads, position, nodes)[:, None, None]
    grouped = query.reshape(batch, key.shape[1], -1, size)
    score = (grouped.float() @ key.float().mT * scaling).view(batch, key.shape[1], -1, nodes, key.shape[2])
    weight = score.masked_fill(hidden, -torch.inf).softmax(-1).view(batch, key.shape[1], -1, key.shape[2])
    out = (weight.to(value.dtype) @ value).view(batch, heads, nodes, size)
    share = (
        weight.view(batch, heads, nodes, -1).mean(1).gather(2, visual.long().clamp(0)[:, None].expand(-1, nodes, -1))
    )
    return out.transpose(1, 2).contiguous().transpose(1, 2), share.masked_fill((visual < 0)[:, None], 0.0)


def fused(
    query: Tensor, key: Tensor, value: Tensor, reads: Reads, visual: Tensor, scaling: float, parts: int = 0
) -> tuple[Tensor, Tensor]:
    """The same in Triton; `parts` as in `decode_attention.fused`."""
    out, mass = decode_attention.fused(query, key, value, reads, scaling, parts)
    query, key = unit_stride(query), unit_stride(key)
    batch, heads, nodes, size = query.shape
    groups = heads // key.shape[1]
    node_tile, group_tile = tiles(nodes, groups)
    share = query.new_empty(batch, nodes, visual.shape[1], dtype=torch.float32)
    visual_shares[(-(-visual.shape[1] // BLOCK), -(-nodes // node_tile), batch)](
        *(query, key, visual.contiguous(), mass, share),
        *(*query.stride()[:3], *key.stride()[:3]),
        *(visual.shape[1], nodes, key.shape[1], scaling),
        GROUPS=groups,
        SIZE=size,
        WIDTH=power(size, LEAST),
        NODE_TILE=node_tile,
        GROUP_TILE=group_tile,
        BLOCK=BLOCK,
        **OPTIONS,
    )
    return out, share


@jit
def visual_shares(
    query_at,
    key_at,
    visual_at,
    mass_at,
    share_at,
    query_batch,
    query_head,
    query_node,
    key_batch,
    key_head,
    key_row,
    count,
    nodes,
    kv_heads,
    scaling,
    GROUPS: tl.constexpr,
    SIZE: tl.constexpr,
    WIDTH: tl.constexpr,
    NODE_TILE: tl.constexpr,
    GROUP_TILE: tl.constexpr,
    BLOCK: tl.constexpr,
):
    """Program (visual rows, tile of nodes, batch row): the shares of these rows, one KV head after the other."""
    batch = tl.program_id(2).to(tl.int64)
    item = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    row = tl.load(visual_at + batch * count + item, mask=item < count, other=-1)
    dim = tl.arange(0, WIDTH)
    cell = key_at + batch * key_batch + row[None, :] * key_row + dim[:, None]
    there = (row >= 0)[None, :] & (dim < SIZE)[:, None]
    share = tl.zeros([NODE_TILE, BLOCK], tl.float32)
    for kv_head in range(kv_heads):
        query, node, head, real = query_tile(
            *(query_at, query_batch, query_head, query_node),
            *(tl.program_id(1), batch, kv_head, nodes),
            *(GROUPS, SIZE, WIDTH, NODE_TILE, GROUP_TILE),
        )
        line = (batch * kv_heads * GROUPS + head) * nodes + node
        mass = tl.load(mass_at + line, mask=real, other=float("inf"))  # what is no query weighs nothing
        key = tl.load(cell + kv_head * key_head, mask=there, other=0.0)
        weight = tl.exp(dot(query, key) * scaling - mass[:, None])
        share += tl.sum(tl.reshape(weight, (NODE_TILE, GROUP_TILE, BLOCK)), 1)
    node = tl.program_id(1) * NODE_TILE + tl.arange(0, NODE_TILE)
    share = tl.where((row >= 0)[None, :], share / (kv_heads * GROUPS), 0.0)
    out = share_at + (batch * nodes + node[:, None]) * count + item[None, :]
    tl.store(out, share, mask=(node < nodes)[:, None] & (item < count)[None, :])
