"""DivPrune, a baseline: the visual tokens that are most unlike each other stay.

After Alvar et al., "DivPrune: Diversity-based Visual Token Pruning for Large Multimodal Models" (CVPR 2025),
https://github.com/vbdi/divprune: the greedy solution of the max-min diversity problem under cosine distance.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import torch

from docparse.accel.method import check_ranges
from docparse.accel.pruning import cosines, exact, share_of
from docparse.engine.seams import Kept, Picture, Visual


@dataclass(frozen=True)
class DivPrune:
    """`keep` is the share of a view's tokens that stays."""

    name: ClassVar[str] = "divprune"
    seam: ClassVar[str] = "prune"

    keep: float = 0.75

    def __post_init__(self) -> None:
        check_ranges(self, keep=(0.0, 1.0))

    def prune(self, visual: Visual, page: Picture) -> Kept:
        embeds = exact(visual.embeds)
        distance = 1.0 - cosines(embeds, embeds)
        # First the token whose nearest neighbour is farthest, then always the one farthest from all that were taken.
        nearest = distance.clone().fill_diagonal_(torch.inf).amin(dim=0)
        taken = torch.zeros(len(embeds), dtype=torch.bool, device=embeds.device)
        for number in range(share_of(len(embeds), self.keep)):
            farthest = nearest.masked_fill(taken, -torch.inf).argmax()
            nearest = torch.minimum(nearest, distance[farthest]) if number else distance[farthest]
            taken[farthest] = True
        rows = taken.nonzero()[:, 0]
        return Kept(rows, visual.embeds[rows])
