"""Acceptance walks down a tree by equation (10) of the HSD paper, on numbers computed once per pass."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from docparse.accel.method import Acceptance
from docparse.engine.session import TreeLogits
from docparse.engine.tree import Candidate, Tree
from docparse.vlm.verify import accept, accepts, score


def answers(logits, trees):
    """Of trees whose logits are `[B, N, V]`."""
    nodes = logits.shape[1]
    return TreeLogits(logits.flatten(0, 1), [slice(i * nodes, i * nodes + len(tree)) for i, tree in enumerate(trees)])


def decide(logits, tree, acceptance):
    return accept(tree, *score(answers(logits, [tree]), [tree], [acceptance]), acceptance)


TREE = Tree.grow(0, [Candidate([1, 2], "a"), Candidate([3, 4], "b")], 8)  # nodes: 0 root, 1-2 first, 3-4 second


@pytest.mark.parametrize(
    ("rule", "tau", "accepted"),
    [
        ("log-ratio", 0.55, True),
        ("log-ratio", 0.6, False),
        ("ratio", 0.5, True),
        ("ratio", 0.6, False),
        ("ratio", 1.0, False),
    ],
)
def test_a_child_that_is_nearly_as_probable(rule, tau, accepted):
    """p = 0.5 against 0.3: log 0.5 / log 0.3 = 0.576, and 0.3 / 0.5 = 0.6."""
    logits = torch.zeros(1, len(TREE), 6, dtype=torch.float64)
    logits[0, 0] = torch.tensor([1 / 30, 0.1, 1 / 30, 0.3, 1 / 30, 0.5]).log()
    decided = decide(logits, TREE, Acceptance(tau, rule))
    assert decided.path[:1] == ((3,) if accepted else ())


def test_at_tau_one_a_tie_is_no_agreement():
    """Also where a neighbour in the batch, with `tau` below one, has the probabilities computed."""
    tied = torch.zeros(2, 2, 6)
    tied[:, 0, 2] = tied[:, 0, 4] = 3.0
    best = int(tied[0, 0].argmax())
    trees = [Tree.grow(0, [Candidate([6 - best], "a")], 1)] * 2
    for neighbour, path in ((1.0, ()), (0.9, (1,))):
        rules = [Acceptance(1.0), Acceptance(neighbour)]
        scores = score(answers(tied, trees), trees, rules)
        assert accept(trees[0], scores[0], rules[0]).path == ()
        assert accept(trees[1], scores[1], rules[1]).path == path
    assert decide(tied[:1], Tree.grow(0, [Candidate([best], "a")], 1), Acceptance(1.0)).path == (1,)


@given(best=st.floats(1e-9, 5.0), extra=st.floats(0.0, 5.0), tau=st.floats(0.0, 1.0))
def test_the_rules_are_monotone_in_tau_and_agree_that_equals_are_equal(best, extra, tau):
    for rule in ("log-ratio", "ratio"):
        if accepts(best, best + extra, Acceptance(tau, rule)):
            assert accepts(best, best + extra, Acceptance(tau / 2, rule))
        assert accepts(best, best, Acceptance(tau, rule))
