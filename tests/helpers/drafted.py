"""Draft tokens in parts, and the paths of the trees that are grown from them."""

from __future__ import annotations

from collections.abc import Sequence

from docparse.accel.drafts import OCR, DraftTokens
from docparse.engine.tree import Tree


def draft_of(parts: Sequence[Sequence[int]], source: str = OCR) -> DraftTokens:
    """Return the draft of a page whose blocks are `parts`."""
    starts = [sum(map(len, parts[:number])) for number in range(len(parts))]
    return DraftTokens(tuple(token for part in parts for token in part), source, tuple(dict.fromkeys(starts)))


def path_to(tree: Tree, node: int) -> list[int]:
    """Return the nodes from below the root down to this one."""
    path = []
    while node > 0:
        path.append(node)
        node = tree.parents[node]
    return path[::-1]


def tokens_to(tree: Tree, node: int) -> tuple[int, ...]:
    """Return the tokens from below the root down to this node."""
    return tuple(tree.tokens[each] for each in path_to(tree, node))


def paths(tree: Tree) -> list[tuple[int, ...]]:
    """Return the tokens down to every node but the root."""
    return [tokens_to(tree, node) for node in range(1, len(tree))]
