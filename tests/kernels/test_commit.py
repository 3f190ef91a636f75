"""A commit moves the kept nodes together, wherever they overlap, and touches nothing else."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from docparse.kernels.commit import commit, fused, reference


def literal(slab, starts, kept):
    """One node of one row of one layer at a time."""
    out = slab.clone()
    for layer, row in torch.cartesian_prod(torch.arange(len(slab)), torch.arange(len(kept))).tolist():
        start = int(starts[layer, row])
        for target, source in enumerate(kept[row].tolist()):
            if source >= 0:
                out[layer, :, row, :, start + target] = slab[layer, :, row, :, start + source]
    return out


def moved(function, slab, starts, kept):
    """The slab afterwards, of whose rows the first may be live."""
    slab = slab.clone()
    function(slab[:, :, : len(kept)], starts, kept)
    return slab


def fused_copy(slab, starts, kept):
    """By the kernel. (A slab that is sent to the interpreter's process stays shared with it.)"""
    return moved(fused, slab, starts, kept)


@st.composite
def problems(draw):
    layers, rows, kv_heads, size, nodes, width = (draw(st.integers(1, most)) for most in (2, 3, 1, 3, 24, 24))
    paths = st.lists(st.integers(0, nodes - 1), unique=True, max_size=min(nodes, width)).map(sorted)
    kept = torch.full((rows, width), -1)
    for row in range(rows):
        path = draw(paths)
        kept[row, : len(path)] = torch.tensor(path, dtype=torch.long)
    starts = torch.tensor(draw(st.lists(st.integers(0, 9), min_size=layers * rows, max_size=layers * rows)))
    slab = torch.rand(layers, 2, rows + draw(st.integers(0, 1)), kv_heads, 9 + nodes + 1, size)  # one may not be live
    return slab, starts.view(layers, rows), kept


@settings(max_examples=15)
@given(problem=problems())
def test_reference_and_kernel_are_the_definition(interpreted, problem):
    wanted = literal(*problem)
    assert torch.equal(moved(reference, *problem), wanted)
    assert torch.equal(interpreted(fused_copy, *problem), wanted)


@pytest.mark.parametrize("path", [[*range(1, 40)], [0, *range(17, 40)], [*range(0, 40, 2)], [39]])
def test_more_nodes_and_numbers_than_one_tile(interpreted, dtype, path):
    slab = torch.rand(1, 2, 1, 1, 45, 70).to(dtype)
    problem = slab, torch.tensor([[3]], dtype=torch.int32), torch.tensor([path], dtype=torch.int32)
    assert torch.equal(interpreted(fused_copy, *problem), literal(*problem))
    assert torch.equal(moved(commit, *problem), literal(*problem))
