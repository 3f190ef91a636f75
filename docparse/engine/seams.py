"""Where a method plugs into the engine. The engine calls the seams and owns every tensor; methods return decisions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol

from docparse.engine.tree import Tree

if TYPE_CHECKING:
    import numpy as np
    from torch import Tensor

Rule = Literal["log-ratio", "ratio"]


@dataclass(frozen=True)
class Acceptance:
    """When a proposed token is accepted (HSD, equation 10).

    At a node with argmax `u` and most probable child `c`, accept `c` iff `c == u` or, where `tau < 1`,
    `-log p(u) >= tau * -log p(c)` (`log-ratio`) or `p(c) >= tau * p(u)` (`ratio`). At `tau = 1` only equal tokens are
    accepted, so the output is the greedy one.
    """

    tau: float = 1.0
    rule: Rule = "log-ratio"


@dataclass(frozen=True)
class Verified:
    """What one verification step decided.

    `path` are the accepted nodes of the tree in order, without the root; `free` is the token the model adds after
    them. `cut` says that the output ended inside them (end token, length, repetition): what follows the cut in `path`
    and `free` is not part of the output.
    """

    tree: Tree
    path: tuple[int, ...]
    free: int
    cut: bool = False


class Proposer(Protocol):
    """Proposes what one row of the batch may say next. It is made for one output and keeps that output's state."""

    acceptance: Acceptance

    def propose(self, tokens: Sequence[int]) -> Tree:
        """A tree whose root is `tokens[-1]` (the output so far, never empty); `Tree.bare` proposes nothing."""

    def observe(self, verified: Verified, seconds: float) -> None:
        """What became of the proposal, and how long the step took."""


@dataclass(frozen=True)
class Visual:
    """The N tokens of one view of a picture that may be removed, in reading order; structural ones are left out.

    - `embeds [N, D]` the projector's output, as the decoder would read it;
    - `positions [A, N]` and `boxes [N, 4]` as in `Prompt`: a token that stays keeps its own.
    """

    embeds: Tensor
    positions: Tensor
    boxes: Tensor


@dataclass(frozen=True)
class Picture:
    """What a view shows: `pixels` (uint8 RGB [height, width, 3]) as the processor was given them. The encoder sees
    them resized to `width` x `height` and as `(pixel / 255 - mean) / std`, per channel."""

    pixels: np.ndarray
    width: int
    height: int
    mean: tuple[float, ...]
    std: tuple[float, ...]


@dataclass(frozen=True)
class Kept:
    """What stays of a view: the tokens `rows [K]` (ascending) with the embeddings `embeds [K, D]`.

    `figures` say how that was decided, for reports."""

    rows: Tensor
    embeds: Tensor
    figures: Mapping[str, float] = field(default_factory=dict)


class Pruner(Protocol):
    """Decides before prefill which visual tokens the decoder reads; it keeps nothing from one view to the next."""

    def prune(self, visual: Visual, page: Picture) -> Kept:
        """At least one token of the view stays."""
