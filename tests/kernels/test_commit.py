"""A commit moves the kept nodes together, wherever they overlap, and touches nothing else."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from docparse.kernels.commit import commit, fused, reference


def literal(slab: Tensor, starts: Tensor, kept: Tensor) -> Tensor:
    """One node of one row of one layer at a time."""
    out = slab.clone()
    for layer, row in torch.cartesian_prod(torch.arange(len(slab)), torch.arange(len(kept))).tolist():
        start = int(starts[layer, row])
        for target, source in enumerate(kept[row].tolist()):
            if source >= 0:
                out[layer, :, row, :, start + target] = slab[layer, :, row, :, start + source]
    return out


def moved(function, slab: Tensor, starts: Tensor, kept: Tensor) -> Tensor:
    """The slab afterwards."""
    slab = slab.clone()
    function(slab, starts, kept)
    return slab


def fused_copy(slab: Tensor, starts: Tensor, kept: Tensor) -> Tensor:
    """By the kernel. (A slab that is sent to the interpreter's process stays shared with it.)"""
    return moved(fused, slab, starts, kept)


@st.composite
def problems(draw: st.DrawFn) -> tuple[Tensor, Tensor, Tensor]:
    layers, rows, kv_heads, size, nodes, width = (draw(st.integers(1, most)) for most in (2, 3, 1, 3, 24, 24))
    paths = st.lists(st.integers(0, nodes - 1), unique=True, max_size=min(nodes, width)).map(sorted)
    kept = torch.full((rows, width), -1)
    for row in range(rows):
        path = draw(paths)
        kept[row, : len(path)] = torch.tensor(path, dtype=torch.long)
    starts = torch.tensor(draw(st.lists(st.integers(0, 9), min_size=layers * rows, max_size=layers * rows)))
    slab = torch.rand(layers, 2, rows, kv_heads, 9 + nodes + 1, size)
    return slab, starts.view(layers, rows), kept


@given(problems())
def test_the_reference_is_the_definition(problem):
    assert torch.equal(moved(reference, *problem), literal(*problem))


@settings(max_examples=15)
@given(problem=problems())
def test_the_kernel_is_the_definition(interpreted, problem):
    assert torch.equal(interpreted(fused_copy, *problem), literal(*problem))


@pytest.mark.parametrize("path", [[*range(1, 40)], [0, *range(17, 40)], [*range(0, 40, 2)], [39]])
def test_more_nodes_and_numbers_than_one_tile(interpreted, dtype, path):
    slab = torch.rand(1, 2, 1, 1, 45, 70).to(dtype)
    problem = slab, torch.tensor([[3]], dtype=torch.int32), torch.tensor([path], dtype=torch.int32)
    assert torch.equal(interpreted(fused_copy, *problem), literal(*problem))
    assert torch.equal(moved(commit, *problem), literal(*problem))


def two_rows(function, slab: Tensor, starts: Tensor, kept: Tensor) -> Tensor:
    slab = slab.clone()
    function(slab[:, :, :2], starts, kept)
    return slab


def test_a_slab_may_have_more_rows_than_live(interpreted):
    slab = torch.rand(2, 2, 4, 2, 12, 5)
    starts, kept = torch.tensor([[3, 1], [0, 5]]), torch.tensor([[1, 3], [2, -1]])
    wanted = slab.clone()
    wanted[:, :, :2] = literal(slab[:, :, :2], starts, kept)
    assert torch.equal(interpreted(two_rows, fused, slab, starts, kept), wanted)
    assert torch.equal(two_rows(commit, slab, starts, kept), wanted)


def test_shapes_that_disagree_are_refused():
    slab, starts, kept = torch.zeros(2, 2, 3, 1, 8, 4), torch.zeros(2, 3).long(), torch.zeros(3, 2).long()
    for wrong in ((slab, starts[:1], kept), (slab, starts, kept[:2]), (slab, starts, kept[0])):
        with pytest.raises(ValueError, match="does not go with"):
            commit(*wrong)
