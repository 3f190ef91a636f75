"""DivPrune, a baseline: the visual tokens that are most unlike each other stay.

After Alvar et al., "DivPrune: Diversity-based Visual Token Pruning for Large Multimodal Models" (CVPR 2025),
https://github.com/vbdi/divprune: the greedy solution of the max-min diversity problem under cosine distance.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from docparse.accel.eviction import count_of
from docparse.accel.method import Pruning, between
from docparse.accel.pruning import Kept, Picture, Visual, cosines, exact


@dataclass(frozen=True)
class DivPrune(Pruning):
    """`keep` is the share of a view's tokens that stays."""

    name: ClassVar[str] = "divprune"

    keep: float = between(0.0, 1.0, 0.75)

    def prune(self, visual: Visual, picture: Picture) -> Kept:
        embeds = exact(visual.embeds)
        distance = (1.0 - cosines(embeds, embeds)).fill_diagonal_(math.inf)
        # First the token whose nearest neighbour is farthest, then always the one farthest from all that were taken.
        nearest = distance.amin(dim=0)
        for number in range(count_of(self.keep, len(embeds))):
            farthest = nearest.argmax()
            nearest = nearest.minimum(distance[farthest]) if number else distance[farthest].clone()
            nearest[farthest] = -math.inf  # taken, and never farthest again
        rows = nearest.isneginf().nonzero()[:, 0]
        return Kept(rows, visual.embeds[rows])
