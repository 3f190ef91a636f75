"""RTPrune: tokens with small norms leave the prompt, and optimal transport merges them into those that stay.

After Wan et al., "RTPrune: Reading-Twice Inspired Token Pruning for Efficient DeepSeek-OCR Inference" (ICML 2026),
https://arxiv.org/abs/2605.00392. Three readings are ours: equation 9 grows with similarity and shrinks with density;
the transport has temperature 1; and edges are found on the whole picture, where the published code
(https://github.com/BurnWan/RTPrune) pads each patch with zeros, which makes every border of a patch an edge.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from docparse.accel.eviction import best
from docparse.accel.method import Pruning, between
from docparse.accel.pruning import Kept, Picture, Visual, cosines, exact, others, unit
from docparse.errors import UsageError

if TYPE_CHECKING:
    from torch import Tensor

BT601 = (0.299, 0.587, 0.114)
ROUNDING = 1e-3  # pixels by which a side of a box, given in fractions, may be off


@dataclass(frozen=True)
class RtPrune(Pruning):
    """`ratio` of a view's tokens are removed; None: as many as their similarity and the page's text density allow
    (equation 9), `most` at most, where pixels with a gradient above `theta` are text. `alpha` is the score of the
    dustbins, `merge` the weight (the paper's lambda) of what is merged in, in `iterations` of transport at most.

    Nothing goes where the tokens with small norms hold more of the page's edges than the others: such norms do not tell
    text. `mode`: `paper` has no other bound than that a token stays; `code`, the published one, squares the cosines
    too.
    """

    name: ClassVar[str] = "rtprune"

    ratio: float | None = between(0.0, 0.99, None)
    most: float = between(0.0, 0.99, 0.3)
    theta: float = between(0.0, 100.0, 0.2)
    alpha: float = between(-10.0, 10.0, 0.2)
    merge: float = between(0.0, 10.0, 0.1)
    iterations: int = between(1, 10_000, 100)
    mode: Literal["ours", "paper", "code"] = "ours"

    def reads(self, layers: int) -> tuple[float, float]:
        """Return what a layer reads of the visual tokens and of all others; `UsageError` where the page decides."""
        if self.ratio is None:
            raise UsageError(
                "--accel match:rtprune: the page decides how much it removes: write match:rtprune(ratio=0.25)"
            )
        return 1 - self.ratio, 1.0

    def prune(self, visual: Visual, picture: Picture) -> Kept:
        embeds = exact(visual.embeds)
        ratio, figures = self._ratio(embeds, visual.boxes, picture)
        rows, left = _parted(embeds, ratio)
        merged, rounds = self._merged(embeds[rows], embeds[left])
        return Kept(rows, merged.to(visual.embeds.dtype), figures | {"ratio": ratio, "iterations": rounds})

    def _ratio(self, embeds: Tensor, boxes: Tensor, picture: Picture) -> tuple[float, dict[str, float]]:
        """Equation 9: the more alike the tokens and the less text on the page, the more go."""
        if self.ratio is not None:
            return self.ratio, {}
        densities = text_densities(picture, boxes, self.theta)
        similarity, density = mean_similarity(embeds, squared=self.mode == "code"), float(densities.mean())
        ratio = max(similarity * (1.0 - density), 0.0)
        if self.mode == "ours":
            ratio = min(ratio, self.most)
            rows, left = _parted(embeds, ratio)
            if len(left) and densities[left].mean() > densities[rows].mean():
                ratio = 0.0  # the norms do not tell text
        return min(ratio, 1.0), {"similarity": similarity, "density": density}

    def _merged(self, kept: Tensor, removed: Tensor) -> tuple[Tensor, int]:
        """`kept [K, D]` with what the transport gives each of them of `removed [M, D]`; iterations taken."""
        from docparse.kernels.sinkhorn import sinkhorn

        if not len(removed):
            return kept, 0  # as it is, bit for bit: adding zeros would change the sign of a zero
        plan, rounds = sinkhorn(cosines(kept, removed)[None], self.alpha, iterations=self.iterations)
        moved = plan[0, :-1, :-1]  # without the dustbins, which stand last on each side
        return kept + self.merge * moved.to(kept.dtype) @ removed, int(rounds[0])


def mean_similarity(embeds: Tensor, *, squared: bool = False) -> float:
    """Return the mean cosine similarity of two different tokens of `[N, D]`, or of its square; 0 for one token."""
    directions = unit(embeds)
    pairs = len(embeds) * (len(embeds) - 1)
    if squared and pairs:
        return float((directions @ directions.T).square().fill_diagonal_(0.0).sum() / pairs)
    return float((directions.sum(dim=0).square().sum() - directions.square().sum()) / pairs) if pairs else 0.0


def _parted(embeds: Tensor, ratio: float) -> tuple[Tensor, Tensor]:
    """The tokens with the largest norms, and the share `ratio` of all that is left of the others; one stays."""
    removed = min(math.floor(ratio * len(embeds) + 1e-9), len(embeds) - 1)  # 0.29 * 100 is 28.999999999999996
    rows = best(embeds.norm(dim=1), len(embeds) - removed)
    return rows, others(rows, len(embeds))


def text_density(picture: Picture, boxes: Tensor, theta: float) -> float:
    """Return the share of pixels on an edge in each token's box, averaged over the tokens."""
    return float(text_densities(picture, boxes, theta).mean())


def text_densities(picture: Picture, boxes: Tensor, theta: float) -> Tensor:
    """Return the share of pixels on an edge in each token's box: float64 [N]."""
    import torch
    from PIL import Image

    seen = np.array(Image.fromarray(picture.pixels).resize((picture.width, picture.height), Image.Resampling.BICUBIC))
    pixels, places = torch.from_numpy(seen).to(boxes.device), pixel_boxes(boxes, picture.height, picture.width)
    return edge_density(pixels, places, theta, picture.std).double()


def pixel_boxes(boxes: Tensor, height: int, width: int) -> Tensor:
    """Boxes int64 `[N, 4]` of all the pixels that boxes in fractions of the image `[N, 4]` touch: the boxes of a grid
    are its patches. One without area has no pixels."""
    import torch

    sides = boxes.double() * boxes.new_tensor((width, height, width, height), dtype=torch.float64)
    first, last = (sides[:, :2] + ROUNDING).floor(), (sides[:, 2:] - ROUNDING).ceil()
    empty = ~(sides[:, :2] < sides[:, 2:]).all(dim=1)
    return torch.cat((first, last), 1).masked_fill(empty[:, None], 0).long()


def edge_density(pixels: Tensor, boxes: Tensor, theta: float, std: Sequence[float]) -> Tensor:
    """Density per box, float32 `[N]` in 0..1: the share of pixels (uint8 `[H, W, 3]`) on an edge.

    `boxes [N, 4]` are x0, y0 and, exclusive, x1, y1 in pixels, within the image; they may overlap, and one without
    pixels has density 0. `std` is the encoder's deviation per channel on the 0..1 scale, in which grey is that of
    BT.601; its mean has no say, as it moves all grey values alike. A pixel is on an edge where the gradient by the 3 x
    3 Sobel kernels, not rescaled, borders replicated, is longer than theta.
    """
    import torch
    from torch.nn.functional import pad

    red, *others = (share / (255 * deviation) for share, deviation in zip(BT601, std, strict=True))
    grey = pixels[:, :, 0].float() * red
    for channel, weight in enumerate(others, 1):
        grey += pixels[:, :, channel].float() * weight
    grey = pad(grey[None, None], (1, 1, 1, 1), mode="replicate")[0, 0]
    across = grey[:-2] + 2 * grey[1:-1] + grey[2:]
    down = grey[:, :-2] + 2 * grey[:, 1:-1] + grey[:, 2:]
    edges = (across[:, 2:] - across[:, :-2]) ** 2 + (down[2:] - down[:-2]) ** 2 > theta**2
    total = pad(edges.long().cumsum(0).cumsum(1), (1, 0, 1, 0))  # total[y, x]: edge pixels above y and left of x
    left, top, right, bottom = boxes.unbind(1)
    counts = total[bottom, right] - total[top, right] - total[bottom, left] + total[top, left]
    area = (right - left) * (bottom - top)
    return torch.where(area > 0, counts.float() / area.clamp(1).float(), 0.0)
