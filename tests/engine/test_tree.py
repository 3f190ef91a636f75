"""Candidates merge into one packed tree: shared beginnings once, parents before children, subtrees contiguous."""

import numpy as np
import pytest
from drafted import paths
from hypothesis import given
from hypothesis import strategies as st

from docparse.engine.tree import Candidate, Tree

sequences = st.lists(st.lists(st.integers(0, 3), max_size=8), max_size=8)


def grow(lists, nodes):
    return Tree.grow(9, [Candidate(tokens, f"s{i}") for i, tokens in enumerate(lists)], nodes)


@given(sequences, st.integers(0, 12) | st.just(1000))
def test_a_budget_keeps_the_best_candidates_and_every_beginning_once(lists, nodes):
    """The best fills the first rows, and a node remembers who made it first."""
    tree, wanted = grow(lists, nodes), set()
    for tokens in lists:
        for end in range(1, len(tokens) + 1):
            if tuple(tokens[:end]) not in wanted and len(wanted) == nodes:
                break
            wanted.add(tuple(tokens[:end]))
    assert sorted(paths(tree)) == sorted(wanted)
    first = lists[0][:nodes] if lists else []
    assert (tree.tokens[1 : len(first) + 1], tree.parents[1 : len(first) + 1]) == (first, list(range(len(first))))
    for path, source in zip(paths(tree), tree.sources[1:], strict=True):
        assert source == next(f"s{i}" for i, tokens in enumerate(lists) if tuple(tokens[: len(path)]) == path)


@given(sequences, st.integers(0, 40))
def test_nodes_are_packed_depth_first(lists, nodes):
    tree = grow(lists, nodes)
    ancestors = tree.ancestors()
    for node in range(len(tree)):
        up, chain = tree.parents[node], {node}
        assert up < node and tree.depths[node] == (tree.depths[up] + 1 if node else 0)
        while up >= 0:
            chain.add(up)
            up = tree.parents[up]
        assert set(np.flatnonzero(ancestors[node])) == chain
        assert np.flatnonzero(ancestors[:, node]).tolist() == list(range(node, tree.ends[node]))
        assert tree.children(node) == [child for child in range(len(tree)) if tree.parents[child] == node]


@pytest.mark.parametrize("candidates", [[], [Candidate((), "ocr")]])
def test_nothing_to_propose_is_a_plain_step(candidates):
    assert Tree.grow(5, candidates, 10) == Tree.bare(5)
