"""Text density of a page: the share of pixels on an edge, per patch, as RTPrune measures it.

Definition (RTPrune, textual density; theta = 0.2 as in its main results), kept exact because kernels restate it:

1. Normalise each channel as the encoder does: `(pixel / 255 - mean) / std`.
2. Grey: `0.299 R + 0.587 G + 0.114 B` (BT.601) of the normalised channels.
3. Gradient by the 3 x 3 Sobel kernels `[-1 0 1] x [1 2 1]`, not rescaled, over the whole image, borders replicated.
4. Magnitude `sqrt(gx^2 + gy^2)`; a pixel is on an edge where it is greater than theta.
5. Patch (i, j) of a grid of R x C on H x W pixels holds rows `floor(i H / R)` to `ceil((i + 1) H / R)`, exclusive, and
   columns likewise (the rule of adaptive average pooling: where the grid does not divide the image, neighbours share a
   row or column of pixels; no patch is ever empty). Its density is the share of its pixels on an edge.

Step 3 departs from the authors' code, which pads every patch with zeros and so counts each patch border as an edge.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

BT601 = (0.299, 0.587, 0.114)
HALF = (0.5, 0.5, 0.5)  # mean and deviation of the DeepSeek-OCR encoder
ROUNDING = 1e-3  # pixels by which a side of a box, given in fractions, may be off


def sobel_magnitude(pixels: np.ndarray, mean: Sequence[float] = HALF, std: Sequence[float] = HALF) -> np.ndarray:
    """Gradient magnitude, float32 [height, width], of uint8 RGB [height, width, 3] or grey [height, width].

    `mean` and `std` are the encoder's, per channel on the 0..1 scale; grey pixels count as three equal channels.
    Raises `ValueError` for another shape or an empty image.
    """
    import cv2

    grey = _grey(pixels, mean, std)
    gx = cv2.Sobel(grey, cv2.CV_32F, 1, 0, ksize=3, borderType=cv2.BORDER_REPLICATE)
    gy = cv2.Sobel(grey, cv2.CV_32F, 0, 1, ksize=3, borderType=cv2.BORDER_REPLICATE)
    return cv2.magnitude(gx, gy)


def density(
    image: np.ndarray,
    grid: tuple[int, int],
    theta: float = 0.2,
    mean: Sequence[float] = HALF,
    std: Sequence[float] = HALF,
) -> np.ndarray:
    """Density per patch, float32 [rows, columns] in 0..1, for `grid = (rows, columns)` on `image` (uint8)."""
    rows, columns = grid
    if rows < 1 or columns < 1:
        raise ValueError(f"a grid of {rows} x {columns} has no patches")
    total = _edges_before(image, theta, mean, std)
    height, width = (side - 1 for side in total.shape)
    top, bottom = _bounds(height, rows)
    left, right = _bounds(width, columns)
    counts = total[np.ix_(bottom, right)] - total[np.ix_(top, right)] - total[np.ix_(bottom, left)]
    counts += total[np.ix_(top, left)]
    return (counts / np.outer(bottom - top, right - left)).astype(np.float32)


def box_density(
    image: np.ndarray,
    boxes: np.ndarray,
    theta: float = 0.2,
    mean: Sequence[float] = HALF,
    std: Sequence[float] = HALF,
) -> np.ndarray:
    """Density per box, float32 [N], for `boxes` [N, 4]: x0, y0, x1, y1 as fractions of the image's width and height.

    A box holds every pixel that it touches, so that the boxes of a grid are its patches. One without area is not dense.
    """
    total = _edges_before(image, theta, mean, std)
    height, width = (side - 1 for side in total.shape)
    sides = np.asarray(boxes, dtype=np.float64).T * np.array([[width], [height], [width], [height]])
    left, top = np.floor(sides[:2] + ROUNDING).astype(np.int64)
    right, bottom = np.ceil(sides[2:] - ROUNDING).astype(np.int64)
    counts = total[bottom, right] - total[top, right] - total[bottom, left] + total[top, left]
    area = (right - left) * (bottom - top)
    empty = (sides[0] >= sides[2]) | (sides[1] >= sides[3])
    return np.divide(counts, area, out=np.zeros(len(area), dtype=np.float32), where=~empty, casting="same_kind")


def page_density(image: np.ndarray, grid: tuple[int, int], theta: float = 0.2) -> float:
    """Return the page's density, 0..1: the mean over its patches."""
    return float(density(image, grid, theta).mean(dtype=np.float64))


def _edges_before(image: np.ndarray, theta: float, mean: Sequence[float], std: Sequence[float]) -> np.ndarray:
    """Edge pixels above and left of every corner of the pixels, int32 [height + 1, width + 1]."""
    import cv2

    edges = sobel_magnitude(image, mean, std) > theta
    return cv2.integral(edges.view(np.uint8), sdepth=cv2.CV_32S)


def _grey(pixels: np.ndarray, mean: Sequence[float], std: Sequence[float]) -> np.ndarray:
    """BT.601 grey of the normalised channels, float32. Constant offsets are added last: the gradient ignores them."""
    if pixels.ndim not in (2, 3) or pixels.shape[2:] not in ((), (3,)) or 0 in pixels.shape:
        raise ValueError(f"expected pixels [height, width] or [height, width, 3], got {list(pixels.shape)}")
    weight = np.array(BT601) / (255.0 * np.array(std, dtype=np.float64))
    offset = float(np.sum(np.array(BT601) * np.array(mean) / np.array(std)))
    if pixels.ndim == 2:
        return pixels.astype(np.float32) * np.float32(weight.sum()) - np.float32(offset)
    # Not a matrix product: its rounding depends on where a pixel stands, and gives a blank page edges.
    red, green, blue = (pixels[..., c] * weight[c].astype(np.float32) for c in range(3))
    return red + green + blue - np.float32(offset)


def _bounds(length: int, parts: int) -> tuple[np.ndarray, np.ndarray]:
    """First and one-past-last index of each part."""
    index = np.arange(parts, dtype=np.int64)
    return index * length // parts, -(-(index + 1) * length // parts)
