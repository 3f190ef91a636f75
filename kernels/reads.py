"""What the new tokens of a decode step read of a layer's keys and values.

Listed rows, everything from `since` on, and one another as the tree allows:

    row:   0 ........ since ........ starts, starts + 1, ... starts + N - 1
           `rows` of    all of these           node i reads node j
           these        (generated)            where tree[i, j]

FastOCR lists the prompt's text rows and the visual rows that nodes fixate, each node its `own`. With nothing listed and
`since` 0 it is full attention under the tree's mask.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor


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
