"""How the trees of a pass lie in memory: side by side, padded, in one upload; or on a CPU as they are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate

import numpy as np
import torch
from torch import Tensor

from docparse.engine.tree import Tree


class Layout:
    """What a pass feeds, on the device: token ids `tokens [B, N]` of B rows of N nodes, `positions [A, B, N]`, and
    `starts [L, B]`, where each layer's new positions begin. `own` says where among all nodes each row's are.

    `tree [B, N, N]`: which node reads which (None: one node a row, which reads what is committed). `counts`: where the
    nodes of all rows stand in one row of a layout, how many are each row's.
    """

    tokens: Tensor
    positions: Tensor
    starts: Tensor
    own: Sequence[slice]
    tree: Tensor | None = None
    counts: Sequence[int] | None = None


class Packet(Layout):
    """Trees side by side, padded to N nodes, in memory that passes of this size share.

    Everything that differs between passes is here: a captured pass reads this memory again, and whatever else it read
    must still be there. The host writes into memory of its own, on a GPU pinned; on a CPU the two are the same.
    """

    def __init__(self, axes: int, rows: int, nodes: int, layers: int, device: torch.device) -> None:
        self.nodes = nodes
        self._sizes = (1 + axes, rows, nodes), (layers, rows), (rows, nodes, nodes)
        size = 8 * ((1 + axes) * rows * nodes + layers * rows) + rows * nodes * nodes
        self.host = torch.zeros(size, dtype=torch.uint8, pin_memory=device.type == "cuda")
        self.device = self.host if device.type == "cpu" else torch.zeros(size, dtype=torch.uint8, device=device)
        self._written = [part.numpy() for part in self._parts(self.host)]
        ids, self.starts, tree = self._parts(self.device)
        self.tokens, self.positions = ids[0], ids[1:]
        self.tree = tree if nodes > 1 else None

    def write(self, trees: Sequence[Tree], next_positions: np.ndarray, lengths: np.ndarray) -> None:
        """Send trees whose roots stand at `next_positions [A, B]`, and the cache's `lengths [L, B]`.

        Padding repeats token 0 at the root's position and reads itself, so that no query is without a key.
        """
        ids, starts, masks = self._written
        self.own = [slice(row * self.nodes, row * self.nodes + len(tree)) for row, tree in enumerate(trees)]
        ids[0], ids[1:], starts[:] = 0, next_positions[:, :, None], lengths
        for row, tree in enumerate(trees):
            ids[0, row, : len(tree)] = tree.tokens
            if self.tree is not None:
                ids[1:, row, : len(tree)] += np.asarray(tree.depths)
                masks[row] = np.eye(self.nodes, dtype=bool)
                masks[row, : len(tree), : len(tree)] = tree.ancestors()
        if self.device is not self.host:
            self.device.copy_(self.host, non_blocking=True)

    def _parts(self, memory: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Tokens and positions `[1 + A, B, N]`, starts `[L, B]`, tree."""
        ids, starts, masks = self._sizes
        first, second, third = memory.split((8 * math.prod(ids), 8 * math.prod(starts), math.prod(masks)))
        return (
            first.view(torch.int64).view(ids),
            second.view(torch.int64).view(starts),
            third.view(torch.bool).view(masks),
        )


class Packed(Layout):
    """Trees as they are: side by side where they are as large, else one after the other, so that nothing is computed of
    what would pad them.

    For a CPU. On a GPU a pass takes as long as its largest tree, and its memory must be the same every time.
    """

    def __init__(self, trees: Sequence[Tree], next_positions: np.ndarray, lengths: np.ndarray) -> None:
        sizes = list(map(len, trees))
        alike = min(sizes) == max(sizes)
        shape = (len(trees), sizes[0]) if alike else (1, sum(sizes))
        self.counts = None if alike else sizes
        self.own = [slice(end - size, end) for size, end in zip(sizes, accumulate(sizes), strict=True)]
        self.tokens = torch.tensor([token for tree in trees for token in tree.tokens]).view(shape)
        depths = [np.asarray(tree.depths) + next_positions[:, [row]] for row, tree in enumerate(trees)]
        self.positions = torch.from_numpy(np.concatenate(depths, axis=1)).view(-1, *shape)
        self.starts = torch.from_numpy(lengths.copy())
