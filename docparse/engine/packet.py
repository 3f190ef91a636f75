"""Everything the host tells the device before a pass, in one piece of memory and one upload."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from docparse.engine.tree import Tree


class Packet:
    """Of a pass over B trees of N nodes at most, on the device: token ids `tokens [B, N]`, `positions [A, B, N]`,
    `starts [L, B]` (where each layer's new rows begin), `since [B]` (zeros: everything before is read) and
    `tree [B, N, N]` (which node reads which; None for one node a row, which reads what is committed).

    Everything that differs between passes is here: a captured pass reads this memory again, and whatever else it read
    must still be there. The host writes into memory of its own, on a GPU pinned; on a CPU the two are the same.
    """

    def __init__(self, axes: int, rows: int, nodes: int, layers: int, device: torch.device) -> None:
        self.nodes = nodes
        self._sizes = (1 + axes, rows, nodes), (layers + 1, rows), (rows, nodes, nodes)
        size = 8 * ((1 + axes) * rows * nodes + (layers + 1) * rows) + rows * nodes * nodes
        self.host = torch.zeros(size, dtype=torch.uint8, pin_memory=device.type == "cuda")
        self.device = self.host if device.type == "cpu" else torch.zeros(size, dtype=torch.uint8, device=device)
        self._written = [part.numpy() for part in self._parts(self.host)]
        ids, starts, tree = self._parts(self.device)
        self.tokens, self.positions = ids[0], ids[1:]
        self.starts, self.since = starts[:-1], starts[-1]
        self.tree = tree if nodes > 1 else None

    def write(self, trees: Sequence[Tree], next_positions: np.ndarray, lengths: np.ndarray) -> None:
        """Send trees whose roots stand at `next_positions [A, B]`, and the cache's `lengths [L, B]`.

        Padding repeats token 0 at the root's position and reads itself, so that no query is without a key.
        """
        ids, starts, masks = self._written
        ids[0] = 0
        ids[1:] = next_positions[:, :, None]
        starts[:-1] = lengths
        masks[:] = np.eye(self.nodes, dtype=bool)
        for row, tree in enumerate(trees):
            ids[0, row, : len(tree)] = tree.tokens
            ids[1:, row, : len(tree)] += np.asarray(tree.depths)
            masks[row, : len(tree), : len(tree)] = tree.ancestors()
        if self.device is not self.host:
            self.device.copy_(self.host, non_blocking=True)

    def _parts(self, memory: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Tokens and positions `[1 + A, B, N]`, starts and since `[L + 1, B]`, tree."""
        ids, starts, masks = self._sizes
        first, second, third = memory.split((8 * math.prod(ids), 8 * math.prod(starts), math.prod(masks)))
        return (
            first.view(torch.int64).view(ids),
            second.view(torch.int64).view(starts),
            third.view(torch.bool).view(masks),
        )
