"""What a model feeds its own text decoder, caught at the decoder's door: any family, no copy of its forward."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from docparse.errors import EnvironmentProblem

READ_APART = {"inputs_embeds", "position_ids", "deepstack_visual_embeds", "visual_pos_masks"}
THE_ENGINES = {"input_ids", "attention_mask", "past_key_values", "use_cache", "cache_position", "return_dict"}
NOT_FOR_READING = {"labels", "logits_to_keep", "output_attentions", "output_hidden_states", "output_router_logits"}
DROPPED = READ_APART | THE_ENGINES | NOT_FOR_READING


@dataclass(frozen=True)
class DecoderInputs:
    """Arguments of the decoder's prefill call: `embeds [1, P, D]`, `positions [A, P]`, `next_position [A]`, and vision
    features added inside the decoder (`deepstack`, each `[V, D]`)."""

    embeds: Tensor
    positions: Tensor
    next_position: Tensor
    deepstack: tuple[Tensor, ...]


class _AtTheDoor(Exception):
    """Carries the decoder's arguments out of the model's forward, which stops here."""

    def __init__(self, arguments: dict[str, Any]) -> None:
        self.arguments = arguments


def decoder_inputs(model: nn.Module, decoder: nn.Module, inputs: Mapping[str, Any], axes: int) -> DecoderInputs:
    """Run the model's forward up to its decoder (vision tower, projector, merge) and return what it was given.

    The hook that catches it is gone afterwards, whatever happened. Masks are dropped: the engine makes its own.
    """

    def stop(module: nn.Module, args: tuple[Any, ...], arguments: dict[str, Any]) -> None:
        raise _AtTheDoor(arguments)

    hook = decoder.register_forward_pre_hook(stop, with_kwargs=True)
    try:
        with torch.no_grad():
            model(**inputs)
    except _AtTheDoor as door:
        return _read(door.arguments, axes)
    finally:
        hook.remove()
    raise RuntimeError(f"{type(model).__name__} answered without calling its decoder {type(decoder).__name__}")


def device_inputs(inputs: Mapping[str, Any], model: Any) -> dict[str, Any]:
    """Processor outputs on the model's device, pictures in its dtype."""

    def moved(value: Any) -> Any:
        if not isinstance(value, torch.Tensor):
            return value
        return value.to(model.device, model.dtype if value.is_floating_point() else value.dtype)

    return {name: moved(value) for name, value in inputs.items()}


def _read(arguments: Mapping[str, Any], axes: int) -> DecoderInputs:
    if strange := sorted(name for name, value in arguments.items() if name not in DROPPED and value is not None):
        raise EnvironmentProblem(
            f"the model gives its text decoder {', '.join(strange)}, which docparse does not know: choose another model"
        )
    embeds = arguments["inputs_embeds"]
    positions = _positions(arguments.get("position_ids"), embeds, axes)
    return DecoderInputs(
        embeds=embeds,
        positions=positions,
        # The families here go on, on every axis, one after the largest position on any axis (Qwen's `rope_deltas`).
        next_position=(positions.max() + 1).expand(axes).clone(),
        deepstack=tuple(arguments.get("deepstack_visual_embeds") or ()),
    )


def _positions(given: Tensor | None, embeds: Tensor, axes: int) -> Tensor:
    """Position ids as `[A, P]`, from None (counted), `[1, P]`, `[A, 1, P]` or, text axis first, `[A + 1, 1, P]`."""
    if given is None:
        return torch.arange(embeds.shape[1], device=embeds.device).expand(axes, -1)
    if given.dim() == 2:
        return given.expand(axes, -1)
    return given[-axes:, 0]
