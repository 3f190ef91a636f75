"""Decode attention over gathered rows is softmax attention over exactly the rows that a node reads."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from docparse.kernels.decode_attention import Reads, decode_attention, fused, reference


def literal(query, key, value, reads, scaling):
    """One query at a time, in float64."""
    out = torch.zeros(query.shape, dtype=torch.float64)
    for b, h, n in torch.cartesian_prod(*map(torch.arange, query.shape[:3])).tolist():
        start = int(reads.starts[b])
        listed = [] if reads.rows is None else [row for row in reads.rows[b].tolist() if row >= 0]
        if reads.own is not None:
            listed = [
                row
                for row, own in zip(reads.rows[b].tolist(), reads.own[b, n].tolist(), strict=True)
                if own and row >= 0
            ]
        nodes = [start + j for j in range(query.shape[2]) if reads.tree is None or reads.tree[b, n, j]]
        rows = [*listed, *range(0 if reads.since is None else int(reads.since[b]), start), *nodes]
        keys, values = (slab[b, h * slab.shape[1] // query.shape[1], rows].double() for slab in (key, value))
        out[b, h, n] = torch.softmax(keys @ query[b, h, n].double() * scaling, 0) @ values
    return out


def bound(value):
    """Of the error: weights sum to 1 and are rounded once (the interpreter cuts off), and so is the sum of values. Each
    rounding is worth one unit in the last place of the largest value; float32 sums about a hundred terms more."""
    eps = torch.finfo(value.dtype).eps
    return float(value.abs().max()) * (2 * eps if value.dtype != torch.float32 else 16 * eps)


def random_tree(batch, nodes, generator):
    tree = torch.eye(nodes, dtype=torch.bool).repeat(batch, 1, 1)
    for b in range(batch):
        for node in range(1, nodes):
            tree[b, node] |= tree[b, int(torch.randint(node, (), generator=generator))]
    return tree


def problem(dtype, batch, heads, kv_heads, nodes, size, seed=0):
    """Slabs with room to spare, other lengths and another number of listed rows for each batch row."""
    draw = torch.Generator().manual_seed(seed)
    since = torch.randint(1, 20, (batch,), generator=draw)
    starts = since + torch.randint(0, 30, (batch,), generator=draw)
    slab = int(starts.max()) + nodes + 3
    query = torch.randn(batch, nodes, heads, size, generator=draw).to(dtype).transpose(1, 2)
    key, value = torch.randn(2, batch, kv_heads, slab, size, generator=draw).to(dtype)
    rows = torch.full((batch, 13), -1)
    for b in range(batch):
        listed = torch.randperm(int(since[b]), generator=draw)[:11]
        rows[b, torch.randperm(13, generator=draw)[: len(listed)]] = listed
    tree = random_tree(batch, nodes, draw) if nodes > 1 else None
    return query, key, value, Reads(rows, since, starts, tree), size**-0.5


def each_its_own(reads, nodes):
    """Every node reads about half of the listed rows."""
    draw = torch.Generator().manual_seed(5)
    return reads._replace(own=torch.rand(len(reads.rows), nodes, reads.rows.shape[1], generator=draw) < 0.5)


READS = {
    "listed": lambda reads, _: reads,
    "all": lambda reads, _: reads._replace(rows=None, since=None),
    "own": each_its_own,
}


@given(*(st.integers(1, most) for most in (3, 3, 3, 6, 9)), st.sampled_from([*READS]))
def test_the_reference_is_the_definition(batch, kv_heads, groups, nodes, size, which):
    *tensors, reads, scaling = problem(torch.float32, batch, kv_heads * groups, kv_heads, nodes, size)
    reads = READS[which](reads, nodes)
    wanted = literal(*tensors, reads, scaling)
    torch.testing.assert_close(reference(*tensors, reads, scaling).double(), wanted, atol=bound(tensors[2]), rtol=0)


@pytest.mark.parametrize("which", READS)
@pytest.mark.parametrize(
    ("sizes", "parts"),  # batch rows, query heads, heads of keys, nodes, numbers per head
    [((2, 6, 2, 3, 20), 2), ((1, 4, 4, 1, 16), 1), ((1, 7, 1, 11, 33), 4), ((3, 2, 1, 1, 5), 1)],
)
def test_the_kernel_is_the_definition(interpreted, dtype, sizes, parts, which):
    *tensors, reads, scaling = problem(dtype, *sizes, seed=1)
    reads = READS[which](reads, sizes[3])
    out, _ = interpreted(fused, *tensors, reads, scaling, parts)
    wanted = literal(*tensors, reads, scaling)
    assert out.dtype == dtype and out.transpose(1, 2).is_contiguous()  # as the next layer reads it
    torch.testing.assert_close(out.double(), wanted, atol=bound(tensors[2]), rtol=0)
    torch.testing.assert_close(reference(*tensors, reads, scaling).double(), wanted, atol=bound(tensors[2]), rtol=0)


def test_indices_may_be_int32_and_what_is_not_read_may_hold_anything(interpreted):
    query, key, value, reads, scaling = problem(torch.float32, 1, 2, 1, 2, 8)
    wanted = decode_attention(query, key, value, reads, scaling)
    read = {*reads.rows[0].tolist(), *range(int(reads.since[0]), int(reads.starts[0]) + 2)}
    others = [row for row in range(key.shape[2]) if row not in read]
    assert others
    key, value = key.clone(), value.clone()
    key[:, :, others], value[:, :, others] = 1e4, -1e4
    small = reads._replace(rows=reads.rows.int(), since=reads.since.int(), starts=reads.starts.int())
    torch.testing.assert_close(decode_attention(query, key, value, small, scaling), wanted, atol=0, rtol=0)
    torch.testing.assert_close(interpreted(decode_attention, query, key, value, small, scaling), wanted)


def on_views(*arguments):
    """With slabs that are rows of a larger cache, and queries that are part of a projection."""
    query, key, value, reads, scaling = arguments
    cache = torch.full((2, len(key) + 2, *key.shape[1:]), 1e4)
    cache[0, : len(key)], cache[1, : len(key)] = key, value
    projected = torch.cat((query.transpose(1, 2), torch.ones_like(query.transpose(1, 2))), 2)
    views = projected[:, :, : query.shape[1]].transpose(1, 2), *cache[:, : len(key)]
    return decode_attention(*views, reads, scaling)


def test_queries_and_slabs_may_be_views(interpreted):
    arguments = problem(torch.float32, 2, 4, 2, 3, 8)
    wanted = decode_attention(*arguments)
    torch.testing.assert_close(on_views(*arguments), wanted)
    torch.testing.assert_close(interpreted(on_views, *arguments), wanted)


def test_large_scores_do_not_overflow(interpreted):
    query, key, value, reads, _ = problem(torch.float32, 1, 2, 1, 2, 8)
    for function in (reference, lambda *arguments: interpreted(fused, *arguments)[0]):
        out = function(query * 100, key * 100, value, reads, 1.0)
        assert math.isfinite(float(out.abs().sum()))
