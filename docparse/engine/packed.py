"""A pass on a CPU over trees of different sizes, one after the other: nothing is computed of what would pad them.

On a GPU a pass takes as long as its largest tree, and its memory must be the same every time; there trees are padded.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise

import numpy as np
import torch
from torch import Tensor

from docparse.engine.attention import attention, hide
from docparse.engine.cache import KeyValueCache
from docparse.engine.tree import Tree

WASTE = 1.2  # times as many nodes with padding as without, from which rows are read one by one


def worth_packing(trees: Sequence[Tree]) -> bool:
    """Return whether padding would cost more than reading the rows one by one."""
    sizes = list(map(len, trees))
    return max(sizes) * len(sizes) > WASTE * sum(sizes)


class Packed:
    """T nodes of B trees: `tokens [1, T]` at `positions [A, 1, T]`, the cache's `starts [L, B]`; what `lean.Attention`
    asks for."""

    def __init__(
        self,
        trees: Sequence[Tree],
        next_positions: np.ndarray,
        cache: KeyValueCache,
        far: Sequence[Tensor | None] = (),
    ) -> None:
        self.sizes = list(map(len, trees))
        self.tokens = torch.tensor([[token for tree in trees for token in tree.tokens]])
        depths = [np.asarray(tree.depths) + next_positions[:, [row]] for row, tree in enumerate(trees)]
        self.positions = torch.from_numpy(np.concatenate(depths, axis=1))[:, None]
        self.starts = torch.from_numpy(cache.lengths.copy())
        self._cache = cache
        self._parts = list(pairwise(accumulate(self.sizes, initial=0)))
        self._trees = [torch.from_numpy(tree.ancestors()) if len(tree) > 1 else None for tree in trees]
        self._far = far or [None] * len(trees)
        self._masks: dict[tuple[int, int], Tensor] = {}

    def place(self, layer: int) -> tuple[Tensor, Tensor, Sequence[int]]:
        """See `lean.Attention`."""
        return self._cache.data[layer].narrow(1, 0, len(self.sizes)), self.starts[layer], self.sizes

    def attend(self, layer: int, query: Tensor, scale: float) -> Tensor:
        """See `lean.Attention`: each row reads its own positions, and no others."""
        out = torch.empty_like(query)
        slab, lengths = self._cache.data[layer], self._cache.lengths[layer]
        for row, (begin, end) in enumerate(self._parts):
            length = int(lengths[row])
            key, value = slab[:, row : row + 1, :, : length + end - begin].unbind(0)
            mask = self._mask(row, length, query)
            out[:, :, begin:end] = attention(query[:, :, begin:end], key, value, mask, scale)
        return out.transpose(1, 2)

    def _mask(self, row: int, length: int, like: Tensor) -> Tensor | None:
        """What is added to a row's scores, `[1, 1, N, S]`; None where its only node reads all. Layers that hold equally
        many positions share it."""
        tree, far, nodes = self._trees[row], self._far[row], self.sizes[row]
        if tree is None and far is None:
            return None
        if (row, length) not in self._masks:
            mask = like.new_zeros(1, 1, nodes, length + nodes)
            if tree is not None:
                mask[..., length:].masked_fill_(~tree, -torch.inf)
            if far is not None:
                hide(mask[0, 0], length, far)
            self._masks[row, length] = mask
        return self._masks[row, length]
