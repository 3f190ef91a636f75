"""What a model feeds its own text decoder, caught at the decoder's door: any family, no copy of its forward."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from torch import Tensor, nn


@dataclass(frozen=True)
class DecoderInputs:
    """Arguments of the decoder's prefill call: `embeds [1, P, D]`, `positions [A, P]`, `next_position [A]`, vision
    features added inside the decoder (`deepstack`, each `[V, D]`), and every other argument by name."""

    embeds: Tensor
    positions: Tensor
    next_position: Tensor
    deepstack: tuple[Tensor, ...]
    extra: Mapping[str, Any]


def decoder_inputs(model: nn.Module, decoder: nn.Module, inputs: Mapping[str, Any], axes: int) -> DecoderInputs:
    """Run the model's forward up to its decoder (vision tower, projector, merge) and return what it was given.

    The hook that catches it is gone afterwards, whatever happened.
    """
    raise NotImplementedError
