"""A focal layer attends to everything and tells how much of it each visual row got."""

import pytest
import torch

from docparse.kernels.decode_attention import Reads, decode_attention
from docparse.kernels.focal_attention import focal_attention, fused, reference

SHARES = 1e-5  # of shares below 1, in float32 whatever the inputs: sums of at most a hundred exponentials


def literal(query, key, reads, visual, scaling):
    """The mean over heads of each softmax, one query and one visual row at a time, in float64."""
    batch, heads, nodes, _ = query.shape
    shares = torch.zeros(batch, nodes, visual.shape[1], dtype=torch.float64)
    for b, n, h in torch.cartesian_prod(torch.arange(batch), torch.arange(nodes), torch.arange(heads)).tolist():
        start = int(reads.starts[b])
        read = [*range(start), *(start + j for j in range(nodes) if reads.tree is None or reads.tree[b, n, j])]
        score = key[b, h * key.shape[1] // heads, read].double() @ query[b, h, n].double() * scaling
        weight = score.softmax(0)
        for place, row in enumerate(visual[b].tolist()):
            if row >= 0:
                shares[b, n, place] += weight[read.index(row)] / heads
    return shares


def problem(dtype, heads, kv_heads, nodes, size):
    draw = torch.Generator().manual_seed(3)
    starts = torch.tensor([47, 12])
    query = torch.randn(2, nodes, heads, size, generator=draw).to(dtype).transpose(1, 2)
    key, value = torch.randn(2, 2, kv_heads, 60, size, generator=draw).to(dtype)
    tree = torch.tril(torch.rand(2, nodes, nodes, generator=draw) < 0.5) | torch.eye(nodes, dtype=torch.bool)
    visual = torch.full((2, 37), -1)
    visual[0, :35] = torch.arange(35) + 5
    visual[1, torch.randperm(37, generator=draw)[:6]] = torch.arange(6) + 3
    return query, key, value, Reads(None, None, starts, tree if nodes > 1 else None), visual


@pytest.mark.parametrize(
    ("heads", "kv_heads", "nodes", "size", "parts"), [(6, 2, 3, 20, 2), (4, 4, 1, 16, 1), (7, 1, 11, 33, 4)]
)
def test_shares_are_the_definition(interpreted, dtype, heads, kv_heads, nodes, size, parts):
    query, key, value, reads, visual = problem(dtype, heads, kv_heads, nodes, size)
    wanted = literal(query, key, reads, visual, size**-0.5)
    attention = decode_attention(query, key, value, reads, size**-0.5)
    for out, shares in (
        reference(query, key, value, reads, visual, size**-0.5),
        interpreted(fused, query, key, value, reads, visual, size**-0.5, parts),
    ):
        assert shares.dtype == torch.float32
        torch.testing.assert_close(shares.double(), wanted, atol=SHARES, rtol=0)
        # A weight and a sum are rounded once each, here and there: four units in the last place of the largest value.
        eps = torch.finfo(dtype).eps if dtype != torch.float32 else 1e-6
        torch.testing.assert_close(out, attention, atol=4 * eps * float(value.abs().max()), rtol=0)


def test_a_row_that_lists_what_it_reads_may_stand_beside_one_that_is_shown_everything(interpreted):
    query, key, value, reads, visual = problem(torch.float32, 4, 2, 3, 8)
    visual[1] = -1
    rows = torch.full((2, 5), -1)
    rows[1] = torch.tensor([2, 3, 5, 8, 9])
    mixed = reads._replace(rows=rows, since=torch.tensor([0, 10]))
    wanted = decode_attention(query, key, value, mixed, 1.0)
    shares = literal(query, key, reads, visual, 1.0)
    for function in (focal_attention, lambda *arguments: interpreted(focal_attention, *arguments)):
        out, found = function(query, key, value, mixed, visual, 1.0)
        torch.testing.assert_close(out, wanted, atol=1e-5, rtol=0)
        torch.testing.assert_close(found.double(), shares, atol=SHARES, rtol=0)
        assert (found[1] == 0).all()
