"""Statistics of the attention of a prompt's last queries, for every key (VL-Cache), in two small passes.

1. Each row's maximum and sum of exponentials. 2. With these, each column's sum of weights and number of entries below
the threshold, for every KV head. The matrix `[B, H, T, S]` is never written.
"""

from __future__ import annotations

import torch
from torch import Tensor

from docparse.kernels.launch import dot, jit, query_tile, splits, strided, tiling, tl, use_triton


def prompt_statistics(
    query: Tensor, key: Tensor, starts: Tensor, scaling: float, threshold: float = 0.01
) -> tuple[Tensor, Tensor]:
    """Scores `[B, S]` and sparsity `[B]`, float32, of `query [B, H, T, D]` over `key [B, KV, S, D]`.

    Query t of batch row b stands at position `starts[b] + t` (`starts [B]`, int32 or int64) and sees the keys up to
    itself, which must all be there. A key's score is the sum over the queries of the attention it gets, mean over the
    heads; sparsity, VL-Cache's gamma, is the share of visible entries below `threshold` times the largest weight of
    their row. Inputs may be float32, float16 or bfloat16.
    Raises `ValueError` where shapes disagree.
    """
    batch, heads, _, size = query.shape
    if key.shape[0] != batch or heads % key.shape[1] or key.shape[3] != size or starts.shape != (batch,):
        shapes = f"key {list(key.shape)}, starts {list(starts.shape)}"
        raise ValueError(f"statistics of query {list(query.shape)} do not go with {shapes}")
    return (fused if use_triton(query) else reference)(query, key, starts, scaling, threshold)


def reference(
    query: Tensor, key: Tensor, starts: Tensor, scaling: float, threshold: float = 0.01
) -> tuple[Tensor, Tensor]:
    """The same in torch, one KV head at a time to hold `[B, H / KV, T, S]` only."""
    batch, heads, count, _ = query.shape
    columns = torch.arange(key.shape[2], device=key.device)
    seen = columns <= (starts[:, None] + torch.arange(count, device=key.device))[:, :, None]
    score, below = query.new_zeros(batch, key.shape[2], dtype=torch.float32), starts.new_zeros(batch)
    for kv_head, group in enumerate(query.chunk(key.shape[1], dim=1)):
        logits = group.float() @ key[:, kv_head, None].float().mT * scaling
        logits = logits.masked_fill(~seen[:, None], -torch.inf)
        weight = (logits - logits.amax(-1, keepdim=True)).exp()
        below += ((weight < threshold) & seen[:, None]).sum((1, 2, 3))
        score += (weight / weight.sum(-1, keepdim=True)).sum((1, 2))
    return score / heads, _share(below, starts, count, heads)


def _share(below: Tensor, starts: Tensor, count: int, heads: int) -> Tensor:
    """Of the entries that the causal mask leaves."""
    visible = heads * (starts * count + count * (count + 1) // 2)
    return below.float() / visible.float()


def fused(
    query: Tensor, key: Tensor, starts: Tensor, scaling: float, threshold: float = 0.01, parts: int = 0
) -> tuple[Tensor, Tensor]:
    """The same in Triton; `parts` programs, a power of two, share the columns of the first pass (0: as many as fill
    the device)."""
    batch, heads, count, _ = query.shape
    kv_heads, columns = key.shape[1], key.shape[2]
    tile, options = tiling(query, key)
    grid = (-(-count // tile.nodes), batch * kv_heads)
    parts = parts or splits(grid[0] * grid[1], columns, query.device)
    best = query.new_empty(batch, heads, count, parts, dtype=torch.float32)
    normaliser = torch.empty_like(best)
    sums = query.new_empty(batch, kv_heads, columns, dtype=torch.float32)
    counts = query.new_empty(batch, kv_heads, columns, dtype=torch.int32)
    inputs = (strided(query), strided(key), starts.contiguous(), count, columns, kv_heads, scaling, best, normaliser)
    row_sums[(*grid, parts)](inputs, PARTS=parts, **tile.constants, **options)
    grid = (-(-columns // tile.block), batch * kv_heads)
    column_sums[grid](inputs, sums, counts, threshold, PARTS=parts, **tile.constants, **options)
    return sums.sum(1) / heads, _share(counts.sum((1, 2)), starts, count, heads)


@jit
def row_sums(
    inputs, PARTS: tl.constexpr, GROUPS: tl.constexpr, SIZE: tl.constexpr, WIDTH: tl.constexpr,
    NODES: tl.constexpr, HEADS: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    """Program (tile, batch row and KV head, part): each query's maximum and normaliser over one part of the columns."""
    query, key, starts_ptr, count, columns, kv_heads, scaling, best_ptr, normaliser_ptr = inputs
    batch, kv_head = (tl.program_id(1) // kv_heads).to(tl.int64), tl.program_id(1) % kv_heads
    part, dim = tl.program_id(2), tl.arange(0, WIDTH)
    query, node, head, real = query_tile(
        query, tl.program_id(0), batch, kv_head, count, GROUPS, SIZE, WIDTH, NODES, HEADS
    )
    key_ptr, key_batch, key_head, key_row = key
    key_ptr += batch * key_batch + kv_head * key_head
    last = tl.load(starts_ptr + batch) + node
    best = tl.full([NODES * HEADS], float("-inf"), tl.float32)
    normaliser = tl.zeros([NODES * HEADS], tl.float32)
    span = tl.cdiv(columns, PARTS * BLOCK) * BLOCK
    for begin in range(part * span, tl.minimum((part + 1) * span, columns), BLOCK):
        column = begin + tl.arange(0, BLOCK)
        there = (column < columns)[None, :] & (dim < SIZE)[:, None]
        keys = tl.load(key_ptr + column[None, :] * key_row + dim[:, None], mask=there, other=0.0)
        seen = (column[None, :] <= last[:, None]) & (column < columns)[None, :]
        score = tl.where(seen, dot(query, keys) * scaling, float("-inf"))
        higher = tl.maximum(best, tl.max(score, 1))
        shift = tl.where(higher == float("-inf"), 0.0, higher)  # nothing seen yet
        normaliser = normaliser * tl.exp(best - shift) + tl.sum(tl.exp(score - shift[:, None]), 1)
        best = higher
    line = ((batch * kv_heads * GROUPS + head) * count + node) * PARTS + part
    tl.store(best_ptr + line, best, mask=real)
    tl.store(normaliser_ptr + line, normaliser, mask=real)


@jit
def column_sums(
    inputs, sums_ptr, counts_ptr, threshold,
    PARTS: tl.constexpr, GROUPS: tl.constexpr, SIZE: tl.constexpr, WIDTH: tl.constexpr,
    NODES: tl.constexpr, HEADS: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    """Program (columns, batch row and KV head): sums and counts over all the queries, one tile after the other."""
    query, key, starts_ptr, count, columns, kv_heads, scaling, best_ptr, normaliser_ptr = inputs
    batch, kv_head = (tl.program_id(1) // kv_heads).to(tl.int64), tl.program_id(1) % kv_heads
    dim, part = tl.arange(0, WIDTH), tl.arange(0, PARTS)
    column = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    there = (column < columns)[None, :] & (dim < SIZE)[:, None]
    key_ptr, key_batch, key_head, key_row = key
    key_ptr += batch * key_batch + kv_head * key_head
    keys = tl.load(key_ptr + column[None, :] * key_row + dim[:, None], mask=there, other=0.0)
    start = tl.load(starts_ptr + batch)
    sums = tl.zeros([BLOCK], tl.float32)
    counts = tl.zeros([BLOCK], tl.int32)
    for place in range(tl.cdiv(count, NODES)):
        queries, node, head, real = query_tile(query, place, batch, kv_head, count, GROUPS, SIZE, WIDTH, NODES, HEADS)
        cell = (((batch * kv_heads * GROUPS + head) * count + node) * PARTS)[:, None] + part[None, :]
        bests = tl.load(best_ptr + cell, mask=real[:, None], other=0.0)
        normalisers = tl.load(normaliser_ptr + cell, mask=real[:, None], other=1.0)
        best = tl.max(bests, 1)
        normaliser = tl.sum(normalisers * tl.exp(bests - best[:, None]), 1)
        seen = real[:, None] & (column[None, :] <= (start + node)[:, None])
        weight = tl.where(seen, tl.exp(dot(queries, keys) * scaling - best[:, None]), 0.0)
        sums += tl.sum(weight / normaliser[:, None], 0)
        counts += tl.sum((seen & (weight < threshold)).to(tl.int32), 0)
    out = (batch * kv_heads + kv_head) * columns + column
    tl.store(sums_ptr + out, sums, mask=column < columns)
    tl.store(counts_ptr + out, counts, mask=column < columns)
