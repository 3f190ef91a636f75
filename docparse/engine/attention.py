"""Scaled dot-product attention of new tokens over keys and values, and the mask of trees of them."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

from docparse.engine.cache import Placement


def tree_mask(at: Placement, ancestors: Tensor | None, count: int, like: Tensor) -> Tensor | None:
    """The mask `[B, 1, N, S]` of a placement, in the type and on the device of `like`."""
    if ancestors is None and at.slots is None:
        return None
    rows = len(at.lengths)
    if ancestors is None:
        ancestors = torch.ones(rows, 1, 1, dtype=torch.bool, device=like.device)
    tree = like.new_zeros(ancestors.shape).masked_fill_(~ancestors, -torch.inf)
    if at.slots is None:
        mask = like.new_zeros(rows, count, at.end)
        mask[:, :, at.lengths[0] :] = tree
        return mask[:, None]
    past = torch.arange(at.end, device=like.device) < at.slots[:, :1]
    mask = like.new_full((rows, at.end), -torch.inf).masked_fill_(past, 0.0)[:, None].repeat(1, count, 1)
    mask.scatter_(2, at.slots[:, None].expand(rows, count, count), tree)
    return mask[:, None]


def attention(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None, scale: float, *, causal: bool = False
) -> Tensor:
    """`[B, H, N, D]` of queries of that shape over keys and values `[B, KV, S, D]`.

    Of a single query the heads that share keys are queries themselves, which is free. Of several, fused kernels take
    grouped heads on a CPU, and elsewhere in half precision; for the others keys are repeated, because all the scores of
    a page at once would be larger by far.
    """
    groups = query.shape[1] // key.shape[1]
    if query.shape[2] == 1:
        folded = query.reshape(len(query), key.shape[1], groups, -1)
        return scaled_dot_product_attention(folded, key, value, attn_mask=mask, scale=scale).view(query.shape)
    if groups > 1 and not key.is_cpu and key.dtype not in (torch.float16, torch.bfloat16):
        key, value = key.repeat_interleave(groups, 1), value.repeat_interleave(groups, 1)
        groups = 1
    return scaled_dot_product_attention(
        query, key, value, attn_mask=mask, is_causal=causal, scale=scale, enable_gqa=groups > 1
    )
