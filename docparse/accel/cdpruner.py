"""CDPruner, a baseline: the visual tokens stay that are most unlike each other, given the instruction.

After Zhang et al., "Beyond Attention or Similarity: Maximizing Conditional Diversity for Token Pruning in MLLMs"
(NeurIPS 2025) and https://github.com/Theia-4869/CDPruner (9541616, Apache-2.0): the greedy MAP of a determinantal point
process over cosine similarity, weighted by relevance to the instruction: there by CLIP's two towers, here, where no
family has a text tower, by the embeddings that the decoder reads.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from docparse.accel.eviction import count_of
from docparse.accel.method import Pruning, between
from docparse.accel.pruning import Kept, Picture, Visual, cosines, exact

if TYPE_CHECKING:
    from torch import Tensor

SLIGHT = 1e-6  # the relevance of the least relevant token, as published
NOTHING = 1e-9  # of a squared length of 1: tokens as far apart as that add nothing to the volume


@dataclass(frozen=True)
class CdPruner(Pruning):
    """`keep` is the share of a view's tokens that stays. `relevance` to the instruction is `inverse`, as in the
    published code, whose patches of CLIP look least like the words that name them; `direct`; or `off`."""

    name: ClassVar[str] = "cdpruner"

    keep: float = between(0.0, 1.0, 0.75)
    relevance: Literal["inverse", "direct", "off"] = "inverse"

    def prune(self, visual: Visual, picture: Picture) -> Kept:
        embeds = exact(visual.embeds)
        kernel = cosines(embeds, embeds)
        if self.relevance != "off" and visual.words is not None:
            weight = self._weights(embeds, exact(visual.words))
            kernel = weight[:, None] * kernel * weight
        rows = most_volume(kernel, count_of(self.keep, len(embeds)))
        return Kept(rows, visual.embeds[rows])

    def _weights(self, embeds: Tensor, words: Tensor) -> Tensor:
        """Return each token's relevance `[N]`, from nearly 0 to 1; 1 for all where they are equally relevant."""
        found = cosines(embeds, words).mean(dim=1)
        found = found if self.relevance == "direct" else -found
        low, high = found.aminmax()
        return (found - low + SLIGHT) / (high - low) if high > low else found.new_ones(len(found))


def most_volume(kernel: Tensor, count: int) -> Tensor:
    """Return `count` rows of `kernel [N, N]`, ascending: always the one that adds most to the determinant of those that
    were taken (Chen et al., 2018: `parts` are the rows of its Cholesky factor)."""
    gain = kernel.diagonal().clone()
    parts = kernel.new_zeros(count, len(kernel))
    for i in range(count):
        best = gain.argmax()
        part = (kernel[best] - parts[:i, best] @ parts[:i]) / gain[best].clamp(min=NOTHING).sqrt()
        parts[i] = part.where(gain[best] > NOTHING, part.new_zeros(()))
        gain = gain - parts[i].square()
        gain[best] = -math.inf  # taken
    return gain.isneginf().nonzero()[:, 0]
