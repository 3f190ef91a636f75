"""Keys and values of the rows being decoded, in one tensor that outlives them; what is rejected is forgotten."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from docparse.kernels.commit import commit as move_kept

SPARE = 512  # positions that a row gets beyond its prompt, so that most outputs never move
MIN_POSITIONS = 256  # positions of the smallest layout


@dataclass(frozen=True)
class Shape:
    """The shape of a decoder's keys and values: layers, heads and numbers of a head, and where and as what they are
    kept."""

    layers: int
    heads: int
    size: int
    dtype: torch.dtype
    device: torch.device

    def bytes(self, rows: int, positions: int) -> int:
        """Return the bytes of so many positions of so many rows, in all layers."""
        return self.layers * 2 * rows * self.heads * positions * self.size * self.dtype.itemsize


class KeyValueCache:
    """`data [L, 2, B, KV, S, D]` and `lengths [L, B]` (on the host): how many positions of it are committed.

    Every layer has its own length for every row, because methods that evict keep different numbers in each. A pass
    writes behind these lengths; then what it keeps is committed, of all layers together. Live rows are the first ones.
    Its memory is the `spare` of caches that are over, where that is enough, and spare again afterwards.
    """

    def __init__(self, shape: Shape, spare: list[Tensor]) -> None:
        self.shape = shape
        self.lengths = np.zeros((shape.layers, 0), dtype=np.int64)
        self._spare = spare
        self.data: Tensor
        self._numbers: Tensor | None = None

    @property
    def rows(self) -> int:
        return self.lengths.shape[1]

    @property
    def bytes(self) -> int:
        return 0 if self._numbers is None else self._numbers.nbytes

    def add(self, rows: int) -> None:
        """Add so many live rows that hold nothing."""
        self.lengths = np.pad(self.lengths, ((0, 0), (0, rows)))

    def reserve(self, positions: int, rows: int = 0) -> None:
        """Make room for so many positions of each row, of `rows` rows or those that live."""
        rows = max(rows, self.rows, 1)
        old = None if self._numbers is None else self.data
        if old is not None and rows <= old.shape[2] and positions <= old.shape[4]:
            return
        used, shape = int(self.lengths.max(initial=0)), self.shape
        if not self.rows:  # nothing is lost: the new memory may be that of the old
            self.release()
            old = None
        rows, capacity = layout(rows, max(positions, used))
        sizes = (shape.layers, 2, rows, shape.heads, capacity, shape.size)
        if self._spare and len(self._spare[-1]) >= math.prod(sizes):
            self._numbers = self._spare.pop()
        else:
            self._spare.clear()  # zeros, because what a mask hides must still be finite
            self._numbers = torch.zeros(math.prod(sizes), dtype=shape.dtype, device=shape.device)
        self.data = self._numbers[: math.prod(sizes)].view(sizes)
        if old is not None:
            self.data[:, :, : self.rows, :, :used] = old[:, :, : self.rows, :, :used]

    def commit(self, kept: Sequence[Sequence[int]], starts: Tensor) -> np.ndarray:
        """Keep of the last pass, which began at `starts [L, B]` of the device, the tokens at these ascending indices of
        each row; forget the others. Return how many stay, `[B]`."""
        counts = np.array([len(path) for path in kept])
        if any(path[-1] >= len(path) for path in kept):  # some do not follow each other
            moved = np.full((len(kept), counts.max()), -1)
            for row, path in enumerate(kept):
                moved[row, : len(path)] = path
            move_kept(self.data[:, :, : self.rows], starts, torch.from_numpy(moved).to(self.data.device))
        self.lengths += counts
        return counts

    def keep(self, row: int, kept: Sequence[Tensor]) -> None:
        """Keep these positions of each layer of this row, `[K]` or `[KV, K]` for each head, ascending; they move up."""
        for layer, positions in enumerate(kept):
            index = positions.expand(self.shape.heads, -1)
            head = torch.arange(len(index), device=index.device)[:, None]
            slab = self.data[layer, :, row]
            slab[:, :, : positions.shape[-1]] = slab[:, head, index]
            self.lengths[layer, row] = positions.shape[-1]

    def drop(self, row: int) -> None:
        """This row is finished; the last one moves into its place."""
        last = self.rows - 1
        if row != last:
            used = int(self.lengths[:, last].max())
            self.data[:, :, row, :, :used] = self.data[:, :, last, :, :used]
            self.lengths[:, row] = self.lengths[:, last]
        self.lengths = self.lengths[:, :last]

    def held_bytes(self) -> list[int]:
        """Return for each row the bytes of the positions that it holds."""
        each = self.shape.bytes(1, 1) // self.shape.layers
        return [each * positions for positions in self.lengths.sum(axis=0).tolist()]

    def release(self, *, reuse: bool = True) -> None:
        """Give the memory back, unless what it holds may be no numbers; of several, the largest is kept."""
        if self._numbers is not None and reuse:
            self._spare[:] = [max([self._numbers, *self._spare], key=len)]
        self._numbers = None
        self.lengths = self.lengths[:, :0]


def layout(rows: int, positions: int) -> tuple[int, int]:
    """Return the rows and positions that there is memory for where so many are needed: in coarse steps, so that it
    seldom changes. Rows are a power of two, positions 256, 384, 512, 768, 1024, 1536, ..."""
    size = MIN_POSITIONS
    while size < positions:
        size = size * 3 // 2 if size & (size - 1) == 0 else size * 4 // 3
    return 1 << (rows - 1).bit_length(), size
