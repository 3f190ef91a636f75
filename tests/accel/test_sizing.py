"""Trees hold the likeliest nodes, and only as many as pay."""

import pytest
from drafted import paths
from hypothesis import given
from hypothesis import strategies as st

from docparse.accel.costs import CostCurve
from docparse.accel.sizing import Budget, best_nodes
from docparse.engine.tree import Candidate, Tree

chains = st.lists(st.lists(st.tuples(st.integers(0, 3), st.floats(0.05, 1.0)), max_size=6), max_size=5)
curves = st.builds(
    lambda base, steps: CostCurve({1 + i: base + sum(steps[:i]) for i in range(len(steps) + 1)}),
    st.floats(0.1, 10.0),
    st.lists(st.floats(0.0, 3.0), min_size=20, max_size=20),
)


def best_tree(root, lists, budget, asked=None):
    def walk(number):
        if asked is not None:
            asked.append(number)
        return iter(lists[number])

    lengths, nodes = best_nodes([chain[0][1] if chain else 0.0 for chain in lists], walk, budget)
    candidates = [
        Candidate([token for token, _ in lists[number][:length]], f"s{number}") for number, length in lengths.items()
    ]
    return Tree.grow(root, candidates, nodes)


def probabilities(lists):
    """Of every node, by its path: the product of the chances; of equal continuations the likelier."""
    found = {}
    for chain in lists:
        path, probability = (), 1.0
        for token, chance in chain:
            path, probability = (*path, token), probability * chance
            found[path] = max(found.get(path, 0.0), probability)
    return found


@given(chains, st.integers(1, 12))
def test_without_costs_the_likeliest_nodes_fill_the_budget_the_likeliest_branch_first(lists, nodes):
    known = probabilities(lists)
    tree = best_tree(9, lists, Budget(nodes))
    assert len(tree) - 1 == min(nodes, len(known))
    taken = sum(known[path] for path in paths(tree))
    assert taken == pytest.approx(sum(sorted(known.values(), reverse=True)[:nodes]))
    children = [known[path] for path in paths(tree) if len(path) == 1]
    assert children == sorted(children, reverse=True)


@given(chains, st.integers(1, 12), curves)
def test_with_costs_no_other_number_of_nodes_is_faster(lists, nodes, costs):
    known = probabilities(lists)
    ranked = sorted(known.values(), reverse=True)[:nodes]
    speeds = [(1 + sum(ranked[:k])) / costs.seconds(1 + k) for k in range(len(ranked) + 1)]
    tree = best_tree(9, lists, Budget(nodes, costs))
    speed = (1 + sum(known[path] for path in paths(tree))) / costs.seconds(len(tree))
    assert speed == pytest.approx(max(speeds))


def test_what_is_never_due_is_never_asked_for():
    asked = []
    best_tree(9, [[(1, 0.9), (2, 0.9)], [(3, 0.8)], [(4, 0.7)]], Budget(3), asked)
    assert asked == [0, 1]
