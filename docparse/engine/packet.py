"""How the trees of a pass lie in memory: side by side, in one upload."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor

from docparse.engine.tree import Tree

if TYPE_CHECKING:
    from docparse.engine.lean import Shared


class Packet:
    """The input of a pass over the trees of R rows, on the device, in memory that passes of its size share: token ids
    `tokens [B, N]`, `positions [A, B, N]`, and `starts [L, R]`, where each layer's new positions begin. All that
    differs between passes is here, as a captured one reads this memory again. The host writes into memory of its own,
    on a GPU pinned; on a CPU the two are the same.

    B is R, and smaller trees are padded to N nodes; or it is 1, and the nodes of all rows stand one after the other.
    `rooms` says how many nodes are laid out for each row, `own` where among all the tree's are, `tree [R, N, N]` (with
    `masks`, of more than one node) which node reads which; in `shared` the lean decoder computes, where it is kept.
    """

    def __init__(
        self, axes: int, layers: int, rows: int, shape: tuple[int, int], device: torch.device, *, masks: bool
    ) -> None:
        self.shape, nodes = shape, shape[1]
        self._sizes = (1 + axes, *shape), (layers, rows), (rows if masks else 0, nodes, nodes)
        ids, starts, tree = map(math.prod, self._sizes)
        size = 8 * (ids + starts) + tree
        self.host = torch.zeros(size, dtype=torch.uint8, pin_memory=device.type == "cuda")
        self.device = self.host if device.type == "cpu" else torch.zeros(size, dtype=torch.uint8, device=device)
        self._ids, self._starts, self._tree = (part.numpy() for part in self._parts(self.host))
        given, self.starts, reads = self._parts(self.device)
        self.tokens, self.positions = given[0], given[1:]
        self.tree = reads if masks and nodes > 1 else None
        self.own: Sequence[slice] = ()
        self.rooms: Sequence[int] = ()
        self.shared: Shared | None = None

    def write(self, trees: Sequence[Tree], next_positions: np.ndarray, lengths: np.ndarray) -> None:
        """Send trees whose roots stand at `next_positions [A, R]`, and the cache's `lengths [L, R]`. Padding repeats
        token 0 at the root's position and reads itself, so that no query is without a key."""
        sizes = [len(tree.tokens) for tree in trees]
        rows, nodes = self.shape
        self.rooms = sizes if rows < len(trees) else [nodes] * rows
        begins = accumulate(self.rooms, initial=0)
        self.own = [slice(begin, begin + size) for begin, size in zip(begins, sizes, strict=False)]
        ids = self._ids.reshape(len(self._ids), -1)
        ids[0], ids[1:], self._starts[:] = 0, next_positions.repeat(self.rooms, axis=1), lengths
        for own, tree in zip(self.own, trees, strict=True):
            ids[0, own] = tree.tokens
            if nodes > 1:
                ids[1:, own] += np.array(tree.depths)
        if self.tree is not None:
            for tree, mask in zip(trees, self._tree, strict=True):
                mask[:] = np.eye(nodes, dtype=bool)
                mask[: len(tree), : len(tree)] = tree.ancestors()
        if self.device is not self.host:
            self.device.copy_(self.host, non_blocking=True)

    def _parts(self, memory: Tensor) -> Sequence[Tensor]:
        """Tokens and positions, starts, tree."""
        ids, starts, _ = (8 * math.prod(size) for size in self._sizes)
        numbers, bits = memory[: ids + starts].view(torch.int64), memory[ids + starts :].view(torch.bool)
        parts = numbers[: ids // 8], numbers[ids // 8 :], bits
        return [part.view(size) for part, size in zip(parts, self._sizes, strict=True)]
