"""The density of a box is the share of pixels on an edge, by the definition written out."""

import numpy as np
import pytest
import torch
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from written_out import gradient

from docparse.kernels.edge_density import edge_density, pixel_boxes

SIDE = st.integers(1, 9)
PAGE = st.tuples(SIDE, SIDE, st.just(3)).flatmap(lambda shape: arrays(np.uint8, shape))
EDGE = 1e-5  # a magnitude this close to theta may fall on either side: sums run in another order


def fractions(rows, columns):
    """A grid's boxes, row by row."""
    i, j = torch.meshgrid(torch.arange(rows), torch.arange(columns), indexing="ij")
    return torch.stack((j / columns, i / rows, (j + 1) / columns, (i + 1) / rows), -1).reshape(-1, 4)


def shares(edges, rows, columns):
    """Of each patch of a grid: it holds every pixel that it touches."""
    height, width = edges.shape
    spans = [[slice(n * side // parts, -(-(n + 1) * side // parts)) for n in range(parts)]
             for side, parts in ((height, rows), (width, columns))]  # fmt: skip
    return [float(edges[down, across].mean()) for down in spans[0] for across in spans[1]]


@given(PAGE, st.integers(1, 12), st.integers(1, 12), st.floats(0.05, 4))
def test_the_reference_is_the_definition_on_any_grid(pixels, rows, columns, theta):
    lengths = gradient(pixels)
    assume((abs(lengths - theta) > EDGE).all())
    found = edge_density(torch.from_numpy(pixels), pixel_boxes(fractions(rows, columns), *pixels.shape[:2]), theta)
    assert found.dtype == torch.float32
    assert found.tolist() == pytest.approx(shares(lengths > theta, rows, columns), abs=1e-6)


@pytest.mark.parametrize(("shape", "theta"), [((37, 29, 3), 1.5), ((1, 1, 3), 0.2), ((40, 3, 3), 3.0)])
def test_the_kernel_is_the_definition(interpreted, shape, theta):
    """Pixels may be a view."""
    pixels = np.random.default_rng(0).integers(0, 256, shape, dtype=np.uint8)
    std = (0.27, 0.26, 0.28)
    view = torch.from_numpy(np.ascontiguousarray(np.moveaxis(pixels, -1, 0))).movedim(0, -1)
    wanted = shares(gradient(pixels, std) > theta, 2, 3)
    for function in (edge_density, lambda *arguments: interpreted(edge_density, *arguments)):
        found = function(view, pixel_boxes(fractions(2, 3), *shape[:2]), theta, std)
        assert found.tolist() == pytest.approx(wanted, abs=1e-6)
    assert shape == (1, 1, 3) or 0 < np.mean(wanted) < 1


def test_boxes_may_overlap_and_be_empty(interpreted):
    pixels = torch.zeros(8, 8, 3, dtype=torch.uint8)
    pixels[:, 4:] = 255
    boxes = torch.tensor([[0, 0, 8, 8], [3, 0, 5, 8], [3, 2, 3, 6], [5, 5, 4, 4], [6, 0, 8, 8]], dtype=torch.int32)
    for function in (edge_density, lambda *arguments: interpreted(edge_density, *arguments)):
        assert function(pixels, boxes).tolist() == [0.25, 1.0, 0.0, 0.0, 0.0]
        assert not function(torch.full_like(pixels, 201), boxes, 0.0).any()  # of one colour


def test_a_box_in_fractions_holds_the_pixels_that_it_touches():
    boxes = torch.tensor([[0, 0, 0.5, 1], [0.45, 0.2, 0.55, 0.4], [0.5, 0.3, 0.5, 0.9], [1, 0, 1, 1]])
    assert pixel_boxes(boxes, 10, 10).tolist() == [[0, 0, 5, 10], [4, 2, 6, 4], [0, 0, 0, 0], [0, 0, 0, 0]]
    structural = torch.full((1, 4), torch.nan)
    assert edge_density(torch.ones(4, 4, 3, dtype=torch.uint8), pixel_boxes(structural, 4, 4)).tolist() == [0.0]
