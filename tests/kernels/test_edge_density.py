"""Density on the device is that of docparse.density."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from docparse.density import box_density, density, sobel_magnitude
from docparse.kernels.edge_density import edge_density, pixel_boxes

SIDE = st.integers(1, 9)
PAGE = st.one_of(st.tuples(SIDE, SIDE), st.tuples(SIDE, SIDE, st.just(3))).flatmap(lambda s: arrays(np.uint8, s))
EDGE = 1e-5  # a magnitude this close to theta may fall on either side: the two sum in another order


def fractions(rows: int, columns: int) -> torch.Tensor:
    """A grid's boxes, row by row."""
    i, j = torch.meshgrid(torch.arange(rows), torch.arange(columns), indexing="ij")
    return torch.stack((j / columns, i / rows, (j + 1) / columns, (i + 1) / rows), -1).reshape(-1, 4)


def assert_same(found: torch.Tensor, wanted: np.ndarray, pixels: np.ndarray, theta: float, std=(0.5,) * 3) -> None:
    if (abs(sobel_magnitude(pixels, std=std) - theta) > EDGE).all():
        np.testing.assert_allclose(found.numpy(), wanted.ravel(), atol=1e-6)


@given(PAGE, st.integers(1, 12), st.integers(1, 12), st.floats(0.05, 4))
def test_the_reference_is_the_definition_on_any_grid(pixels, rows, columns, theta):
    boxes = pixel_boxes(fractions(rows, columns), *pixels.shape[:2])
    found = edge_density(torch.from_numpy(pixels), boxes, theta)
    assert found.dtype == torch.float32
    assert_same(found, density(pixels, (rows, columns), theta), pixels, theta)


@pytest.mark.parametrize(("shape", "theta"), [((37, 29, 3), 1.5), ((37, 50), 1.7), ((1, 1, 3), 0.2), ((40, 3, 3), 3.0)])
def test_the_kernel_is_the_definition(interpreted, shape, theta):
    """Pixels may be a view."""
    pixels = np.random.default_rng(0).integers(0, 256, shape, dtype=np.uint8)
    boxes, std = fractions(2, 3), (0.27, 0.26, 0.28)
    view = torch.from_numpy(np.ascontiguousarray(np.moveaxis(pixels, -1, 0))).movedim(0, -1)
    wanted = box_density(pixels, boxes.numpy(), theta, std=std)
    whole = pixel_boxes(boxes, *shape[:2])
    for function in (edge_density, lambda *arguments: interpreted(edge_density, *arguments)):
        assert_same(function(view, whole, theta, std), wanted, pixels, theta, std)
    assert shape == (1, 1, 3) or 0 < wanted.mean() < 1


def test_a_page_of_one_colour_has_no_text(interpreted):
    pixels = torch.full((7, 9, 3), 201, dtype=torch.uint8)
    boxes = pixel_boxes(fractions(2, 2), 7, 9)
    assert not edge_density(pixels, boxes, theta=0.0).any()
    assert not interpreted(edge_density, pixels, boxes, 0.0).any()


def test_boxes_may_overlap_and_be_empty(interpreted):
    pixels = torch.zeros(8, 8, dtype=torch.uint8)
    pixels[:, 4:] = 255
    boxes = torch.tensor([[0, 0, 8, 8], [3, 0, 5, 8], [3, 2, 3, 6], [5, 5, 4, 4], [6, 0, 8, 8]], dtype=torch.int32)
    for function in (edge_density, lambda *arguments: interpreted(edge_density, *arguments)):
        assert function(pixels, boxes).tolist() == [0.25, 1.0, 0.0, 0.0, 0.0]
