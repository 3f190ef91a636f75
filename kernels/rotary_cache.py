"""Between a layer's fused projection and its attention: head norms, rotary embedding, and the write to the cache."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from docparse.kernels.launch import OPTIONS, jit, power, strided, tl, use_triton
from docparse.kernels.rms_norm import RmsNorm

HEADS = 4  # of one program


class Layout(NamedTuple):
    """What is constant in a model: its heads, of `size` numbers in tiles of `width`, and how they are turned."""

    heads: int
    kv_heads: int
    size: int
    width: int
    pairs: bool
    after: bool


class HeadNorms(RmsNorm):
    """RMS norms of query and key heads: `weight [H + KV, D]`, the queries' H times, then the keys'; `after` the
    rotation (HunYuan) or before it (Qwen3)."""

    def __init__(self, weight: Tensor, eps: float, after: bool = False) -> None:
        super().__init__(weight, eps)
        self.after = after


def rotate_and_store(
    qkv: Tensor,
    cos: Tensor,
    sin: Tensor,
    slab: Tensor,
    starts: Tensor,
    norms: HeadNorms | None = None,
    pairs: bool = False,
) -> Tensor:
    """Rotated queries `[B, H, N, D]` (a view of memory with nodes before heads); keys and values go to the cache.

    `qkv [B, N, (H + 2 * KV) * D]`, contiguous, is used up: its memory may become the answer's. `cos`, `sin [B, N, D]`
    are laid out as the model's module returns them, `sin` negative where the partner is subtracted; number i is rotated
    with its partner, half a head away or, in `pairs`, next to it (GLM). The reference rotates in the type of `cos`:
    HunYuan's in float32.
    `slab [2, B, KV, S, D]`, a view with a contiguous last axis, takes the keys and values of node n of row b at
    position `starts[b] + n` (`starts [B]`, int32 or int64). Triton writes nothing outside the slab.
    Raises `ValueError` where Triton gets shapes that disagree.
    """
    return (fused if use_triton(qkv) else reference)(qkv, cos, sin, slab, starts, norms, pairs)


class Heads:
    """What a layer projects, `qkv [B, N, (H + 2 * KV) * D]`, and its parts: `states` of tokens, `query [B, H, N, D]`,
    and `new` keys and values `[2, B, KV, N, D]`. All layers write the same memory, so that these views are taken
    once."""

    def __init__(self, qkv: Tensor, cos: Tensor, sin: Tensor, kv_heads: int, pairs: bool) -> None:
        self.qkv, self.cos, self.sin, self.pairs = qkv, cos, sin, pairs
        self.states = qkv.flatten(0, 1)
        every = qkv.view(*cos.shape[:2], -1, cos.shape[2])
        self.query = every[:, :, : -2 * kv_heads].transpose(1, 2)
        self.new = every[:, :, -2 * kv_heads :].unflatten(2, (2, -1)).permute(2, 0, 3, 1, 4)
        self._turned = every[:, :, :-kv_heads]  # queries and keys
        parts, self._partner = ((-1, 2), -1) if pairs else ((2, -1), -2)  # a number and its partner lie along this axis
        self._halves, self._cos, self._sin = (
            each.unflatten(-1, parts) for each in (self._turned, cos.unsqueeze(2), sin.unsqueeze(2))
        )

    def rotate(self, norms: HeadNorms | None) -> None:
        """Norm and rotate queries and keys in place, as the modules do."""
        if norms is not None and not norms.after:
            norms.reference(self._turned, out=self._turned)
        given = self._halves.to(self._cos.dtype)
        # Two products and a sum: addcmul rounds once less than the modules.
        torch.add(given * self._cos, given.flip(self._partner) * self._sin, out=self._halves)
        if norms is not None and norms.after:
            norms.reference(self._turned, out=self._turned)


def reference(
    qkv: Tensor, cos: Tensor, sin: Tensor, slab: Tensor, starts: Tensor, norms: HeadNorms | None, pairs: bool
) -> Tensor:
    """The same in torch, in place; bit for bit what the modules return, but for norms in float32 on a CPU."""
    heads = Heads(qkv, cos, sin, slab.shape[2], pairs)
    heads.rotate(norms)
    for row, start in enumerate(starts.tolist()):
        slab[:, row].narrow(2, start, cos.shape[1]).copy_(heads.new[:, row])
    return heads.query


def fused(
    qkv: Tensor, cos: Tensor, sin: Tensor, slab: Tensor, starts: Tensor, norms: HeadNorms | None, pairs: bool
) -> Tensor:
    """The same in Triton, in float32 and one launch."""
    batch, nodes, _ = qkv.shape
    kv_heads, capacity, size = slab.shape[2:]
    heads = qkv.shape[2] // size - 2 * kv_heads
    fits = (
        slab.shape[1] == batch
        and heads > 0
        and (heads + 2 * kv_heads) * size == qkv.shape[2]
        and cos.shape == sin.shape == (batch, nodes, size)
        and starts.shape == (batch,)
        and (norms is None or norms.weight.shape == (heads + kv_heads, size))
    )
    if not fits:
        shapes = ", ".join(
            str(list(each.shape)) for each in (cos, sin, slab, starts, *([norms.weight] if norms else ()))
        )
        raise ValueError(f"projections {list(qkv.shape)} do not go with {shapes}")
    query = qkv.new_empty(batch, nodes, heads, size)
    weight, eps, after = (None, 0.0, False) if norms is None else (norms.weight, norms.eps, norms.after)
    tensors = (qkv.contiguous(), cos.contiguous(), sin.contiguous(), weight, starts.contiguous(), query)
    layout = Layout(heads, kv_heads, size, power(size), pairs, after)
    grid = (batch * nodes, -(-(heads + 2 * kv_heads) // HEADS))
    turn[grid](tensors, strided(slab), nodes, capacity, eps, LAYOUT=layout, HEADS=HEADS, **OPTIONS)
    return query.transpose(1, 2)


@jit
def turn(tensors, slab, nodes, capacity, eps, LAYOUT: tl.constexpr, HEADS: tl.constexpr):
    """Program (token, heads of queries, keys or values): what belongs to each kind of head."""
    qkv_ptr, cos_ptr, sin_ptr, weight_ptr, starts_ptr, query_ptr = tensors
    size: tl.constexpr = LAYOUT.size
    token = tl.program_id(0).to(tl.int64)
    batch, node = token // nodes, token % nodes
    head = (tl.program_id(1) * HEADS + tl.arange(0, HEADS))[:, None]
    dim = tl.arange(0, LAYOUT.width)[None, :]
    partner = (dim ^ 1) if LAYOUT.pairs else (dim + size // 2) % size
    here = (head < LAYOUT.heads + 2 * LAYOUT.kv_heads) & (dim < size)
    line = qkv_ptr + (token * (LAYOUT.heads + 2 * LAYOUT.kv_heads) + head) * size
    given = tl.load(line + dim, mask=here, other=0.0)
    x, y = given.to(tl.float32), tl.load(line + partner, mask=here, other=0.0).to(tl.float32)
    cos = tl.load(cos_ptr + token * size + dim, mask=dim < size, other=0.0).to(tl.float32)
    sin = tl.load(sin_ptr + token * size + dim, mask=dim < size, other=0.0).to(tl.float32)
    rotates = here & (head < LAYOUT.heads + LAYOUT.kv_heads)
    if weight_ptr is not None:
        weight = tl.load(weight_ptr + head * size + dim, mask=rotates, other=0.0).to(tl.float32)
        if not LAYOUT.after:
            scale = tl.rsqrt(tl.sum(x * x, 1) / size + eps)[:, None]
            y *= scale * tl.load(weight_ptr + head * size + partner, mask=rotates, other=0.0).to(tl.float32)
            x *= scale * weight
    turned = x * cos + y * sin
    if LAYOUT.after:
        turned *= tl.rsqrt(tl.sum(turned * turned, 1) / size + eps)[:, None] * weight
    turned = turned.to(given.dtype)
    tl.store(query_ptr + (token * LAYOUT.heads + head) * size + dim, turned, mask=here & (head < LAYOUT.heads))
    slab_ptr, half_stride, batch_stride, head_stride, row_stride = slab
    position = tl.zeros([HEADS, 1], tl.int64) + tl.load(starts_ptr + batch) + node
    kept = head - LAYOUT.heads  # keys, then values
    half, kv_head = kept // LAYOUT.kv_heads, kept % LAYOUT.kv_heads
    cell = slab_ptr + half * half_stride + batch * batch_stride + kv_head * head_stride + position * row_stride + dim
    inside = here & (kept >= 0) & (position >= 0) & (position < capacity)
    tl.store(cell, tl.where(rotates, turned, given), mask=inside)
