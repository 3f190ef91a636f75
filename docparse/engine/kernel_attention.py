"""Attention of a pass by kernels where rows read parts of the cache: chosen rows are read where they lie, and of the
attention only what was asked for is written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from docparse.kernels.decode_attention import decode_attention
from docparse.kernels.focal_attention import focal_attention
from docparse.kernels.reads import Reads


class ListedRows(NamedTuple):
    """Rows `[R]` of the cache that are read (-1: none), and `since [1]`, the first of those that all nodes read beside
    them; `own [N, R]` says which of the rows each node reads, None: every node all of them."""

    rows: Tensor
    since: Tensor
    own: Tensor | None = None


def attend_listed(
    states: tuple[Tensor, Tensor, Tensor], reads: Reads, shown: Sequence[Tensor | None], scale: float
) -> tuple[Tensor, list[Tensor | None]]:
    """Attention `[B, H, N, D]` of queries of that shape, keys and values `[B, KV, S, D]`; what was asked to be shown.

    `shown[b]` are rows `[V]` whose share of the attention `[N, V]`, averaged over heads, is wanted; such a row lists
    nothing. A batch of which some rows list and some show is computed row by row: every one of the two operations is
    for one of the two.
    """
    if reads.rows is None or all(each is None for each in shown):
        return _attend(states, reads, shown, scale)
    outs, shares = [], []
    for row, each in enumerate(shown):
        part = slice(row, row + 1)
        own = Reads(*(None if each is None else each[part] for each in reads))
        own = own if each is None else own._replace(rows=None, own=None)
        out, share = _attend(tuple(each[part] for each in states), own, shown[part], scale)
        outs.append(out)
        shares += share
    return torch.cat(outs), shares


def _attend(
    states: tuple[Tensor, ...], reads: Reads, shown: Sequence[Tensor | None], scale: float
) -> tuple[Tensor, list[Tensor | None]]:
    query, key, value = states
    if all(each is None for each in shown):
        return decode_attention(query, key, value, reads, scale), [None] * len(shown)
    none = reads.starts.new_empty(0)
    visual = padded([none if each is None else each for each in shown])
    out, shares = focal_attention(query, key, value, reads, visual, scale)
    return out, [None if each is None else share[:, : len(each)] for each, share in zip(shown, shares, strict=True)]


def reads_of(listed: Sequence[ListedRows | None], starts: Tensor, tree: Tensor | None) -> Reads:
    """Return what rows read whose new tokens begin at `starts [B]`; `tree [B, N, N]` says which of them reads which,
    None for one a row, and `listed[b]` what row b reads of the cache, None: everything."""
    everything = starts.new_zeros(1)
    if all(each is None for each in listed):
        return Reads(None, everything.expand(len(starts)), starts, tree)
    since = torch.cat([everything if each is None else each.since for each in listed])
    rows = padded([since.new_empty(0) if each is None else each.rows for each in listed])
    if tree is None or all(each is None or each.own is None for each in listed):
        return Reads(rows, since, starts, tree)
    own = tree.new_ones(*tree.shape[:2], rows.shape[1])
    for row, each in enumerate(listed):
        if each is not None and each.own is not None:
            own[row, :, : len(each.rows)] = each.own
    return Reads(rows, since, starts, tree, own)


def padded(rows: Sequence[Tensor]) -> Tensor:
    """Return the indices of different numbers side by side, -1 after the shorter ones: `[B, most]`."""
    return torch.nn.utils.rnn.pad_sequence(list(rows), batch_first=True, padding_value=-1)
