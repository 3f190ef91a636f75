"""Trees hold the likeliest nodes, and only as many as pay."""

from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from drafted import paths
from hypothesis import given
from hypothesis import strategies as st

from docparse.accel.costs import CostCurve
from docparse.accel.sizing import MEMORY, Budget, Rate, Rates, best_nodes, learn
from docparse.engine.tree import Candidate, Tree

Chain = Sequence[tuple[int, float]]

chains = st.lists(st.lists(st.tuples(st.integers(0, 3), st.floats(0.05, 1.0)), max_size=6), max_size=5)
curves = st.builds(
    lambda base, steps: CostCurve({1 + i: base + sum(steps[:i]) for i in range(len(steps) + 1)}),
    st.floats(0.1, 10.0),
    st.lists(st.floats(0.0, 3.0), min_size=20, max_size=20),
)


@dataclass
class Proposed:
    """A chain as a proposal, number `name`."""

    name: int
    chain: Chain
    lead: "Proposed | None" = None
    ahead: int = 0

    @property
    def rate(self):
        return Rate(self.chain[0][1] if self.chain else 0.0)

    def path(self, length):
        before = self.lead.path(self.ahead) if self.lead else []
        return before + [token for token, _ in self.chain[:length]]


def proposals(lists):
    return [Proposed(i, chain) for i, chain in enumerate(lists)]


def best_tree(root, proposed, budget):
    lengths, nodes = best_nodes(proposed, lambda one: iter(one.chain), budget)
    candidates = [Candidate(proposed[rank].path(length), f"s{proposed[rank].name}") for rank, length in lengths.items()]
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
def test_without_costs_the_likeliest_nodes_fill_the_budget(lists, nodes):
    known = probabilities(lists)
    tree = best_tree(9, proposals(lists), Budget(nodes))
    assert len(tree) - 1 == min(nodes, len(known))
    taken = sum(known[path] for path in paths(tree))
    assert taken == pytest.approx(sum(sorted(known.values(), reverse=True)[:nodes]))


@given(chains, st.integers(1, 12), curves)
def test_with_costs_no_other_number_of_nodes_is_faster(lists, nodes, costs):
    known = probabilities(lists)
    ranked = sorted(known.values(), reverse=True)[:nodes]
    speeds = [(1 + sum(ranked[:k])) / costs.seconds(1 + k) for k in range(len(ranked) + 1)]
    tree = best_tree(9, proposals(lists), Budget(nodes, costs))
    speed = (1 + sum(known[path] for path in paths(tree))) / costs.seconds(len(tree))
    assert speed == pytest.approx(max(speeds))


@given(chains, st.data())
def test_a_proposal_may_begin_within_another(lists, data):
    """Like one chain that repeats the beginning of the other, which is what it is merged with."""
    led = proposals(lists)
    whole = list(lists)
    for rank in range(1, len(lists)):
        lead = data.draw(st.integers(0, rank - 1))
        after = data.draw(st.integers(0, len(lists[lead])))
        led[rank].lead, led[rank].ahead = led[lead], after
        whole[rank] = [*whole[lead][: len(whole[lead]) - len(lists[lead]) + after], *lists[rank]]
    tree, same = best_tree(9, led, Budget(100)), best_tree(9, proposals(whole), Budget(100))
    assert sorted(paths(tree)) == sorted(paths(same))
    for node in range(1, len(tree)):
        assert tree.tokens[node] in [token for token, _ in whole[int(tree.sources[node][1:])]]


@given(chains)
def test_the_likeliest_branch_comes_first(lists):
    known = probabilities(lists)
    tree = best_tree(9, proposals(lists), Budget(30))
    children = [path for path in paths(tree) if len(path) == 1]
    assert [known[path] for path in children] == sorted((known[path] for path in children), reverse=True)


def test_what_is_never_due_is_never_asked_for():
    asked = []

    def walk(one):
        asked.append(one.name)
        return iter(one.chain)

    best_nodes(proposals([[(1, 0.9), (2, 0.9)], [(3, 0.8)], [(4, 0.7)]]), walk, Budget(3))
    assert asked == [0, 1]


def test_rates_begin_with_the_prior_follow_what_is_seen_and_forget():
    rates = Rates(lambda kind: 0.8)
    rate = rates["ocr", "run"]
    assert rate.chance == rates["text-layer", "run"].chance == pytest.approx(0.8)
    learn([rate] * 1000, False)
    assert rate.chance < 0.02
    learn([rate] * 2 * MEMORY, True)
    assert rate.chance > 0.7
    assert rates["text-layer", "run"].chance == pytest.approx(0.8)
