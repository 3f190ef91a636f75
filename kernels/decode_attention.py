"""Decode attention of a tree of new tokens over the rows of the cache that a layer reads (FastOCR with HSD).

Each token reads the listed rows, everything from `since` on, and one another as the tree allows:

    row:   0 ........ since ........ starts, starts + 1, ... starts + N - 1
           `rows` of    all of these           node i reads node j
           these        (generated)            where tree[i, j]

FastOCR lists the prompt's text rows and the visual rows that nodes fixate, each node its `own`. With nothing listed and
`since` 0 it is full attention under the tree's mask.

Two kernels, as in FlashDecoding: softmax attention over parts of the rows, then their combination.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from docparse.kernels.launch import OPTIONS, dot, jit, query_tile, splits, strided, tiling, tl, use_triton


class Reads(NamedTuple):
    """What each new token reads of the slabs, as the module draws it; integers are int32 or int64.

    `rows [B, R]`: positions below `since`, distinct, in any order; -1 is none, so that batch rows may list different
    numbers. None lists nothing. `since [B]`: None is 0. `starts [B]`: node i of batch row b is at `starts[b] + i`.
    `tree [B, N, N]` bool: node i reads node j; every node reads itself. None only for a single node.
    `own [B, N, R]` bool: node i reads the listed row; None: every node reads all of them.
    """

    rows: Tensor | None
    since: Tensor | None
    starts: Tensor
    tree: Tensor | None
    own: Tensor | None = None


def decode_attention(query: Tensor, key: Tensor, value: Tensor, reads: Reads, scaling: float) -> Tensor:
    """Attention `[B, H, N, D]` (a view of `[B, N, H, D]` memory) of `query [B, H, N, D]`; float32, float16 or bfloat16.

    `key`, `value [B, KV, S, D]`: slabs that hold the new tokens already; query head h reads head `h // (H / KV)`.
    Raises `ValueError` where Triton gets shapes that disagree; positions are not checked.
    """
    if use_triton(query):
        return fused(query, key, value, reads, scaling)[0]
    return reference(query, key, value, reads, scaling)


def reference(query: Tensor, key: Tensor, value: Tensor, reads: Reads, scaling: float) -> Tensor:
    """The same in torch."""
    weight, at = weights(query, key, reads, scaling)
    out = (weight.to(value.dtype) @ gathered(value, at)).view(query.shape)
    return out.transpose(1, 2).contiguous().transpose(1, 2)


def weights(query: Tensor, key: Tensor, reads: Reads, scaling: float) -> tuple[Tensor, Tensor]:
    """Softmax weights `[B, KV, H / KV * N, L]`, in float32 at least, and the positions that they are of, `[B, L]`."""
    batch, heads, nodes, size = query.shape
    wide = torch.promote_types(query.dtype, torch.float32)
    position = positions(reads, nodes)
    read = readable(reads, position, nodes)[:, None].repeat(1, 1, heads // key.shape[1], 1)
    at = position.clamp(0, key.shape[2] - 1)
    scores = query.reshape(batch, key.shape[1], -1, size).to(wide) @ gathered(key, at).to(wide).mT * scaling
    return scores.masked_fill(~read, -torch.inf).softmax(-1), at


def gathered(slab: Tensor, position: Tensor) -> Tensor:
    """Rows `[B, KV, L, D]` of a slab at positions `[B, L]`."""
    return torch.stack([part.index_select(1, at) for part, at in zip(slab, position, strict=True)])


def fused(
    query: Tensor, key: Tensor, value: Tensor, reads: Reads, scaling: float, parts: int = 0
) -> tuple[Tensor, Tensor]:
    """The same in Triton, and each query's log of the sum of exponentials `[B, H, N]` (float32). `parts` is the number
    of programs that share one tile's rows, a power of two; 0: as many as fill the device."""
    check(query, key, value, reads)
    batch, heads, nodes, size = query.shape
    listed = 0 if reads.rows is None else reads.rows.shape[1]
    tile, options = tiling(query, key)
    grid = (-(-nodes // tile.nodes), batch * key.shape[1])
    parts = parts or splits(grid[0] * grid[1], min(2 * listed, key.shape[2]) or key.shape[2], query.device)
    partial = query.new_empty(batch, heads, nodes, parts, size, dtype=torch.float32)
    part_lse = query.new_empty(batch, heads, nodes, parts, dtype=torch.float32)
    tensors = (strided(query), strided(key), strided(value), _contiguous(reads), (partial, part_lse))
    attend[(*grid, parts)](*tensors, listed, nodes, key.shape[1], scaling, PARTS=parts, **tile.constants, **options)
    out = query.new_empty(batch, nodes, heads, size)
    lse = query.new_empty(batch, heads, nodes, dtype=torch.float32)
    options = {"SIZE": size, "WIDTH": tile.width, "PARTS": parts} | OPTIONS
    combine[(batch * heads * nodes,)](partial, part_lse, out, lse, heads, nodes, **options)
    return out.transpose(1, 2), lse


def _contiguous(reads: Reads) -> tuple[Tensor | None, ...]:
    """As the kernel takes them, masks as bytes."""
    flat = (None if each is None else each.contiguous() for each in reads)
    return tuple(each.view(torch.uint8) if each is not None and each.dtype == torch.bool else each for each in flat)


def check(query: Tensor, key: Tensor, value: Tensor, reads: Reads) -> None:
    """Raise `ValueError` where shapes disagree: a kernel would read what is not there."""
    rows, since, starts, tree, own = reads
    batch, heads, nodes, size = query.shape
    fits = (
        key.shape == value.shape
        and key.shape[0] == batch
        and heads % key.shape[1] == 0
        and key.shape[3] == size
        and starts.shape == (batch,)
        and (since is None or since.shape == (batch,))
        and (rows is None or (rows.dim() == 2 and len(rows) == batch))
        and (nodes == 1 if tree is None else tree.shape == (batch, nodes, nodes))
        and (own is None or (rows is not None and own.shape == (batch, nodes, rows.shape[1])))
    )
    if not fits:
        others = {"key": key, "value": value, **reads._asdict()}
        shapes = ", ".join(f"{name} {None if each is None else list(each.shape)}" for name, each in others.items())
        raise ValueError(f"decode attention of query {list(query.shape)} does not go with {shapes}")


def positions(reads: Reads, nodes: int) -> Tensor:
    """Positions `[B, L]` among which are all those read: the rows that are listed, and all that may follow `since`."""
    since = torch.zeros_like(reads.starts) if reads.since is None else reads.since
    longest = int((reads.starts - since).max()) + nodes
    tail = since.long()[:, None] + torch.arange(longest, device=reads.starts.device)
    return tail if reads.rows is None else torch.cat((reads.rows.long(), tail), 1)


def readable(reads: Reads, position: Tensor, nodes: int) -> Tensor:
    """Whether each node reads each of `positions`: `[B, N, L]`."""
    node = position - reads.starts.long()[:, None]
    committed = (position >= 0) & (node < 0)
    new = ((node >= 0) & (node < nodes))[:, None].expand(-1, nodes, -1)
    if reads.tree is not None:
        new = new & reads.tree.gather(2, node.clamp(0, nodes - 1)[:, None].expand(-1, nodes, -1))
    read = committed[:, None].repeat(1, nodes, 1)
    if reads.own is not None:
        read[:, :, : reads.own.shape[2]] &= reads.own
    return read | new


@jit
def attend(
    query, key, value, reads, parts, listed, nodes, kv_heads, scaling,
    PARTS: tl.constexpr, GROUPS: tl.constexpr, SIZE: tl.constexpr, WIDTH: tl.constexpr,
    NODES: tl.constexpr, HEADS: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    """Program (tile, batch row and KV head, part): softmax attention over one part of the rows, and its lse."""
    batch, kv_head = (tl.program_id(1) // kv_heads).to(tl.int64), tl.program_id(1) % kv_heads
    part = tl.program_id(2)
    query, node, head, real = query_tile(
        query, tl.program_id(0), batch, kv_head, nodes, GROUPS, SIZE, WIDTH, NODES, HEADS
    )
    dim = tl.arange(0, WIDTH)
    rows_ptr, since_ptr, starts_ptr, tree_ptr, own_ptr = reads
    key_ptr, key_batch, key_head, key_row = key
    value_ptr, value_batch, value_head, value_row = value
    key_ptr += batch * key_batch + kv_head * key_head
    value_ptr += batch * value_batch + kv_head * value_head

    start = tl.load(starts_ptr + batch).to(tl.int32)
    first = 0 if since_ptr is None else tl.load(since_ptr + batch).to(tl.int32)
    total = listed + start - first + nodes
    span = tl.cdiv(total, PARTS * BLOCK) * BLOCK
    best = tl.full([NODES * HEADS], float("-inf"), tl.float32)
    normaliser = tl.zeros([NODES * HEADS], tl.float32)
    out = tl.zeros([NODES * HEADS, WIDTH], tl.float32)
    for begin in range(part * span, tl.minimum((part + 1) * span, total), BLOCK):
        item = begin + tl.arange(0, BLOCK)
        row = first + item - listed
        if rows_ptr is not None:
            row = tl.where(item < listed, tl.load(rows_ptr + batch * listed + item, item < listed, 0).to(tl.int32), row)
        there = (item < total) & (row >= 0)
        keys = key_ptr + row[None, :] * key_row + dim[:, None]
        score = dot(query, tl.load(keys, mask=there[None, :] & (dim < SIZE)[:, None], other=0.0)) * scaling
        score = tl.where(there[None, :] & real[:, None], score, float("-inf"))
        if own_ptr is not None:
            listing = there[None, :] & real[:, None] & (item < listed)[None, :]
            cell = own_ptr + batch * nodes * listed + (node[:, None] * listed + item[None, :])
            score = tl.where(tl.load(cell, mask=listing, other=1) != 0, score, float("-inf"))
        if tree_ptr is not None:  # noqa: SIM102 (decided at compile time; the other condition is not)
            if begin + BLOCK > total - nodes:
                other = (row - start)[None, :]
                new = there[None, :] & real[:, None] & (other >= 0)
                cell = tree_ptr + batch * nodes * nodes + (node[:, None] * nodes + other)
                score = tl.where(tl.load(cell, mask=new, other=1) != 0, score, float("-inf"))
        higher = tl.maximum(best, tl.max(score, 1))
        shift = tl.where(higher == float("-inf"), 0.0, higher)  # nothing read yet
        weight = tl.exp(score - shift[:, None])
        alpha = tl.exp(best - shift)
        best = higher
        normaliser = normaliser * alpha + tl.sum(weight, 1)
        values = value_ptr + row[:, None] * value_row + dim[None, :]
        read = tl.load(values, mask=there[:, None] & (dim < SIZE)[None, :], other=0.0)
        out = out * alpha[:, None] + dot(weight.to(read.dtype), read)

    line = ((batch * kv_heads * GROUPS + head) * nodes + node) * PARTS + part
    normaliser = tl.where(normaliser == 0.0, 1.0, normaliser)  # nothing was read: zeros, with an lse of -inf
    partial_ptr, lse_ptr = parts
    cell = partial_ptr + line[:, None] * SIZE + dim[None, :]
    tl.store(cell, out / normaliser[:, None], mask=real[:, None] & (dim < SIZE)[None, :])
    tl.store(lse_ptr + line, best + tl.log(normaliser), mask=real)


@jit
def combine(
    partial_ptr, part_lse_ptr, out_ptr, lse_ptr, heads, nodes,
    SIZE: tl.constexpr, WIDTH: tl.constexpr, PARTS: tl.constexpr,
):  # fmt: skip
    """Program (batch row, head, node): the mean of the parts, each weighed by the exponential of its lse."""
    line = tl.program_id(0).to(tl.int64)
    part, dim = tl.arange(0, PARTS), tl.arange(0, WIDTH)
    part_lse = tl.load(part_lse_ptr + line * PARTS + part)
    best = tl.max(part_lse, 0)
    share = tl.exp(part_lse - best)
    total = tl.sum(share, 0)
    cells = partial_ptr + (line * PARTS + part[:, None]) * SIZE + dim[None, :]
    partial = tl.load(cells, mask=(dim < SIZE)[None, :], other=0.0)
    out = tl.sum(partial * share[:, None], 0) / total
    tl.store(lse_ptr + line, best + tl.log(total))
    node, head = line % nodes, line // nodes % heads
    row = ((line // nodes // heads) * nodes + node) * heads + head
    tl.store(out_ptr + row * SIZE + dim, out, mask=dim < SIZE)
