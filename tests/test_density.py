"""The text density is the definition in its module, to the pixel."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from docparse.density import box_density, density, page_density, sobel_magnitude

SIDE = st.integers(1, 9)
RGB = st.tuples(SIDE, SIDE, st.just(3)).flatmap(lambda shape: arrays(np.uint8, shape))
GRID = st.tuples(st.integers(1, 12), st.integers(1, 12))
HALF = (0.5,) * 3


def by_definition(pixels, mean=HALF, std=HALF):
    """Steps 1 to 4: gray values of the encoder, edges repeated, Sobel's two kernels, the length of both."""
    gray = ((pixels / 255 - mean) / std) @ (0.299, 0.587, 0.114)
    around = np.pad(gray, 1, mode="edge")
    height, width = gray.shape
    kernel = {(dy, dx): dx * (2 - abs(dy)) for dy in (-1, 0, 1) for dx in (-1, 0, 1)}
    at = {(dy, dx): around[1 + dy : 1 + dy + height, 1 + dx : 1 + dx + width] for dy, dx in kernel}
    return np.hypot(
        sum(weight * at[dy, dx] for (dy, dx), weight in kernel.items()),
        sum(weight * at[dx, dy] for (dy, dx), weight in kernel.items()),
    )


@given(RGB, st.sampled_from([(HALF, HALF), ((0.48, 0.46, 0.41), (0.27, 0.26, 0.28))]))
def test_magnitude_is_the_definition_on_the_scale_that_is_asked_for(pixels, scale):
    result = sobel_magnitude(pixels, *scale)
    assert result.dtype == np.float32
    np.testing.assert_allclose(result, by_definition(pixels, *scale), atol=2e-5)


@given(RGB, GRID, st.floats(0.05, 4))
def test_density_is_the_share_of_edges_among_the_pixels_that_a_patch_touches(pixels, grid, theta):
    edges, (rows, columns) = sobel_magnitude(pixels) > theta, grid
    height, width = edges.shape
    expected = [
        [edges[i * height // rows : -(-(i + 1) * height // rows), j * width // columns : -(-(j + 1) * width // columns)]
         .mean() for j in range(columns)] for i in range(rows)
    ]  # fmt: skip
    result = density(pixels, grid, theta)
    assert (result.shape, result.dtype) == (grid, np.float32)
    np.testing.assert_allclose(result, expected, atol=1e-6)
    assert page_density(pixels, grid, theta) == pytest.approx(float(result.mean()), abs=1e-6)
    boxes = [(j / columns, i / rows, (j + 1) / columns, (i + 1) / rows) for i in range(rows) for j in range(columns)]
    for precision in (np.float32, np.float64):
        patches = box_density(pixels, np.array(boxes, dtype=precision), theta)
        np.testing.assert_array_equal(patches.reshape(grid), result)


def test_a_box_holds_the_pixels_that_it_touches():
    pixels = np.zeros((10, 10, 3), dtype=np.uint8)
    pixels[:, 6:] = 255  # edges in columns 5 and 6
    boxes = np.array([[0, 0, 0.5, 1], [0.45, 0.2, 0.55, 0.4], [0.6, 0, 1, 1], [0.5, 0.3, 0.5, 0.9], [1, 0, 1, 1]])
    np.testing.assert_allclose(box_density(pixels, boxes), [0, 1 / 2, 1 / 4, 0, 0])


@given(st.tuples(SIDE, SIDE).flatmap(lambda shape: arrays(np.uint8, shape)))
def test_grey_pixels_are_three_equal_channels(pixels):
    np.testing.assert_allclose(sobel_magnitude(pixels), sobel_magnitude(np.stack([pixels] * 3, axis=2)), atol=2e-5)


def test_what_is_no_image_and_a_grid_without_patches_are_refused():
    for shape in ((0, 4, 3), (4, 0), (4, 4, 4), (4,)):
        with pytest.raises(ValueError, match="pixels"):
            sobel_magnitude(np.zeros(shape, dtype=np.uint8))
    with pytest.raises(ValueError, match="grid"):
        density(np.zeros((4, 4, 3), dtype=np.uint8), (0, 3))
