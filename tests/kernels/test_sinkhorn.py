"""The transport plan meets its marginals, is the one that long iteration reaches, and knows nothing of its batch."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from written_out import transport

from docparse.kernels.sinkhorn import sinkhorn

# Potentials of a few units, in float32 whatever the inputs, which are exact in it: a plan's entries are off by as much.
CLOSE = 1e-5


def cosines(batch, kept, merged, dtype=torch.float32, seed=0):
    return (torch.rand(batch, kept, merged, generator=torch.Generator().manual_seed(seed)) * 2 - 1).to(dtype)


@pytest.mark.parametrize(("batch", "kept", "merged"), [(1, 1, 1), (2, 19, 7), (3, 5, 33), (1, 17, 130)])
def test_the_plan_is_the_definition(interpreted, dtype, batch, kept, merged):
    """Similarities may be a view."""
    similarity = cosines(batch, merged, kept, dtype).transpose(1, 2)
    wanted = torch.tensor([transport(item.tolist(), 0.2, 12) for item in similarity])
    for plan, rounds in (sinkhorn(similarity, 0.2, 12, 0.0), interpreted(sinkhorn, similarity, 0.2, 12, 0.0)):
        assert plan.dtype == torch.float32
        assert (rounds <= 12).all()
        torch.testing.assert_close(plan, wanted, atol=CLOSE, rtol=1e-4)


@given(st.integers(1, 3), st.integers(1, 30), st.integers(1, 30), st.floats(-10, 10))
def test_marginals_are_met(batch, kept, merged, dustbin):
    plan, rounds = sinkhorn(cosines(batch, kept, merged), dustbin, iterations=2000)
    assert (rounds < 2000).all()
    rows, columns = torch.ones(batch, kept + 1), torch.ones(batch, merged + 1)
    rows[:, -1], columns[:, -1] = merged, kept
    torch.testing.assert_close(plan.sum(2), rows, rtol=1.1e-3, atol=0)  # the tolerance, and float32
    torch.testing.assert_close(plan.sum(1), columns, rtol=1e-4, atol=0)


def test_an_item_stops_by_itself_whatever_its_batch_and_the_kernel_when_the_reference_does(interpreted):
    """Flat similarities are met sooner."""
    similarity = torch.cat((cosines(1, 12, 9), cosines(1, 12, 9, seed=1) * 0.01, cosines(1, 12, 9, seed=2) * 4))
    wanted, rounds = sinkhorn(similarity)
    assert rounds.unique().numel() > 1
    for function in (sinkhorn, lambda *arguments: interpreted(sinkhorn, *arguments)):
        together, others = function(similarity)
        assert others.tolist() == rounds.tolist()
        torch.testing.assert_close(together, wanted, atol=CLOSE, rtol=1e-4)
        for item in range(3):
            alone, _ = function(similarity[item : item + 1])
            torch.testing.assert_close(together[item : item + 1], alone, atol=0, rtol=0)
