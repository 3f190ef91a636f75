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
        trie = cls.bare(root)
        branches: list[dict[int, int]] = [{}]  # of each node: its children by token, best first
        for candidate in candidates:
            node, (draft, offset) = 0, candidate.origin
            for depth, token in enumerate(candidate.tokens):
                child = branches[node].get(token)
                if child is None:
                    if len(trie) > nodes:
                        break
                    child = branches[node][token] = trie._append(
                        token, node, depth + 1, candidate.source, (draft, offset + depth)
                    )
                    branches.append({})
                node = child
        return trie._packed(branches)

    def _append(self, token: int, parent: int, depth: int, source: str, origin: tuple[int, int]) -> int:
        self.tokens.append(token)
        self.parents.append(parent)
        self.depths.append(depth)
        self.sources.append(source)
        self.origins.append(origin)
        return len(self.tokens) - 1

    def _packed(self, branches: Sequence[dict[int, int]]) -> Tree:
        """The same tree in depth-first order, given each node's children."""
        order, stack = [], [0]
        while stack:
            order.append(stack.pop())
            stack.extend(reversed(branches[order[-1]].values()))
        rank = {node: place for place, node in enumerate(order)} | {-1: -1}
        return Tree(
            tokens=[self.tokens[node] for node in order],
            parents=[rank[self.parents[node]] for node in order],
            depths=[self.depths[node] for node in order],
            sources=[self.sources[node] for node in order],
            origins=[self.origins[node] for node in order],
        )

    def __len__(self) -> int:
        return len(self.tokens)

    def children(self, node: int) -> list[int]:
        return [child for child in range(node + 1, len(self)) if self.parents[child] == node]

    def ancestors(self) -> np.ndarray:
        """Bool `[N, N]`: row i is True at node i and at all its ancestors; the tree's attention mask."""
        mask = np.zeros((len(self), len(self)), dtype=bool)
        for node, parent in enumerate(self.parents):
            if parent >= 0:
                mask[node] = mask[parent]
            mask[node, node] = True
        return mask
