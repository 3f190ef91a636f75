"""Decision trees as the reader of furniture uses them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse.layout.kinds.forest import Forest, shipped_forest

# wide: is it over 3, and then, is it over 5? deep: is it over 1?
FOREST = Forest(
    names=("wide", "deep"),
    measure=np.array([0, 0, 0, 0, 0, 1, 0, 0]),
    threshold=np.array([3.0, 0, 5.0, 0, 0, 1.0, 0, 0], np.float32),
    left=np.array([1, 1, 3, 3, 4, 6, 6, 7]),
    right=np.array([2, 1, 4, 3, 4, 7, 6, 7]),
    vote=np.array([0, -1.0, 0, 0.5, 2.0, 0, -0.25, 0.25], np.float32),
    roots=np.array([0, 5]),
    bias=0.1,
    depth=2,
)


@given(st.floats(-10, 10, width=32), st.floats(-10, 10, width=32))
def test_every_tree_votes_with_the_leaf_that_the_measures_lead_to(wide, deep):
    votes = (-1.0 if wide <= 3 else 0.5 if wide <= 5 else 2.0) + (-0.25 if deep <= 1 else 0.25)
    chance = FOREST.probability({"deep": deep, "wide": wide})
    assert chance == pytest.approx(1 / (1 + np.exp(-0.1 - votes)))


def test_a_measure_that_is_missing_is_an_error():
    with pytest.raises(KeyError, match="deep"):
        FOREST.probability({"wide": 1.0})


def test_the_model_that_ships_is_one_of_trees_that_end():
    forest = shipped_forest("furniture")
    nodes = forest.roots
    for _ in range(forest.depth):
        nodes = np.unique(np.concatenate([forest.left[nodes], forest.right[nodes]]))
    assert (forest.left[nodes] == nodes).all()
    assert (forest.right[nodes] == nodes).all()
