"""A likeness of VisionZip: the tokens that draw most attention stay, the others are averaged into a few of their own.

After Yang et al., "VisionZip: Longer is Better but Not Necessary in Vision Language Models" (CVPR 2025),
https://github.com/dvlab-research/VisionZip (3151f6d), and not that method: attention and keys there are those of the
vision tower's last but one layer, the attention that of its class token. They are counted in patches, in an order of
each tower's own, not in the tokens that reach the decoder, and no hook shows them. Here tokens attend to each other by
the dot products of their embeddings, which are their keys.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from docparse.accel.eviction import best, count_of
from docparse.accel.method import Pruning, between
from docparse.accel.pruning import Kept, Picture, Visual, cosines, exact, others

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True)
class VisionZipLike(Pruning):
    """`keep` is the share of a view's tokens that stays, `contextual` the share of those into which others are merged
    (10 of 64, 20 of 128, 30 of 192 in the paper)."""

    name: ClassVar[str] = "visionzip-like"

    keep: float = between(0.0, 1.0, 0.75)
    contextual: float = between(0.0, 1.0, 10 / 64)

    def prune(self, visual: Visual, picture: Picture) -> Kept:
        import torch

        embeds = exact(visual.embeds)
        kept = count_of(self.keep, len(embeds))
        contextual = round(self.contextual * kept)
        dominant = best(attention(embeds), kept - contextual)
        rest = others(dominant, len(embeds))
        targets = rest[:: max(1, len(rest) // max(1, contextual))][:contextual]  # spread evenly over the page
        rows = torch.cat([dominant, targets]).sort().values
        merged = with_means(embeds, targets, others(rows, len(embeds)))
        return Kept(rows, merged[rows].to(visual.embeds.dtype))


def attention(embeds: Tensor) -> Tensor:
    """Return what each of `[N, D]` draws of the attention of all; scores are dot products over the mean squared
    norm."""
    unit = embeds.square().sum(dim=1).mean()
    return (embeds @ embeds.T / unit.clamp(min=sys.float_info.epsilon)).softmax(dim=1).mean(dim=0)


def with_means(embeds: Tensor, targets: Tensor, merged: Tensor) -> Tensor:
    """`embeds [N, D]` where each of the rows `targets` is increased by the mean of the rows `merged` that are most like
    it; a target that no row is most like stays as it is."""
    if not len(targets) or not len(merged):
        return embeds
    nearest = cosines(embeds[merged], embeds[targets]).argmax(dim=1)
    counts = nearest.bincount(minlength=len(targets))
    sums = embeds.new_zeros(len(targets), embeds.shape[1]).index_add_(0, nearest, embeds[merged])
    some = counts > 0
    return embeds.index_add(0, targets[some], sums[some] / counts[some, None])
