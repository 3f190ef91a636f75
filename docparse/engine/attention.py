"""Scaled dot-product attention of new tokens over keys and values, and the mask of trees of them."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

from docparse.engine.cache import Placement


def out_of_window(window: int, written: int, depths: Sequence[int]) -> Tensor | None:
    """Return which of a row's last `written` tokens and of its N nodes each node is too far from to read, bool
    `[N, written + N]`: it reads the `window` last on its own path, itself among them. None where it is none of them.

    Ancestors count by their depths, so a node reads in a tree just what its token reads in plain decoding; nodes on
    other paths are the tree's own matter.
    """
    if written + max(depths) < window:
        return None
    nodes = written + torch.tensor(depths)
    places = torch.cat([torch.arange(written), nodes])
    return nodes[:, None] - places >= window


def tree_mask(at: Placement, tree: Tensor | None, like: Tensor, far: Sequence[Tensor | None] = ()) -> Tensor | None:
    """Return what is added to scores `[B, 1, N, S]` so that nodes read what is committed and, of one another, their
    ancestors.

    `tree [B, N, N]` says which node reads which, None for one token a row; `far` holds for each row what is out of the
    model's window, if it has one. None where every node reads all there is.
    """
    rows, first = len(at.lengths), at.lengths[0]
    alike = all(length == first for length in at.lengths)
    if tree is None and alike and all(each is None for each in far):
        return None
    if tree is None:
        tree = torch.ones(rows, 1, 1, dtype=torch.bool, device=like.device)
    count = tree.shape[1]
    among = like.new_zeros(tree.shape).masked_fill_(~tree, -torch.inf)
    if alike:
        mask = like.new_zeros(rows, count, at.end)
        mask[:, :, first:] = among
    else:
        mask = like.new_full((rows, count, at.end), -torch.inf)
        for row, length in enumerate(at.lengths):
            mask[row, :, :length] = 0.0
            mask[row, :, length : length + count] = among[row]
    for row, hidden in enumerate(far):
        if hidden is not None:
            hide(mask[row], at.lengths[row], hidden)
    return mask[:, None]


def hide(mask: Tensor, length: int, hidden: Tensor) -> None:
    """Hide from the first nodes of a row `[N, S]`, which has `length` committed positions, what is out of a window."""
    nodes, reach = hidden.shape
    mask[:nodes, length + nodes - reach : length + nodes].masked_fill_(hidden.to(mask.device), -torch.inf)


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
