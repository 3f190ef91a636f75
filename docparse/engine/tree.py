"""A prefix tree of candidate tokens, packed in depth-first order, as one forward pass verifies it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

ROOT = ""  # the source of the root, which nobody proposed


class Candidate(NamedTuple):
    """A continuation somebody proposes after the accepted prefix; `source` is who, for the statistics."""

    tokens: Sequence[int]
    source: str


@dataclass
class Tree:
    """Packed nodes; node 0 is the root, the last accepted token, whose keys and values are not in the cache yet.

    `parents[i] < i`, and every subtree is contiguous (depth-first order), so the first child of a chain follows its
    parent: where the accepted path is the first branch, its cache rows are already in place. The nodes below node i
    are those from `i + 1` up to `ends[i]`, which is not: so node j reads i where `i <= j < ends[i]`.
    """

    tokens: list[int]
    parents: list[int] = field(default_factory=lambda: [-1])
    depths: list[int] = field(default_factory=lambda: [0])
    sources: list[str] = field(default_factory=lambda: [ROOT])
    ends: list[int] = field(default_factory=lambda: [1])

    @classmethod
    def bare(cls, root: int) -> Tree:
        """Return only the root: a plain decoding step."""
        return cls([root])

    @classmethod
    def grow(cls, root: int, candidates: Iterable[Candidate], nodes: int) -> Tree:
        """Merge candidates, best first, into a tree of at most `nodes` nodes besides the root.

        Common beginnings are shared; a node keeps the source of the candidate that made it first. Among
        siblings the earlier candidate's branch comes first, so the best candidate fills the first rows of the tree.
        """
        trunk, room = _Branch([root], ROOT, 0, {}), nodes
        for candidate in candidates:
            tokens = list(candidate.tokens)
            branch, along, shared = trunk.follow(tokens)
            if new := tokens[shared : shared + room]:
                branch.forks[along, new[0]] = _Branch(new, candidate.source, shared + 1, {})
                room -= len(new)
        tree = cls([], [], [], [], [])
        trunk.pack(-1, tree)
        return tree

    def __len__(self) -> int:
        return len(self.tokens)

    def children(self, node: int) -> list[int]:
        return [child for child in range(node + 1, len(self)) if self.parents[child] == node]

    def ancestors(self) -> np.ndarray:
        """Bool `[N, N]`: row i is True at node i and at all its ancestors; the tree's attention mask."""
        nodes = np.arange(len(self), dtype=np.int32)
        node = nodes[:, None]
        return (nodes <= node) & (node < np.array(self.ends, dtype=np.int32))


@dataclass(slots=True)
class _Branch:
    """A chain of nodes from one candidate, the first at `depth`; `forks` branch off after so many of its tokens."""

    tokens: list[int]
    source: str
    depth: int
    forks: dict[tuple[int, int], _Branch]

    def follow(self, tokens: list[int]) -> tuple[_Branch, int, int]:
        """Return how far the tree below this branch's first token holds `tokens`: in which branch that ends, after how
        many tokens of it, and of `tokens`."""
        branch, along, shared = self, 1, 0
        while shared < len(tokens) and (fork := branch.forks.get((along, tokens[shared]))) is not None:
            branch, along = fork, shared_length(fork.tokens, tokens[shared:])
            shared += along
        return branch, along, shared

    def pack(self, parent: int, tree: Tree) -> None:
        """Append the branch below node `parent`, and all its forks; the deepest come first."""
        tokens, ends, length = tree.tokens, tree.ends, len(self.tokens)
        first = len(tokens)
        tokens += self.tokens
        ends += [first + length] * length
        tree.parents += (parent, *range(first, first + length - 1))
        tree.depths += range(self.depth, self.depth + length)
        tree.sources += [self.source] * length
        if self.forks:
            deepest_first = sorted(self.forks.items(), key=lambda fork: -fork[0][0])  # of one node as they came
            for (after, _), fork in deepest_first:
                fork.pack(first + after - 1, tree)
                ends[first : first + after] = [len(tokens)] * after


def shared_length(a: list[int], b: list[int]) -> int:
    """Return with how many equal tokens both begin."""
    length = min(len(a), len(b))
    if a[:length] == b[:length]:
        return length
    return next(i for i, (one, other) in enumerate(zip(a, b, strict=False)) if one != other)
