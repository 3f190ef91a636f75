"""A loaded model: its weights, its processor, and the way from a picture to a prompt."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from torch import nn

from docparse.engine.prompt import Prompt
from docparse.engine.text_model import TextModel
from docparse.models.family import Encoded, Family, Processor
from docparse.vlm.capture import DecoderInputs, decoder_inputs, device_inputs, side_by_side

if TYPE_CHECKING:
    import numpy as np
    from PIL.Image import Image
    from transformers import PreTrainedModel


@dataclass(frozen=True)
class Vlm:
    """Everything needed to read a picture. `name` is what the user called it (family name or folder)."""

    name: str
    family: Family
    model: nn.Module
    processor: Processor
    text: TextModel
    revision: str = ""

    @classmethod
    def of(cls, name: str, family: Family, model: PreTrainedModel, processor: Processor, revision: str = "") -> Vlm:
        """With the text model wired as the family says."""
        decoder = family.decoder(model)
        text = TextModel(
            decoder=decoder,
            head=partial(family.head, model),
            end=family.end_tokens(model, processor),
            axes=family.position_axes,
            key=f"{family.card.name} {_shape(decoder)}|{model.device.type}|{model.dtype}",
            processors=tuple(each.known(processor.tokenizer) for each in family.logits),
        )
        return cls(name, family, model, processor, text, revision)

    def encode(self, image: Image | np.ndarray, instruction: str) -> Encoded:
        """Tokenize and preprocess; the vision tower does not run yet."""
        return self.processor.encode(image, instruction)

    def prompt(self, encoded: Encoded) -> Prompt:
        """Run the vision tower and merge its output into the prompt."""
        return self.prompts([encoded])[0]

    def prompts(self, encoded: Sequence[Encoded]) -> list[Prompt]:
        """The same for several pictures, in one pass where their inputs go together."""
        inputs = [device_inputs(each.inputs, self.model) for each in encoded]
        together = inputs[0] if len(inputs) == 1 else None
        if len(inputs) > 1 and self.family.sees_together:
            together = side_by_side(inputs)
        if together is None:
            return [self.prompts([each])[0] for each in encoded]
        visual = [each.visual for each in encoded]
        caught = decoder_inputs(self.model, self.text.decoder, together, self.text.axes, visual)
        return [_prompt(*each) for each in zip(encoded, inputs, caught, strict=True)]


def _prompt(encoded: Encoded, inputs: Mapping[str, Any], caught: DecoderInputs) -> Prompt:
    device = caught.embeds.device
    return Prompt(
        ids=inputs["input_ids"][0],
        embeds=caught.embeds,
        positions=caught.positions,
        next_position=caught.next_position,
        visual=encoded.visual.to(device),
        structural=encoded.structural.to(device),
        boxes=encoded.boxes.to(device),
        deepstack=caught.deepstack,
    )


def _shape(decoder: nn.Module) -> str:
    """Digest of the decoder's configuration: what a pass costs depends on its shape, not on where its weights lie."""
    config: Any = decoder.config
    facts = {key: value for key, value in config.to_dict().items() if not key.startswith("_")}
    return hashlib.sha256(json.dumps(facts, sort_keys=True, default=str).encode()).hexdigest()[:12]
