"""Where a method plugs into the engine. The engine calls the seams and owns every tensor; methods return decisions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from docparse.engine.tree import Tree

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
