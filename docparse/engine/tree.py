"""A prefix tree of candidate tokens, packed in depth-first order, as one forward pass verifies it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

ROOT = ""  # the source of the root, which nobody proposed


@dataclass(frozen=True)
class Candidate:
    """A continuation somebody proposes after the accepted prefix; `source` is who, for the statistics.

    `origin` is opaque to the engine: the proposer's own note of where the first token comes from (a draft and an
    offset in it); token i of the candidate has origin `(origin[0], origin[1] + i)`.
    """

    tokens: Sequence[int]
    source: str
    origin: tuple[int, int] = (-1, 0)


@dataclass
class Tree:
    """Packed nodes; node 0 is the root, the last accepted token, whose keys and values are not in the cache yet.

    `parents[i] < i`, and every subtree is contiguous (depth-first order), so the first child of a chain follows its
    parent: where the accepted path is the first branch, its cache rows are already in place.
    """

    tokens: list[int]
    parents: list[int] = field(default_factory=lambda: [-1])
    depths: list[int] = field(default_factory=lambda: [0])
    sources: list[str] = field(default_factory=lambda: [ROOT])
    origins: list[tuple[int, int]] = field(default_factory=lambda: [(-1, 0)])

    @classmethod
    def bare(cls, root: int) -> Tree:
        """Only the root: a plain decoding step."""
        return cls([root])

    @classmethod
    def grow(cls, root: int, candidates: Iterable[Candidate], nodes: int) -> Tree:
        """Merge candidates, best first, into a tree of at most `nodes` nodes besides the root.

        Common beginnings are shared; a node keeps the source and origin of the candidate that made it first. Among
        siblings the earlier candidate's branch comes first, so the best candidate fills the first rows of the tree.
        """
        trunk, room = _Branch([root], ROOT, (-1, 0), 0), nodes
        for candidate in candidates:
            tokens, (draft, offset) = list(candidate.tokens), candidate.origin
            branch, along, shared = trunk.follow(tokens)
            if new := tokens[shared : shared + room]:
                origin = draft, offset + shared
                branch.forks.append((along, _Branch(new, candidate.source, origin, shared + 1)))
                room -= len(new)
        tree = cls([], [], [], [], [])
        trunk.pack(-1, tree)
        return tree

    def __len__(self) -> int:
        return len(self.tokens)

    def children(self, node: int) -> list[int]:
        return [child for child in range(node + 1, len(self)) if self.parents[child] == node]

    def ends(self) -> list[int]:
        """Of each node the number of the first one after it that is not below it."""
        ends = list(range(1, len(self) + 1))
        for node in range(len(self) - 1, 0, -1):
            if ends[node] > ends[parent := self.parents[node]]:
                ends[parent] = ends[node]
        return ends

    def ancestors(self) -> np.ndarray:
        """Bool `[N, N]`: row i is True at node i and at all its ancestors; the tree's attention mask."""
        nodes = np.arange(len(self))[:, None]
        return (nodes.T <= nodes) & (nodes < np.array(self.ends()))


@dataclass(slots=True)
class _Branch:
    """A chain of nodes from one candidate; `forks` are those that go on after the first so many of its tokens."""

    tokens: list[int]
    source: str
    origin: tuple[int, int]
    depth: int
    forks: list[tuple[int, _Branch]] = field(default_factory=list)

    def follow(self, tokens: Sequence[int]) -> tuple[_Branch, int, int]:
        """How far the tree under this branch's first token holds `tokens`: in which branch that ends, after how many
        tokens of it, and of `tokens`."""
        branch, along, shared = self, 1, 0
        while True:
            same = shared_length(branch.tokens, along, tokens, shared)
            along, shared = along + same, shared + same
            ways = (fork for after, fork in branch.forks if after == along and fork.tokens[0] == tokens[shared])
            if shared == len(tokens) or (fork := next(ways, None)) is None:
                return branch, along, shared
            branch, along = fork, 0

    def pack(self, parent: int, tree: Tree) -> None:
        """Append the branch below node `parent`, and all its forks; the deepest come first."""
        first, length, (draft, offset) = len(tree), len(self.tokens), self.origin
        tree.tokens += self.tokens
        tree.parents += (parent, *range(first, first + length - 1))
        tree.depths += range(self.depth, self.depth + length)
        tree.sources += [self.source] * length
        tree.origins += zip([draft] * length, range(offset, offset + length))
        for after, fork in sorted(self.forks, key=lambda each: -each[0]):
            fork.pack(first + after - 1, tree)


def shared_length(a: Sequence[int], begin: int, b: Sequence[int], start: int) -> int:
    """How many tokens of `a` from `begin` on equal those of `b` from `start` on."""
    length = min(len(a) - begin, len(b) - start)
    if a[begin : begin + length] == b[start : start + length]:
        return length
    return next(i for i in range(length) if a[begin + i] != b[start + i])
