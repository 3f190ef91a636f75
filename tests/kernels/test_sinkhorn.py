"""The transport plan meets its marginals, is the one that long iteration reaches, and knows nothing of its batch."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from docparse.kernels.sinkhorn import sinkhorn

# Potentials of a few units, in float32 whatever the inputs, which are exact in it: a plan's entries are off by as much.
CLOSE = 1e-5


def literal(similarity: Tensor, dustbin: float, temperature: float, iterations: int) -> Tensor:
    """RTPrune's transport of one item as it is written, entry by entry, in plain numbers; times K + M."""
    kept, merged = similarity.shape
    total = kept + merged
    cost = [[float(similarity[i, j]) for j in range(merged)] + [dustbin] for i in range(kept)] + [
        [dustbin] * (merged + 1)
    ]
    kernel = [[math.exp(entry / temperature) for entry in row] for row in cost]
    mu, nu = [1 / total] * kept + [merged / total], [1 / total] * merged + [kept / total]
    left, right = [1.0] * (kept + 1), [1.0] * (merged + 1)
    for _ in range(iterations):
        left = [mu[i] / sum(kernel[i][j] * right[j] for j in range(merged + 1)) for i in range(kept + 1)]
        right = [nu[j] / sum(kernel[i][j] * left[i] for i in range(kept + 1)) for j in range(merged + 1)]
    return torch.tensor(
        [[total * left[i] * kernel[i][j] * right[j] for j in range(merged + 1)] for i in range(kept + 1)]
    )


def cosines(batch: int, kept: int, merged: int, dtype: torch.dtype = torch.float32, seed: int = 0) -> Tensor:
    return (torch.rand(batch, kept, merged, generator=torch.Generator().manual_seed(seed)) * 2 - 1).to(dtype)


@pytest.mark.parametrize(("batch", "kept", "merged"), [(1, 1, 1), (2, 19, 7), (3, 5, 33), (1, 17, 130)])
def test_the_plan_is_the_definition(interpreted, dtype, batch, kept, merged):
    similarity = cosines(batch, kept, merged, dtype)
    wanted = torch.stack([literal(item, 0.2, 0.5, 12) for item in similarity])
    for plan, rounds in (
        sinkhorn(similarity, 0.2, 0.5, 12, 0.0),
        interpreted(sinkhorn, similarity, 0.2, 0.5, 12, 0.0),
    ):
        assert plan.dtype == torch.float32
        assert (rounds <= 12).all()
        torch.testing.assert_close(plan, wanted, atol=CLOSE, rtol=1e-4)


@given(st.integers(1, 3), st.integers(1, 30), st.integers(1, 30), st.floats(0.1, 2), st.floats(-1, 1))
def test_marginals_are_met(batch, kept, merged, temperature, dustbin):
    plan, rounds = sinkhorn(cosines(batch, kept, merged), dustbin, temperature, iterations=2000)
    assert (rounds < 2000).all()
    rows, columns = torch.ones(batch, kept + 1), torch.ones(batch, merged + 1)
    rows[:, -1], columns[:, -1] = merged, kept
    torch.testing.assert_close(plan.sum(2), rows, rtol=1.1e-3, atol=0)  # the tolerance, and float32
    torch.testing.assert_close(plan.sum(1), columns, rtol=1e-4, atol=0)


def test_the_kernel_stops_when_the_reference_does(interpreted):
    similarity = torch.cat((cosines(1, 12, 9), cosines(1, 12, 9, seed=1) * 0.01, cosines(1, 12, 9, seed=2) * 4))
    wanted, rounds = sinkhorn(similarity)
    plan, others = interpreted(sinkhorn, similarity)
    assert rounds.unique().numel() > 1  # flat similarities are met sooner
    assert others.tolist() == rounds.tolist()
    torch.testing.assert_close(plan, wanted, atol=CLOSE, rtol=1e-4)


def test_an_item_does_not_depend_on_its_batch(interpreted):
    similarity = torch.cat((cosines(1, 12, 9), cosines(1, 12, 9, seed=1) * 0.01, cosines(1, 12, 9, seed=2) * 4))
    for function in (sinkhorn, lambda *arguments: interpreted(sinkhorn, *arguments)):
        together, _ = function(similarity)
        for item in range(3):
            alone, _ = function(similarity[item : item + 1])
            torch.testing.assert_close(together[item : item + 1], alone, atol=0, rtol=0)


def test_similarities_may_be_a_view(interpreted):
    similarity = cosines(2, 9, 5)
    turned = similarity.transpose(1, 2).contiguous().transpose(1, 2)
    wanted, _ = sinkhorn(similarity)
    torch.testing.assert_close(interpreted(sinkhorn, turned)[0], wanted, atol=CLOSE, rtol=1e-4)


def test_the_best_match_gets_the_most():
    plan, _ = sinkhorn(torch.tensor([[[0.9, 0.1], [0.0, 0.8], [0.1, 0.1]]]), temperature=0.1)
    assert plan[0, :3, 0].argmax() == 0
    assert plan[0, :3, 1].argmax() == 1


def test_empty_sides_and_settings_out_of_range_are_refused():
    for shape in ((0, 2, 2), (1, 0, 2), (1, 2, 0), (2, 2)):
        with pytest.raises(ValueError, match="similarities"):
            sinkhorn(torch.zeros(shape))
    for settings_ in ({"temperature": 0.0}, {"iterations": 0}, {"tolerance": -1.0}):
        with pytest.raises(ValueError, match="must be positive"):
            sinkhorn(torch.zeros(1, 2, 2), **settings_)
