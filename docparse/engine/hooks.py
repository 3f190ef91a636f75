"""Where a method plugs into the engine, from the prefill on. The engine calls the hooks and owns every tensor; methods
return decisions."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor

    from docparse.engine.prompt import PromptRows


class Compressor:
    """Decides which rows of the cache stay: after the prefill and, where it says so, after every step. It is made for
    one output and keeps that output's state. Where it `watches`, it is shown the attention of steps."""

    watches: bool = False

    def on_prefill_layer(self, layer: int, query: Tensor, key: Tensor, scale: float) -> None:
        """The prefill passes a layer: queries `[H, P, D]` and keys `[KV, P, D]` of the whole prompt, with their
        positions; a logit is `scale * query @ key`. The tensors are the engine's own: keep results, not them."""

    def prefill_rows(self, layer: int) -> Tensor | None:
        """Return the rows of the prompt that enter this layer's attention in the prefill, ascending, the last one among
        them, `[K]`; asked after `on_prefill_layer`. What a layer drops no later one reads, and `keep` leaves it out.
        None: all."""
        return None

    def keep(self) -> Sequence[Tensor]:
        """After the prefill: of each layer the rows that stay, ascending, `[K]`; or `[KV, K]` where the heads of one
        layer keep different rows, of each the same number. The rest is physically removed."""
        raise NotImplementedError

    def observe(self, layer: int, weights: Tensor) -> None:
        """A step's attention `[H, N, S]` of the N nodes of the tree to the rows of the layer, the nodes last."""

    def evict(self, path: Sequence[int]) -> Sequence[Tensor] | None:
        """After a step, when the tree's root and `path` have become rows: as `keep`; None keeps them all."""
        return None


@dataclass(frozen=True, eq=False)
class Selection:
    """The prompt's visual tokens that a layer reads beside all text: `reads [N, V]` of each of the N nodes of the tree,
    or `[1, V]` where all read the same. They are `most` different ones at most, so that how many need not be fetched
    from the device."""

    reads: Tensor
    most: int


class RowMemory:
    """The memory that passes read for one row, beside its cache. A later row takes the memory over: what is of the same
    shape, and held in the same turn, lies where it lay for the row before, so that a pass captured for one page serves
    the next. `key` says where."""

    def __init__(self) -> None:
        self._held: dict[Hashable, Tensor] = {}
        self.key: tuple[int, ...] = ()

    def hold(self, value: Tensor) -> Tensor:
        """Return a copy of a value, in memory that stays."""
        place = len(self.key), value.shape, value.dtype
        if place not in self._held:
            self._held[place] = value.clone()
        kept = self._held[place].copy_(value)
        self.key += (kept.data_ptr(),)
        return kept


class Selector:
    """Decides which visual tokens each layer reads at a step; nothing is removed. It is made for one output.

    The prefill comes first: `on_prefill_layer`, as of a compressor, then `settle`. At every step comes `begin`. In the
    pass the layers ask in order, from 0: `select`, and a layer that reads everything shows its attention to `observe`,
    which can serve the next one. At its end `left` says what of it serves `on_commit`, which ends the step.

    A pass may be captured. Then the hooks that belong to it run at the capture only: what they compute must follow from
    the memory that they read, which `on_commit` writes, and from what `begin` returns.
    """

    def on_prefill_layer(self, layer: int, query: Tensor, key: Tensor, scale: float) -> None:
        """The prefill passes a layer; see `Compressor.on_prefill_layer`."""

    def settle(self, memory: RowMemory) -> None:
        """The prefill is over; what passes read is from now on in this memory."""

    def begin(self) -> Hashable:
        """A step begins. Return a key that passes share which compute the same of the same memory."""
        return ()

    def select(self, layer: int) -> Selection | None:
        """Return what this layer reads, None: all visual tokens. For layers that read alike return the same object:
        what follows from it is then worked out once."""
        return None

    def observe(self, layer: int, weights: Tensor) -> None:
        """Head-averaged attention `[N, V]` of the tree's nodes and its padding, 0 at tokens the layer lacks."""

    def left(self) -> Mapping[int, Tensor]:
        """Return, by layer, what of the pass decides about the next one."""
        return {}

    def on_commit(self, path: Sequence[int], left: Mapping[int, Tensor]) -> None:
        """The step is over: the tree's root and the nodes `path` are part of the output, the others are forgotten.
        `left` is what `left` returned of this pass."""


@dataclass(frozen=True)
class RowMethods:
    """The methods of one row of the batch. After the prefill the session adds `first`, the position of the first token
    that the row writes, and for a `selector` the `places` of each layer, in the `memory` that passes read."""

    compressor: Compressor | None = None
    selector: Selector | None = None
    places: Sequence[PromptRows] = ()
    first: int = 0
    memory: RowMemory | None = None

    @property
    def acts(self) -> bool:
        return self.compressor is not None or self.selector is not None

    @property
    def observer(self) -> Compressor | None:
        """Return the compressor where it is shown the attention of steps."""
        return self.compressor if self.compressor is not None and self.compressor.watches else None

    def begin(self) -> Hashable | None:
        """A step begins. Return a key that passes share which compute the same of the same memory; None: none do."""
        alike: Hashable = True
        if self.selector is not None:
            alike = self.memory and self.memory.key, self.selector.begin()
        return None if self.observer is not None else alike


WHOLE = RowMethods()  # nothing is evicted, and everything read
