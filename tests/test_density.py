"""The text density is the definition in its module, to the pixel."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from docparse.density import box_density, density, page_density, sobel_magnitude

SIDE = st.integers(1, 9)
RGB = st.tuples(SIDE, SIDE, st.just(3)).flatmap(lambda shape: arrays(np.uint8, shape))
GRID = st.tuples(st.integers(1, 12), st.integers(1, 12))


def slow_magnitude(pixels, mean=(0.5,) * 3, std=(0.5,) * 3):
    """Steps 1 to 4 of the definition, one pixel at a time."""
    height, width = pixels.shape[:2]

    def grey(y, x):
        y, x = min(max(y, 0), height - 1), min(max(x, 0), width - 1)
        channels = [(int(pixels[y, x, c]) / 255 - mean[c]) / std[c] for c in range(3)]
        return 0.299 * channels[0] + 0.587 * channels[1] + 0.114 * channels[2]

    result = np.zeros((height, width))
    for y in range(height):
        for x in range(width):
            gx = sum(w * (grey(y + d, x + 1) - grey(y + d, x - 1)) for d, w in ((-1, 1), (0, 2), (1, 1)))
            gy = sum(w * (grey(y + 1, x + d) - grey(y - 1, x + d)) for d, w in ((-1, 1), (0, 2), (1, 1)))
            result[y, x] = math.hypot(gx, gy)
    return result


def slow_density(edges, grid):
    """Step 5, one patch at a time."""
    height, width = edges.shape
    result = np.zeros(grid)
    for i in range(grid[0]):
        for j in range(grid[1]):
            top, bottom = math.floor(i * height / grid[0]), math.ceil((i + 1) * height / grid[0])
            left, right = math.floor(j * width / grid[1]), math.ceil((j + 1) * width / grid[1])
            result[i, j] = edges[top:bottom, left:right].mean()
    return result


@given(RGB)
def test_magnitude_is_the_definition(pixels):
    result = sobel_magnitude(pixels)
    assert result.dtype == np.float32
    np.testing.assert_allclose(result, slow_magnitude(pixels), atol=2e-5)


def test_the_encoder_scale_is_the_one_asked_for():
    pixels = np.random.default_rng(0).integers(0, 256, (6, 7, 3), dtype=np.uint8)
    mean, std = (0.48, 0.46, 0.41), (0.27, 0.26, 0.28)
    np.testing.assert_allclose(sobel_magnitude(pixels, mean, std), slow_magnitude(pixels, mean, std), atol=2e-5)


@given(RGB, GRID, st.floats(0.05, 4))
def test_density_is_the_definition_on_any_grid(pixels, grid, theta):
    result = density(pixels, grid, theta)
    assert result.shape == grid
    assert result.dtype == np.float32
    np.testing.assert_allclose(result, slow_density(sobel_magnitude(pixels) > theta, grid), atol=1e-6)
    assert page_density(pixels, grid, theta) == pytest.approx(float(result.mean()), abs=1e-6)


@given(RGB, GRID)
def test_boxes_of_a_grid_are_its_patches(pixels, grid):
    rows, columns = grid
    boxes = [(j / columns, i / rows, (j + 1) / columns, (i + 1) / rows) for i in range(rows) for j in range(columns)]
    for precision in (np.float32, np.float64):
        result = box_density(pixels, np.array(boxes, dtype=precision), 0.3)
        np.testing.assert_array_equal(result.reshape(grid), density(pixels, grid, 0.3))


def test_a_box_holds_the_pixels_that_it_touches():
    pixels = np.zeros((10, 10, 3), dtype=np.uint8)
    pixels[:, 6:] = 255  # edges in columns 5 and 6
    boxes = np.array([[0, 0, 0.5, 1], [0.45, 0.2, 0.55, 0.4], [0.6, 0, 1, 1], [0.5, 0.3, 0.5, 0.9], [1, 0, 1, 1]])
    np.testing.assert_allclose(box_density(pixels, boxes), [0, 1 / 2, 1 / 4, 0, 0])


@given(st.tuples(SIDE, SIDE).flatmap(lambda shape: arrays(np.uint8, shape)))
def test_grey_pixels_are_three_equal_channels(pixels):
    np.testing.assert_allclose(sobel_magnitude(pixels), sobel_magnitude(np.stack([pixels] * 3, axis=2)), atol=2e-5)


@pytest.mark.parametrize("shape", [(0, 4, 3), (4, 0), (4, 4, 4), (4,)])
def test_what_is_no_image_is_refused(shape):
    with pytest.raises(ValueError, match="pixels"):
        sobel_magnitude(np.zeros(shape, dtype=np.uint8))


def test_a_grid_without_patches_is_refused():
    with pytest.raises(ValueError, match="grid"):
        density(np.zeros((4, 4, 3), dtype=np.uint8), (0, 3))
