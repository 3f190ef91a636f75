"""Text density of a page on its device: the share of pixels on an edge, per patch (RTPrune).

The definition is that of `docparse.density`: BT.601 grey of the normalised channels, the 3 x 3 Sobel gradient over the
whole image with replicated borders, its magnitude above theta; patch (i, j) of a grid R x C holds the pixel rows
`floor(i H / R)` to `ceil((i + 1) H / R)`, exclusive, and columns likewise. The encoder's mean has no say: it moves all
grey values alike. Sums run in another order than there, so a magnitude within 1e-5 of theta may fall on the other side.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from docparse.kernels.choice import use_triton
from docparse.kernels.launch import jit, power, tl
from torch import Tensor
from torch.nn.functional import pad

BT601 = (0.299, 0.587, 0.114)
HALF = (0.5, 0.5, 0.5)


def edge_density(pixels: Tensor, grid: tuple[int, int], theta: float = 0.2, std: Sequence[float] = HALF) -> Tensor:
    """Density per patch, float32 `[rows, columns]` in 0..1, on the device of `pixels` (uint8 `[H, W]` or `[H, W, 3]`).

    `std` is the encoder's deviation per channel on the 0..1 scale; grey pixels count as three equal channels.
    Raises `ValueError` for what is no image and for a grid without patches.
    """
    image = pixels.dim() == 2 or (pixels.dim() == 3 and pixels.shape[2] == 3)
    if not image or pixels.dtype != torch.uint8 or 0 in pixels.shape:
        raise ValueError(f"expected uint8 pixels [H, W] or [H, W, 3], got {pixels.dtype} {list(pixels.shape)}")
    if min(grid) < 1:
        raise ValueError(f"a grid of {grid[0]} x {grid[1]} has no patches")
    weights = [share / (255 * deviation) for share, deviation in zip(BT601, std, strict=True)]
    if pixels.dim() == 2:
        pixels, weights = pixels[:, :, None], [sum(weights)]
    return (fused if use_triton(pixels) else reference)(pixels, grid, theta, weights)


def reference(pixels: Tensor, grid: tuple[int, int], theta: float, weights: Sequence[float]) -> Tensor:
    """The same in torch, of `pixels [H, W, C]` with a weight for each channel."""
    grey = sum((pixels[:, :, c].float() * weight for c, weight in enumerate(weights)), start=pixels.new_zeros(()))
    grey = pad(grey[None, None], (1, 1, 1, 1), mode="replicate")[0, 0]
    across = grey[:-2] + 2 * grey[1:-1] + grey[2:]
    down = grey[:, :-2] + 2 * grey[:, 1:-1] + grey[:, 2:]
    edges = (across[:, 2:] - across[:, :-2]) ** 2 + (down[2:] - down[:-2]) ** 2 > theta**2
    total = pad(edges.long().cumsum(0).cumsum(1), (1, 0, 1, 0))  # total[y, x]: edge pixels above y and left of x
    top, bottom = _bounds(pixels.shape[0], grid[0], pixels.device)
    left, right = _bounds(pixels.shape[1], grid[1], pixels.device)
    counts = total[bottom][:, right] - total[top][:, right] - total[bottom][:, left] + total[top][:, left]
    return counts.float() / ((bottom - top)[:, None] * (right - left)).float()


def _bounds(length: int, parts: int, device: torch.device) -> tuple[Tensor, Tensor]:
    """First and one-past-last index of each part."""
    index = torch.arange(parts, device=device)
    return index * length // parts, -(-(index + 1) * length // parts)


def fused(pixels: Tensor, grid: tuple[int, int], theta: float, weights: Sequence[float]) -> Tensor:
    """The same in Triton, one program per patch."""
    height, width, channels = pixels.shape
    out = torch.empty(grid, dtype=torch.float32, device=pixels.device)
    red, green, blue = (*weights, 0.0, 0.0)[:3]
    patch_density[grid](
        *(pixels, out, height, width, *pixels.stride()),
        *(red, green, blue, theta * theta),
        COLOURS=channels == 3,
        DOWN=min(16, power(-(-height // grid[0]) + 1)),
        ACROSS=min(64, power(-(-width // grid[1]) + 1)),
        num_warps=4,
        enable_fp_fusion=False,  # as the reference rounds
    )
    return out


@jit
def patch_density(
    pixels_at,
    out_at,
    height,
    width,
    row_stride,
    column_stride,
    channel_stride,
    red,
    green,
    blue,
    limit,
    COLOURS: tl.constexpr,
    DOWN: tl.constexpr,
    ACROSS: tl.constexpr,
):
    """Program (row, column of the grid): edge pixels of the patch, tile by tile."""
    top, bottom = bounds(height, 0)
    left, right = bounds(width, 1)
    count = tl.zeros([DOWN, ACROSS], tl.int32)
    for first_row in range(top, bottom, DOWN):
        for first_column in range(left, right, ACROSS):
            row = (first_row + tl.arange(0, DOWN))[:, None]
            column = (first_column + tl.arange(0, ACROSS))[None, :]
            inside = (row < bottom) & (column < right)
            above, below = tl.maximum(row - 1, 0) * row_stride, tl.minimum(row + 1, height - 1) * row_stride
            before, after = tl.maximum(column - 1, 0) * column_stride, tl.minimum(column + 1, width - 1) * column_stride
            here, there = row * row_stride, column * column_stride
            colour = (channel_stride, red, green, blue, COLOURS)
            a = grey(pixels_at + above + before, inside, *colour)
            b = grey(pixels_at + above + there, inside, *colour)
            c = grey(pixels_at + above + after, inside, *colour)
            d = grey(pixels_at + here + before, inside, *colour)
            f = grey(pixels_at + here + after, inside, *colour)
            g = grey(pixels_at + below + before, inside, *colour)
            h = grey(pixels_at + below + there, inside, *colour)
            i = grey(pixels_at + below + after, inside, *colour)
            across = (c + 2 * f + i) - (a + 2 * d + g)
            down = (g + 2 * h + i) - (a + 2 * b + c)
            count += (inside & (across * across + down * down > limit)).to(tl.int32)
    pixels = ((bottom - top) * (right - left)).to(tl.float32)
    cell = tl.program_id(0) * tl.num_programs(1) + tl.program_id(1)
    tl.store(out_at + cell, tl.sum(tl.sum(count, 1), 0).to(tl.float32) / pixels)


@jit
def bounds(length, AXIS: tl.constexpr):
    """First and one-past-last index of this program's part."""
    part, parts = tl.program_id(AXIS), tl.num_programs(AXIS)
    return part * length // parts, tl.cdiv((part + 1) * length, parts)


@jit
def grey(cell, inside, channel_stride, red, green, blue, COLOURS: tl.constexpr):
    """Grey of a tile of pixels, from all the channels or the only one."""
    value = tl.load(cell, mask=inside, other=0).to(tl.float32) * red
    if COLOURS:
        value += tl.load(cell + channel_stride, mask=inside, other=0).to(tl.float32) * green
        value += tl.load(cell + 2 * channel_stride, mask=inside, other=0).to(tl.float32) * blue
    return value
