"""A loaded model: its weights, its processor, and the way from a picture to a prompt."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from torch import nn

from docparse.engine.prompt import Prompt
from docparse.engine.text_model import TextModel
from docparse.models.capture import decoder_inputs, device_inputs
from docparse.models.family import Encoded, Family, Processor

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
        )
        return cls(name, family, model, processor, text, revision)

    def encode(self, image: Image | np.ndarray, instruction: str) -> Encoded:
        """Tokenize and preprocess; the vision tower does not run yet."""
        return self.processor.encode(image, instruction)

    def prompt(self, encoded: Encoded) -> Prompt:
        """Run the vision tower and merge its output into the prompt."""
        inputs = device_inputs(encoded.inputs, self.model)
        caught = decoder_inputs(self.model, self.text.decoder, inputs, self.text.axes)
        device = caught.embeds.device
        return Prompt(
            ids=inputs["input_ids"][0],
            embeds=caught.embeds[0],
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
