"""What a model feeds its own text decoder, caught at the decoder's door: any family, no copy of its forward."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from docparse.errors import EnvironmentProblem

READ_APART = {"inputs_embeds", "position_ids", "deepstack_visual_embeds", "visual_pos_masks"}
CACHES = {"cache", "past_key_values"}  # its name since transformers 5.24, and before
THE_ENGINES = CACHES | {"input_ids", "attention_mask", "use_cache", "cache_position", "return_dict"}
NOT_FOR_READING = {"labels", "logits_to_keep", "output_attentions", "output_hidden_states", "output_router_logits"}
DROPPED = READ_APART | THE_ENGINES | NOT_FOR_READING


@dataclass(frozen=True)
class DecoderInputs:
    """Arguments of the decoder's prefill call for one prompt: `embeds [P, D]`, `positions [A, P]`, `next_position [A]`,
    and vision features added inside the decoder (`deepstack`, each `[V, D]`)."""

    embeds: Tensor
    positions: Tensor
    next_position: Tensor
    deepstack: tuple[Tensor, ...]


class _AtTheDoor(Exception):
    """Carries the decoder's arguments out of the model's forward, which stops here."""

    def __init__(self, arguments: dict[str, Any]) -> None:
        self.arguments = arguments


def decoder_inputs(
    model: nn.Module, decoder: nn.Module, inputs: Mapping[str, Any], axes: int, visual: Sequence[Tensor]
) -> list[DecoderInputs]:
    """Run the model's forward up to its decoder (vision tower, projector, merge) and return what it was given.

    That is one for each of the prompts in `inputs`, of which `visual [P]` says which tokens are visual; what pads a
    shorter one is left out.

    The hook that catches it is gone afterwards, whatever happened. Masks are dropped: the engine makes its own.
    """

    def stop(module: nn.Module, args: tuple[Any, ...], arguments: dict[str, Any]) -> None:
        raise _AtTheDoor(arguments)

    hook = decoder.register_forward_pre_hook(stop, with_kwargs=True)
    try:
        with torch.no_grad():
            model(**inputs)
    except _AtTheDoor as door:
        return _read(door.arguments, axes, visual)
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


def side_by_side(inputs: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    """Return the inputs of several prompts as those of one batch, the shorter ones padded behind. None where they do
    not go together: pictures in pieces of different shapes, or in lists."""
    if any(not isinstance(value, Tensor) for each in inputs for value in each.values()):
        return None
    lengths = [each["input_ids"].shape[1] for each in inputs]
    together: dict[str, Any] = {}
    for name in inputs[0]:
        parts = [each[name] for each in inputs]
        if all(part.shape == (1, length) for part, length in zip(parts, lengths, strict=True)):
            together[name] = pad_sequence([part[0] for part in parts], batch_first=True)
        elif len({part.shape[1:] for part in parts}) == 1:
            together[name] = torch.cat(parts)
        else:
            return None
    reach = torch.arange(max(lengths), device=together["input_ids"].device)
    together["attention_mask"] = (reach < torch.tensor(lengths, device=reach.device)[:, None]).long()
    return together


def _read(arguments: Mapping[str, Any], axes: int, visual: Sequence[Tensor]) -> list[DecoderInputs]:
    if strange := sorted(name for name, value in arguments.items() if name not in DROPPED and value is not None):
        raise EnvironmentProblem(
            f"the model gives its text decoder {', '.join(strange)}, which docparse does not know: choose another model"
        )
    embeds = arguments["inputs_embeds"]
    positions = _positions(arguments.get("position_ids"), embeds, axes)
    counts = [int(each.sum()) for each in visual]
    features = [layer.split(counts) for layer in arguments.get("deepstack_visual_embeds") or ()]
    found = []
    for row, each in enumerate(visual):
        own = positions[:, row, : len(each)]
        found.append(
            DecoderInputs(
                embeds=embeds[row, : len(each)],
                positions=own,
                # The families here go on, on every axis, one after the largest position on any axis (Qwen's
                # `rope_deltas`).
                next_position=(own.max() + 1).expand(axes).clone(),
                deepstack=tuple(layer[row] for layer in features),
            )
        )
    return found


def _positions(given: Tensor | None, embeds: Tensor, axes: int) -> Tensor:
    """Position ids as `[A, B, P]`, from None (counted), `[B, P]`, `[A, B, P]` or, text axis first, `[A + 1, B, P]`."""
    rows, length, _ = embeds.shape
    if given is None:
        return torch.arange(length, device=embeds.device).expand(axes, rows, -1)
    if given.dim() == 2:
        return given.expand(axes, rows, -1)
    return given[-axes:]
