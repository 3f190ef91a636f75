"""Text density of a page: the share of pixels on an edge, per box (RTPrune).

1. Normalise each channel as the encoder does, `(pixel / 255 - mean) / std`, and take the grey of BT.601, `0.299 R +
   0.587 G + 0.114 B`. The encoder's mean has no say: it moves all grey values alike.
2. Gradient by the 3 x 3 Sobel kernels `[-1 0 1] x [1 2 1]`, not rescaled, over the whole image, borders replicated.
   (The authors' code pads every patch with zeros, and so counts each patch border as an edge.)
3. A pixel is on an edge where the gradient's length is greater than theta (0.2 in the paper's main results).
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn.functional import pad

from docparse.kernels.launch import jit, tl, use_triton

BT601 = (0.299, 0.587, 0.114)
HALF = (0.5, 0.5, 0.5)
ROUNDING = 1e-3  # pixels by which a side of a box, given in fractions, may be off


def edge_density(pixels: Tensor, boxes: Tensor, theta: float = 0.2, std: Sequence[float] = HALF) -> Tensor:
    """Density per box, float32 `[N]` in 0..1, on the device of `pixels` (uint8 `[H, W, 3]`).

    `boxes [N, 4]` (int32 or int64, on the same device): x0, y0 and, exclusive, x1, y1 in pixels, within the image;
    they may overlap, and one without pixels has density 0. `std` is the encoder's deviation per channel on the 0..1
    scale. Raises `ValueError` for what is no image and for other shapes.
    """
    if pixels.dim() != 3 or pixels.shape[2] != 3 or pixels.dtype != torch.uint8 or 0 in pixels.shape:
        raise ValueError(f"expected uint8 pixels [H, W, 3], got {pixels.dtype} {list(pixels.shape)}")
    if boxes.dim() != 2 or boxes.shape[1] != 4 or boxes.is_floating_point():
        raise ValueError(f"expected boxes [N, 4] in whole pixels, got {boxes.dtype} {list(boxes.shape)}")
    weights = [share / (255 * deviation) for share, deviation in zip(BT601, std, strict=True)]
    return (fused if use_triton(pixels) else reference)(pixels, boxes, theta, weights)


def pixel_boxes(boxes: Tensor, height: int, width: int) -> Tensor:
    """Boxes int64 `[N, 4]` of all the pixels that boxes in fractions of the image `[N, 4]` touch: the boxes of a grid
    are its patches. One without area has no pixels."""
    sides = boxes.double() * boxes.new_tensor((width, height, width, height), dtype=torch.float64)
    first, last = (sides[:, :2] + ROUNDING).floor(), (sides[:, 2:] - ROUNDING).ceil()
    empty = ~(sides[:, :2] < sides[:, 2:]).all(dim=1)
    return torch.cat((first, last), 1).masked_fill(empty[:, None], 0).long()


def reference(pixels: Tensor, boxes: Tensor, theta: float, weights: Sequence[float]) -> Tensor:
    """The same in torch, with a weight for each channel."""
    grey = pixels[:, :, 0].float() * weights[0]
    for channel, weight in enumerate(weights[1:], 1):
        grey += pixels[:, :, channel].float() * weight
    grey = pad(grey[None, None], (1, 1, 1, 1), mode="replicate")[0, 0]
    across = grey[:-2] + 2 * grey[1:-1] + grey[2:]
    down = grey[:, :-2] + 2 * grey[:, 1:-1] + grey[:, 2:]
    edges = (across[:, 2:] - across[:, :-2]) ** 2 + (down[2:] - down[:-2]) ** 2 > theta**2
    total = pad(edges.long().cumsum(0).cumsum(1), (1, 0, 1, 0))  # total[y, x]: edge pixels above y and left of x
    left, top, right, bottom = boxes.long().unbind(1)
    counts = total[bottom, right] - total[top, right] - total[bottom, left] + total[top, left]
    area = (right - left).clamp(0) * (bottom - top).clamp(0)
    return torch.where(area > 0, counts.float() / area.clamp(1).float(), 0.0)


def fused(pixels: Tensor, boxes: Tensor, theta: float, weights: Sequence[float]) -> Tensor:
    """The same in Triton, one program per box."""
    out = torch.empty(len(boxes), dtype=torch.float32, device=pixels.device)
    image, height_width = (pixels, *pixels.stride()), tuple(pixels.shape[:2])
    box_density[(len(boxes),)](
        *(image, height_width, boxes.contiguous(), out, tuple(weights), theta * theta),
        DOWN=16,
        ACROSS=32,
        num_warps=4,
        enable_fp_fusion=False,  # as the reference rounds
    )
    return out


@jit
def box_density(pixels, shape, boxes_ptr, out_ptr, weights, limit, DOWN: tl.constexpr, ACROSS: tl.constexpr):
    """Program (box): its pixels on an edge, tile by tile."""
    pixels_ptr, row_stride, column_stride, channel_stride = pixels
    height, width = shape
    box = boxes_ptr + tl.program_id(0) * 4
    left, top = tl.load(box).to(tl.int32), tl.load(box + 1).to(tl.int32)
    right, bottom = tl.load(box + 2).to(tl.int32), tl.load(box + 3).to(tl.int32)
    count = tl.zeros([DOWN, ACROSS], tl.int32)
    for first_row in range(top, bottom, DOWN):
        for first_column in range(left, right, ACROSS):
            row = (first_row + tl.arange(0, DOWN))[:, None]
            column = (first_column + tl.arange(0, ACROSS))[None, :]
            inside = (row < bottom) & (column < right)
            above, below = tl.maximum(row - 1, 0) * row_stride, tl.minimum(row + 1, height - 1) * row_stride
            before, after = tl.maximum(column - 1, 0) * column_stride, tl.minimum(column + 1, width - 1) * column_stride
            here, there = row * row_stride, column * column_stride
            colour = (channel_stride, weights)
            a = grey(pixels_ptr + above + before, inside, *colour)
            b = grey(pixels_ptr + above + there, inside, *colour)
            c = grey(pixels_ptr + above + after, inside, *colour)
            d = grey(pixels_ptr + here + before, inside, *colour)
            f = grey(pixels_ptr + here + after, inside, *colour)
            g = grey(pixels_ptr + below + before, inside, *colour)
            h = grey(pixels_ptr + below + there, inside, *colour)
            i = grey(pixels_ptr + below + after, inside, *colour)
            across = (c + 2 * f + i) - (a + 2 * d + g)
            down = (g + 2 * h + i) - (a + 2 * b + c)
            count += (inside & (across * across + down * down > limit)).to(tl.int32)
    area = tl.maximum(bottom - top, 0) * tl.maximum(right - left, 0)
    edges = tl.sum(tl.sum(count, 1), 0).to(tl.float32)
    tl.store(out_ptr + tl.program_id(0), edges / tl.maximum(area, 1).to(tl.float32))


@jit
def grey(cell, inside, channel_stride, weights):
    """Grey of a tile of pixels."""
    value = tl.load(cell, mask=inside, other=0).to(tl.float32) * weights[0]
    value += tl.load(cell + channel_stride, mask=inside, other=0).to(tl.float32) * weights[1]
    return value + tl.load(cell + 2 * channel_stride, mask=inside, other=0).to(tl.float32) * weights[2]
