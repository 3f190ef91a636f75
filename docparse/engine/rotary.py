"""Rotary positions of any number of axes, as the decoder's own module computes them, without asking the host."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from docparse.engine.weights import Unfit


@dataclass(frozen=True, eq=False)
class Rotary:
    """Angles of each number of a head: `frequency [D]` times the position on its axis, `axis [D]`. Sines are multiplied
    by `signs [D]`, cosines by `scale`.

    `pairs`: neighbours are rotated together (0 with 1), otherwise halves (0 with D / 2). Frequencies are those of pages
    within the positions that the model was trained on: modules that stretch them beyond would ask the device first.
    """

    frequency: Tensor
    axis: Tensor
    scale: float
    pairs: bool
    signs: Tensor

    @classmethod
    def of(cls, module: Any, axes: int) -> Rotary:
        """Probe the decoder's module: each number's angle moves with the position on one axis only. Raises `Unfit`
        where it does not, or where numbers are not rotated in halves or pairs."""
        inverse = module.inv_freq.detach().float()
        one_by_one = torch.eye(axes, dtype=torch.long, device=inverse.device)[..., None, None]
        like = inverse.new_zeros(1)
        both = _sine(module, like, one_by_one.sum(0))
        half = len(both) // 2
        pairs = bool((both[0::2] == both[1::2]).all())
        if len(both) != 2 * len(inverse) or not (pairs or bool((both[:half] == both[half:]).all())):
            raise Unfit("it rotates parts of a head only, or in an order of its own")
        moved = torch.stack([_sine(module, like, each) != 0 for each in one_by_one])
        if not bool((moved.sum(dim=0) == 1).all()):
            raise Unfit("positions of several axes are mixed in one angle")
        frequency = inverse.repeat_interleave(2) if pairs else inverse.repeat(2)
        places = torch.arange(len(frequency), device=inverse.device)
        first = places % 2 == 0 if pairs else places < half  # of two numbers, from which its partner is subtracted
        axis, scale = moved.long().argmax(dim=0), float(module.attention_scaling)
        return cls(frequency, axis, scale, pairs, torch.where(first, -scale, scale))

    def __call__(self, positions: Tensor, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
        """Cosines and signed sines `[B, N, D]` of positions `[A, B, N]`, computed in float32, then of type `dtype`."""
        places = positions.permute(1, 2, 0)
        angles = (places if len(positions) == 1 else places.index_select(2, self.axis)) * self.frequency
        cos, sin = angles.cos(), angles.sin_().mul_(self.signs)
        if self.scale != 1.0:
            cos *= self.scale
        return cos.to(dtype), sin.to(dtype)


def _sine(module: Any, like: Tensor, positions: Tensor) -> Tensor:
    """The module's sines `[D]` at positions `[A, 1, 1]`."""
    with torch.no_grad():
        return module(like, positions if len(positions) > 1 else positions[0])[1].flatten()
