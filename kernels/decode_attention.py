"""Decode attention of a tree of new tokens over the rows of the cache that a layer reads (FastOCR with HSD).

Two kernels, as in FlashDecoding: softmax attention over parts of the rows, then their combination.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

from docparse.kernels.launch import (
    LEAST,
    OPTIONS,
    block,
    dot,
    jit,
    power,
    query_tile,
    splits,
    tiles,
    tl,
    unit_stride,
    use_triton,
)
from docparse.kernels.reads import Reads, check, positions, readable


def decode_attention(query: Tensor, key: Tensor, value: Tensor, reads: Reads, scaling: float) -> Tensor:
    """Attention `[B, H, N, D]` (a view of `[B, N, H, D]` memory) of `query [B, H, N, D]`; float32, float16 or bfloat16.

    `key`, `value [B, KV, S, D]`: slabs that hold the new tokens already; query head h reads head `h // (H / KV)`.
    Raises `ValueError` where shapes disagree; positions are not checked.
    """
    check(query, key, value, reads)
    if use_triton(query):
        return fused(query, key, value, reads, scaling)[0]
    return reference(query, key, value, reads, scaling)


def reference(query: Tensor, key: Tensor, value: Tensor, reads: Reads, scaling: float) -> Tensor:
    """The same in torch. Listed rows are gathered, so fewer rows cost less here as well; nothing is gathered for full
    attention."""
    batch, heads, nodes, size = query.shape
    position = positions(reads, nodes, key.shape[2])
    if reads.rows is not None:
        at = position.clamp(0, key.shape[2] - 1)
        key, value = gathered(key, at), gathered(value, at)
    grouped = query.reshape(batch, key.shape[1], -1, size)
    mask = readable(reads, position, nodes)[:, None].repeat(1, 1, grouped.shape[2] // nodes, 1)
    out = scaled_dot_product_attention(grouped, key, value, attn_mask=mask, scale=scaling)
    return out.reshape(batch, heads, nodes, size).transpose(1, 2).contiguous().transpose(1, 2)


def gathered(slab: Tensor, position: Tensor) -> Tensor:
    """Rows `[B, KV, L, D]` of a slab at positions `[B, L]`. (Ten times faster on a CPU than `Tensor.gather`.)"""
    return torch.stack([part.index_select(1, at) for part, at in zip(slab, position, strict=True)])


def fused(
    query: Tensor, key: Tensor, value: Tensor, reads: Reads, scaling: float, parts: int = 0
) -> tuple[Tensor, Tensor]:
    """The same in Triton, and each query's log of the sum of exponentials `[B, H, N]` (float32).

    `parts` is the number of programs that share one tile's rows, a power of two; 0: as many as fill the device.
    """
    query, key, value = unit_stride(query), unit_stride(key), unit_stride(value)
    rows, since, starts, tree, own = reads
    batch, heads, nodes, size = query.shape
    listed = 0 if rows is None else rows.shape[1]
    groups, width = heads // key.shape[1], power(size, LEAST)
    node_tile, group_tile = tiles(nodes, groups)
    grid = (-(-nodes // node_tile), batch * key.shape[1])
    parts = parts or splits(grid[0] * grid[1], min(2 * listed, key.shape[2]) or key.shape[2], query.device)
    partial = query.new_empty(batch, heads, nodes, parts, size, dtype=torch.float32)
    masses = query.new_empty(batch, heads, nodes, parts, dtype=torch.float32)
    attend[(*grid, parts)](
        *(query, key, value),
        *(rows if rows is None else rows.contiguous(), since.contiguous(), starts.contiguous()),
        *(each if each is None else each.contiguous().view(torch.uint8) for each in (tree, own)),
        *(partial, masses),
        *(*query.stride()[:3], *key.stride()[:3], *value.stride()[:3]),
        *(listed, nodes, key.shape[1], scaling),
        GROUPS=groups,
        SIZE=size,
        WIDTH=width,
        NODE_TILE=node_tile,
        GROUP_TILE=group_tile,
        BLOCK=block(width, query.element_size()),
        PARTS=parts,
        **OPTIONS,
    )
    out = query.new_empty(batch, nodes, heads, size)
    mass = query.new_empty(batch, heads, nodes, dtype=torch.float32)
    combine[(batch * heads * nodes,)](
        partial, masses, out, mass, heads, nodes, SIZE=size, WIDTH=width, PARTS=parts, **OPTIONS
    )
    return out.transpose(1, 2), mass


@jit
def attend(
    query_at,
    key_at,
    value_at,
    rows_at,
    since_at,
    starts_at,
    tree_at,
    own_at,
    partial_at,
    masses_at,
    query_batch,
    query_head,
    query_node,
    key_batch,
    key_head,
    key_row,
    value_batch,
    value_head,
    value_row,
    listed,
    nodes,
    kv_heads,
    scaling,
    GROUPS: tl.constexpr,
    SIZE: tl.constexpr,
    WIDTH: tl.constexpr,
    NODE_TILE: tl.constexpr,
    GROUP_TILE: tl.constexpr,
    BLOCK: tl.constexpr,
    PARTS: tl.constexpr,
):
    """Program (tile, batch row and KV head, part): softmax attention over one part of the rows, and its mass."""
    batch = (tl.program_id(1) // kv_heads).to(tl.int64)
    kv_head = tl.program_id(1) % kv_heads
    part = tl.program_id(2)
    query, node, head, real = query_tile(
        *(query_at, query_batch, query_head, query_node),
        *(tl.program_id(0), batch, kv_head, nodes),
        *(GROUPS, SIZE, WIDTH, NODE_TILE, GROUP_TILE),
    )
    dim = tl.arange(0, WIDTH)
    key_at += batch * key_batch + kv_head * key_head
    value_at += batch * value_batch + kv_head * value_head

    first, start = tl.load(since_at + batch), tl.load(starts_at + batch)
    total = listed + (start - first).to(tl.int32) + nodes
    span = tl.cdiv(total, PARTS * BLOCK) * BLOCK
    best = tl.full([NODE_TILE * GROUP_TILE], float("-inf"), tl.float32)
    mass = tl.zeros([NODE_TILE * GROUP_TILE], tl.float32)
    out = tl.zeros([NODE_TILE * GROUP_TILE, WIDTH], tl.float32)
    for begin in range(part * span, tl.minimum((part + 1) * span, total), BLOCK):
        item = begin + tl.arange(0, BLOCK)
        row = first + item - listed
        if rows_at is not None:
            row = tl.where(item < listed, tl.load(rows_at + batch * listed + item, item < listed, 0), row)
        there = (item < total) & (row >= 0)
        key = tl.load(
            key_at + row[None, :] * key_row + dim[:, None], mask=there[None, :] & (dim < SIZE)[:, None], other=0.0
        )
        score = dot(query, key) * scaling
        score = tl.where(there[None, :] & real[:, None], score, float("-inf"))
        if own_at is not None:
            listing = there[None, :] & real[:, None] & (item < listed)[None, :]
            cell = own_at + (batch * nodes + node[:, None]) * listed + item[None, :]
            score = tl.where(tl.load(cell, mask=listing, other=1) != 0, score, float("-inf"))
        if tree_at is not None:  # noqa: SIM102 (decided at compile time; the other condition is not)
            if begin + BLOCK > total - nodes:
                other = (row - start)[None, :]
                new = there[None, :] & real[:, None] & (other >= 0)
                cell = tree_at + (batch * nodes + node[:, None]) * nodes + other
                score = tl.where(tl.load(cell, mask=new, other=1) != 0, score, float("-inf"))
        higher = tl.maximum(best, tl.max(score, 1))
        shift = tl.where(higher == float("-inf"), 0.0, higher)  # nothing read yet
        weight = tl.exp(score - shift[:, None])
        faded = tl.exp(best - shift)
        best = higher
        mass = mass * faded + tl.sum(weight, 1)
        value = tl.load(
            value_at + row[:, None] * value_row + dim[None, :], mask=there[:, None] & (dim < SIZE)[None, :], other=0.0
        )
        out = out * faded[:, None] + dot(weight.to(value.dtype), value)

    line = ((batch * kv_heads * GROUPS + head) * nodes + node) * PARTS + part
    mass = tl.where(mass == 0.0, 1.0, mass)  # nothing was read: zeros, of mass exp(-inf)
    out = out / mass[:, None]
    tl.store(partial_at + line[:, None] * SIZE + dim[None, :], out, mask=real[:, None] & (dim < SIZE)[None, :])
    tl.store(masses_at + line, best + tl.log(mass), mask=real)


@jit
def combine(
    partial_at, masses_at, out_at, mass_at, heads, nodes, SIZE: tl.constexpr, WIDTH: tl.constexpr, PARTS: tl.constexpr
):
    """Program (batch row, head, node): the mean of the parts, each weighed by its mass."""
    line = tl.program_id(0).to(tl.int64)
    part, dim = tl.arange(0, PARTS), tl.arange(0, WIDTH)
    masses = tl.load(masses_at + line * PARTS + part)
    best = tl.max(masses, 0)
    share = tl.exp(masses - best)
    total = tl.sum(share, 0)
    cells = partial_at + (line * PARTS + part[:, None]) * SIZE + dim[None, :]
    partial = tl.load(cells, mask=(dim < SIZE)[None, :], other=0.0)
    out = tl.sum(partial * share[:, None], 0) / total
    tl.store(mass_at + line, best + tl.log(total))
    node, head = line % nodes, line // nodes % heads
    row = ((line // nodes // heads) * nodes + node) * heads + head
    tl.store(out_at + row * SIZE + dim, out, mask=dim < SIZE)
