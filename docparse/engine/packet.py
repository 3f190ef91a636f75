"""Everything the host tells the device before a pass, in one piece of memory and one upload."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from docparse.engine.tree import Tree


@dataclass(frozen=True, eq=False)
class Packet:
    """Of a pass over B trees of N nodes at most, on the device: token ids `tokens [B, N]`, `positions [A, B, N]`,
    `starts [L, B]` (where each layer's new rows begin), `since [B]` (zeros: everything before is read) and
    `tree [B, N, N]` (which node reads which).

    Everything that differs between passes is here: a captured pass reads this memory again, and whatever else it read
    must still be there.

    `host` is where the next pass is written, on a GPU pinned, `device` what is read; on a CPU they are the same.
    """

    host: Tensor
    device: Tensor
    shape: tuple[int, int, int, int]

    @classmethod
    def of(cls, axes: int, rows: int, nodes: int, layers: int, device: torch.device) -> Packet:
        """Room for passes of this size."""
        size = 8 * ((1 + axes) * rows * nodes + (layers + 1) * rows) + rows * nodes * nodes
        host = torch.zeros(size, dtype=torch.uint8, pin_memory=device.type == "cuda")
        there = host if device.type == "cpu" else torch.zeros(size, dtype=torch.uint8, device=device)
        return cls(host, there, (axes, rows, nodes, layers))

    def write(self, trees: Sequence[Tree], next_positions: np.ndarray, lengths: np.ndarray) -> None:
        """Send trees whose roots stand at `next_positions [A, B]`, and the cache's `lengths [L, B]`.

        Padding repeats token 0 at the root's position and reads itself, so that no query is without a key.
        """
        ids, starts, masks = (part.numpy() for part in self._parts(self.host))
        ids[0] = 0
        ids[1:] = next_positions[:, :, None]
        starts[:-1] = lengths
        masks[:] = np.eye(masks.shape[1], dtype=bool)
        for row, tree in enumerate(trees):
            ids[0, row, : len(tree)] = tree.tokens
            ids[1:, row, : len(tree)] += np.asarray(tree.depths)
            masks[row, : len(tree), : len(tree)] = tree.ancestors()
        if self.device is not self.host:
            self.device.copy_(self.host, non_blocking=True)

    @property
    def nodes(self) -> int:
        return self.shape[2]

    @property
    def tokens(self) -> Tensor:
        return self._parts(self.device)[0][0]

    @property
    def positions(self) -> Tensor:
        return self._parts(self.device)[0][1:]

    @property
    def starts(self) -> Tensor:
        return self._parts(self.device)[1][:-1]

    @property
    def since(self) -> Tensor:
        return self._parts(self.device)[1][-1]

    @property
    def tree(self) -> Tensor | None:
        """None for one node a row, which has nothing to read but what is committed."""
        return self._parts(self.device)[2] if self.shape[2] > 1 else None

    def _parts(self, memory: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Tokens and positions `[1 + A, B, N]`, starts and since `[L + 1, B]`, tree."""
        axes, rows, nodes, layers = self.shape
        first, second = 8 * (1 + axes) * rows * nodes, 8 * (layers + 1) * rows
        ids, starts, masks = memory.split((first, second, rows * nodes * nodes))
        return (
            ids.view(torch.int64).view(1 + axes, rows, nodes),
            starts.view(torch.int64).view(layers + 1, rows),
            masks.view(torch.bool).view(rows, nodes, nodes),
        )
