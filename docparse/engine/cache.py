"""Keys and values of a batch of rows in preallocated slabs; what is rejected is forgotten, never recomputed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from transformers.cache_utils import Cache, CacheLayerMixin

SPARE = 512  # positions a slab gains beyond what is needed, so that a long output copies it a few times only


@dataclass(frozen=True, eq=False)
class Placement:
    """Where one pass of N tokens writes in a layer: token i of row b at `lengths[b] + i`.

    `rows` are the rows of the batch that take part, `slots [B, N]` the positions as a tensor (None where the rows'
    lengths agree: then they are a plain slice), `batch [B, 1]` the rows to go with them, `end` how many positions the
    pass reads, the new ones included.
    """

    rows: slice
    lengths: tuple[int, ...]
    end: int
    slots: Tensor | None = None
    batch: Tensor | None = None


class SlabLayer(CacheLayerMixin):
    """One layer's keys and values, each `[B, KV, S, D]`; row b holds `lengths[b]` committed positions.

    Slabs are zeroed: what a mask hides must still be finite. They are made when the first keys arrive.
    """

    is_sliding = False
    keys: Tensor
    values: Tensor

    def __init__(self, rows: int, capacity: int, filled: int = 0) -> None:
        super().__init__()
        self.lengths = [filled] * rows
        self.capacity = capacity
        self.placement = Placement(slice(0, rows), tuple(self.lengths), 0)

    def lazy_initialization(self, key_states: Tensor, value_states: Tensor) -> None:
        rows = len(self.lengths)
        self.keys = key_states.new_zeros(rows, key_states.shape[1], self.capacity, key_states.shape[3])
        self.values = value_states.new_zeros(rows, value_states.shape[1], self.capacity, value_states.shape[3])
        self.is_initialized = True

    def update(self, key_states: Tensor, value_states: Tensor, *_: Any, **__: Any) -> tuple[Tensor, Tensor]:
        """Write `[B, KV, N, D]` where the placement says; all the keys and values that the pass may read."""
        if not self.is_initialized:
            self.lazy_initialization(key_states, value_states)
        return self._write(self.keys, key_states), self._write(self.values, value_states)

    def _write(self, slab: Tensor, new: Tensor) -> Tensor:
        at = self.placement
        part = slab[at.rows]
        if at.slots is None:
            part[:, :, at.lengths[0] : at.lengths[0] + new.shape[2]] = new
        else:
            part[at.batch, :, at.slots] = new.transpose(1, 2)
        return part[:, :, : at.end]

    def reserve(self, positions: int, bound: int) -> None:
        """Make room for `positions` positions: as needed and a little or half as many again as now, within `bound`."""
        if positions <= self.capacity:
            return
        wanted = max(positions + SPARE, self.capacity + self.capacity // 2)
        self.capacity = max(positions, min(wanted, bound or wanted))
        if self.is_initialized:
            self.keys, self.values = self._moved(self.keys), self._moved(self.values)

    def _moved(self, slab: Tensor) -> Tensor:
        """In a storage of the present capacity."""
        moved = slab.new_zeros(len(self.lengths), slab.shape[1], self.capacity, slab.shape[3])
        used = min(slab.shape[2], self.capacity)
        moved[:, :, :used] = slab[: len(self.lengths), :, :used]
        return moved

    def select(self, rows: Sequence[int]) -> None:
        """Keep only these rows, in ascending order; the slab stays where it is and gets shorter."""
        self.lengths = [self.lengths[row] for row in rows]
        if not self.is_initialized:
            return
        still = next((place for place, row in enumerate(rows) if place != row), len(rows))
        used = max(self.lengths[still:], default=0)
        index = torch.tensor(rows[still:], dtype=torch.long, device=self.keys.device)
        for slab in (self.keys, self.values):
            slab[still : len(rows), :, :used] = slab[index, :, :used]
        self.keys, self.values = self.keys[: len(rows)], self.values[: len(rows)]

    def keep(self, row: int, kept: Tensor) -> None:
        """Of this row keep the positions `kept`, ascending, `[K]` or `[KV, K]` for each head; they move up."""
        index = kept.expand(self.keys.shape[1], -1)
        head = torch.arange(len(index), device=index.device)[:, None]
        for slab in (self.keys, self.values):
            slab[row, :, : kept.shape[-1]] = slab[row][head, index]
        self.lengths[row] = kept.shape[-1]

    def trim(self, room: int) -> None:
        """Give back what the rows do not need, but for `room` positions to grow."""
        self.capacity = min(self.capacity, max(self.lengths) + room)
        self.keys, self.values = self._moved(self.keys), self._moved(self.values)

    def get_seq_length(self) -> int:
        return max(self.lengths, default=0)

    def get_mask_sizes(self, query_length: int) -> tuple[int, int]:
        return self.get_seq_length() + query_length, 0

    def get_max_length(self) -> int:
        return self.capacity


class SlabCache(Cache):
    """The layers of one batch. A pass is placed, run, and then committed: the kept tokens are moved together.

    Every layer has its own length for every row, because methods that evict keep different numbers in each.
    `bound` is the most positions a row can ever need (prompt, output and one tree; 0: unknown); `filled` positions of
    each row hold zeros at the start.
    """

    def __init__(self, layers: int, rows: int, capacity: int, bound: int = 0, filled: int = 0) -> None:
        self.slabs = [SlabLayer(rows, min(capacity, bound or capacity), filled) for _ in range(layers)]
        super().__init__(layers=list(self.slabs))
        self.bound = bound

    @property
    def rows(self) -> int:
        return len(self.slabs[0].lengths)

    def update(self, key_states: Tensor, value_states: Tensor, layer_idx: int, *_: Any, **__: Any) -> Any:
        return self.slabs[layer_idx].update(key_states, value_states)

    def place(
        self, count: int, device: torch.device, *, row: int | None = None, static: bool = False
    ) -> list[Placement]:
        """Say where the next pass of `count` tokens per row goes, in one row or in all; the placement of each layer.

        Layers with equal lengths share one placement, so that masks are built once for all of them. `static`: only
        tensors change from pass to pass, and the pass reads the whole slab.
        """
        rows = slice(0, self.rows) if row is None else slice(row, row + 1)
        shared: dict[tuple[int, ...], Placement] = {}
        for layer in self.slabs:
            lengths = tuple(layer.lengths[rows])
            layer.reserve(max(lengths) + count, self.bound)
            if lengths not in shared:
                end = layer.capacity if static else max(lengths) + count
                tensors = static or len(set(lengths)) > 1
                indices = _slots(lengths, count, device) if tensors else (None, None)
                shared[lengths] = Placement(rows, lengths, end, *indices)
            layer.placement = shared[lengths]
        return [layer.placement for layer in self.slabs]

    def commit(self, kept: Sequence[Sequence[int]]) -> None:
        """Of the last pass keep, in each of its rows, the tokens at these ascending indices; forget the others."""
        rows = self.slabs[0].placement.rows
        moves = [
            (row, source, target)
            for row, path in zip(range(rows.start, rows.stop), kept, strict=True)
            for target, source in enumerate(path)
            if source != target
        ]
        indices: dict[tuple[int, ...], tuple[Tensor, Tensor, Tensor]] = {}
        for layer in self.slabs:
            if moves:
                lengths = tuple(layer.lengths)
                if lengths not in indices:
                    indices[lengths] = _indices(moves, lengths, layer.keys.device)
                batch, sources, targets = indices[lengths]
                for slab in (layer.keys, layer.values):
                    slab[batch, :, targets] = slab[batch, :, sources]
            for row, path in zip(range(rows.start, rows.stop), kept, strict=True):
                layer.lengths[row] += len(path)

    def rewind(self, counts: Sequence[int]) -> None:
        """Forget the last `counts[b]` positions of each row."""
        for layer in self.slabs:
            layer.lengths = [length - count for length, count in zip(layer.lengths, counts, strict=True)]

    def keep(self, row: int, kept: Sequence[Tensor]) -> None:
        """Of this row keep these positions of each layer, `[K]` or `[KV, K]`, ascending; the others are gone."""
        for layer, positions in zip(self.slabs, kept, strict=True):
            layer.keep(row, positions)

    def trim(self, longest: int) -> None:
        """Give back the memory of what was evicted from prompts of at most `longest` positions."""
        room = min(SPARE, self.bound - longest) if self.bound else SPARE
        for layer in self.slabs:
            layer.trim(room)

    @property
    def nbytes(self) -> int:
        """Bytes of memory that keys and values take, free room included."""
        slabs = [slab for layer in self.slabs if layer.is_initialized for slab in (layer.keys, layer.values)]
        return sum(slab.untyped_storage().nbytes() for slab in slabs)

    def select(self, rows: Sequence[int]) -> None:
        """Keep only these rows of the batch, in ascending order."""
        for layer in self.slabs:
            layer.select(rows)


def _slots(lengths: Sequence[int], count: int, device: torch.device) -> tuple[Tensor, Tensor]:
    """Positions `[B, N]` of a pass, and the rows `[B, 1]` to go with them."""
    starts = torch.tensor(lengths, device=device)[:, None]
    return starts + torch.arange(count, device=device), torch.arange(len(lengths), device=device)[:, None]


def _indices(moves: list[tuple[int, int, int]], lengths: Sequence[int], device: torch.device) -> Any:
    """Rows, old positions and new positions of what moves, each `[M]`."""
    rows, sources, targets = zip(*moves, strict=True)
    starts = [lengths[row] for row in rows]
    old = [start + source for start, source in zip(starts, sources, strict=True)]
    new = [start + target for start, target in zip(starts, targets, strict=True)]
    return torch.tensor([rows, old, new], device=device).unbind()
