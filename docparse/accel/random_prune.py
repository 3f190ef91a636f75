"""Random pruning, a baseline: any visual tokens stay."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from docparse.accel.eviction import count_of
from docparse.accel.method import Pruning, between
from docparse.accel.pruning import Kept, Picture, Visual


@dataclass(frozen=True)
class RandomPrune(Pruning):
    """`keep` is the share of a view's tokens that stays; the same `seed` keeps the same places of every view."""

    name: ClassVar[str] = "random"

    keep: float = between(0.0, 1.0, 0.75)
    seed: int = between(0, 2**31, 0)

    def prune(self, visual: Visual, picture: Picture) -> Kept:
        import torch

        count = len(visual.embeds)
        order = torch.randperm(count, generator=torch.Generator().manual_seed(self.seed))
        rows = order[: count_of(self.keep, count)].sort().values.to(visual.embeds.device)
        return Kept(rows, visual.embeds[rows])
