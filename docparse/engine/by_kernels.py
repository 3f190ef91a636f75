"""The attention of a decode pass by the package's kernels, where they run: chosen rows are read where they lie instead
of being gathered, and no weights are written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from docparse.engine.cache import Placement
from docparse.kernels.decode_attention import decode_attention
from docparse.kernels.focal_attention import focal_attention
from docparse.kernels.launch import use_triton
from docparse.kernels.reads import Reads

DTYPES = (torch.float32, torch.float16, torch.bfloat16)


def suits(query: Tensor) -> bool:
    """Whether Triton's kernels compute attention of these queries."""
    return query.dtype in DTYPES and use_triton(query)


class Listing(NamedTuple):
    """Rows `[R]` of the cache that are read (-1: none), and `since`, the first of those that all nodes read beside
    them; `own [N, R]` says which of the rows each node reads, None: every node all of them."""

    rows: Tensor
    since: int
    own: Tensor | None = None


class KernelPass:
    """One pass; `ancestors [B, N, N]` is each row's tree mask, None for a pass of one token per row."""

    def __init__(self, ancestors: Tensor | None) -> None:
        self._ancestors = ancestors
        self._starts: dict[int, Tensor] = {}  # by placement, which layers share

    def attend(
        self,
        at: Placement,
        listed: Sequence[Listing | None],
        shown: Sequence[Tensor | None],
        states: tuple[Tensor, Tensor, Tensor],
        scale: float,
    ) -> tuple[Tensor, list[Tensor | None]]:
        """Attention `[B, H, N, D]` of queries of that shape, keys and values `[B, KV, S, D]`; what was asked to be shown.

        `listed[b]` is what row b reads; None: everything. `shown[b]` are rows `[V]` whose share of the attention
        `[N, V]`, averaged over heads, is wanted. A batch of which some rows list and some show is computed row by row:
        every one of the two operations is for one of the two.
        """
        starts = self._starts.get(id(at))
        if starts is None:
            starts = torch.tensor(at.lengths, device=states[0].device)
            self._starts[id(at)] = starts
        batch = len(at.lengths)
        mixed = any(each is not None for each in listed) and any(each is not None for each in shown)
        parts = [slice(row, row + 1) for row in range(batch)] if mixed else [slice(0, batch)]
        outs, shares = [], []
        for part in parts:
            tree = None if self._ancestors is None else self._ancestors[part]
            reads = _reads(listed[part], starts[part], tree)
            query, key, value = (each[part] for each in states)
            out, share = _attend((query, key, value), reads, shown[part], scale)
            outs.append(out)
            shares += share
        return torch.cat(outs), shares


def _attend(
    states: tuple[Tensor, Tensor, Tensor], reads: Reads, shown: Sequence[Tensor | None], scale: float
) -> tuple[Tensor, list[Tensor | None]]:
    if all(each is None for each in shown):
        return decode_attention(*states, reads, scale), [None] * len(shown)
    none = reads.starts.new_empty(0)
    out, shares = focal_attention(*states, reads, padded([none if each is None else each for each in shown]), scale)
    return out, [None if each is None else share[:, : len(each)] for each, share in zip(shown, shares, strict=True)]


def _reads(listed: Sequence[Listing | None], starts: Tensor, tree: Tensor | None) -> Reads:
    """What batch rows read whose new tokens begin at `starts [B]`."""
    since = torch.tensor([0 if each is None else each.since for each in listed], device=starts.device)
    if all(each is None for each in listed):
        return Reads(None, since, starts, tree)
    rows = padded([since.new_empty(0) if each is None else each.rows for each in listed])
    if tree is None or all(each is None or each.own is None for each in listed):
        return Reads(rows, since, starts, tree)
    own = tree.new_ones(*tree.shape[:2], rows.shape[1])
    for row, each in enumerate(listed):
        if each is not None and each.own is not None:
            own[row, :, : len(each.rows)] = each.own
    return Reads(rows, since, starts, tree, own)


def padded(rows: Sequence[Tensor]) -> Tensor:
    """Indices of different numbers side by side, -1 after the shorter ones: `[B, most]`."""
    return torch.nn.utils.rnn.pad_sequence(list(rows), batch_first=True, padding_value=-1)
