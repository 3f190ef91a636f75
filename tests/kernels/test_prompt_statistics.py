"""Scores and sparsity are VL-Cache's, of the whole matrix that is never written."""

import pytest
import torch

from docparse.kernels.prompt_statistics import fused, prompt_statistics, reference

# All inputs are exact in float32, where scores are sums of at most fifty weights below 1 in any of the three dtypes.
SCORES = 2e-5
EDGE = 1e-4  # an entry this close to the threshold, relative, may fall on either side of it


def literal(query, key, starts, scaling, threshold):
    """One query of one head at a time, in float64: scores, sparsity, and the share of entries on the threshold."""
    batch, heads, count, _ = query.shape
    score = torch.zeros(batch, key.shape[2], dtype=torch.float64)
    below, edge, visible = (torch.zeros(batch, dtype=torch.float64) for _ in range(3))
    for b, h, t in torch.cartesian_prod(torch.arange(batch), torch.arange(heads), torch.arange(count)).tolist():
        end = int(starts[b]) + t + 1
        attention = (key[b, h * key.shape[1] // heads, :end].double() @ query[b, h, t].double() * scaling).softmax(0)
        score[b, :end] += attention / heads
        relative = attention / attention.max()
        below[b] += (relative < threshold).sum()
        edge[b] += ((relative / threshold - 1).abs() < EDGE).sum()
        visible[b] += end
    return score, below / visible, edge / visible


def problem(dtype, heads, kv_heads, count, size):
    draw = torch.Generator().manual_seed(5)
    starts = torch.tensor([41, 0])
    query = torch.randn(2, count, heads, size, generator=draw).to(dtype).transpose(1, 2)
    key = (torch.randn(2, kv_heads, 41 + count, size, generator=draw) * 3).to(dtype)
    return query, key, starts


@pytest.mark.parametrize("threshold", [0.01, 0.3])
@pytest.mark.parametrize(
    ("heads", "kv_heads", "count", "size", "parts"), [(6, 2, 5, 20, 2), (3, 3, 1, 16, 1), (7, 1, 19, 33, 4)]
)
def test_the_statistics_are_the_definition(interpreted, dtype, heads, kv_heads, count, size, parts, threshold):
    inputs = problem(dtype, heads, kv_heads, count, size)
    score, sparsity, edge = literal(*inputs, size**-0.5, threshold)
    assert 0 < sparsity.max() < 1
    for answer in (
        reference(*inputs, size**-0.5, threshold),
        interpreted(fused, *inputs, size**-0.5, threshold, parts),
    ):
        assert answer[0].dtype == answer[1].dtype == torch.float32
        torch.testing.assert_close(answer[0].double(), score, atol=SCORES, rtol=0)
        assert ((answer[1] - sparsity).abs() <= edge + 1e-6).all()


def test_keys_after_the_last_query_score_nothing_whatever_they_hold(interpreted):
    query, key, starts = problem(torch.float32, 4, 2, 5, 8)
    wanted = prompt_statistics(query, key, starts, 1.0)
    key[1, :, 5:] = 1e4
    for scores, sparsity in (
        prompt_statistics(query, key, starts, 1.0),
        interpreted(prompt_statistics, query, key, starts, 1.0),
    ):
        assert not scores[1, 5:].any()
        torch.testing.assert_close((scores, sparsity), wanted)
