"""LightOnOCR-2 1B: a Pixtral tower whose patches merge two by two, and a Qwen3 decoder; a page in, Markdown out.

It takes no instruction: the model card asks for a user turn that holds the picture alone, rendered 1540 pixels long.
config.json of the repository names the type `mistral3`, which transformers has as another model; the architecture tells
them apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from docparse.models.dialects.markdown import MarkdownDialect
from docparse.models.family import Card
from docparse.models.native import NativeFamily

if TYPE_CHECKING:
    from transformers import PreTrainedConfig


class LightOnOcr(NativeFamily):
    """LightOnOCR-2 1B."""

    card = Card(
        name="lighton-ocr",
        repository="lightonai/LightOnOCR-2-1B",
        revision="c97bd377f04481830395218fa8951df9deaba756",
        licence="Apache-2.0",
        parameters=1_005_647_872,
        aliases=("lightonocr-2-1b", "lightonocr"),
    )
    model_types = ("lighton_ocr", "mistral3")
    dialect = MarkdownDialect()
    dpi = 200  # usage in the model card, where pages are then made 1540 pixels long
    page_instruction = ""
    chat = "<|im_start|>system<|im_end|>\n<|im_start|>user\n{image}{instruction}<|im_end|>\n<|im_start|>assistant\n"
    end_token = "<|im_end|>"
    image_token = "<|image_pad|>"
    classes = "LightOnOcr"
    images = "pixtral.image_processing_pil_pixtral.PixtralImageProcessorPil"
    processor_class = "docparse.models.views.LightOnProcessor"

    def recognises(self, config: Mapping[str, Any]) -> bool:
        names = [name.lower() for name in config.get("architectures") or ()]
        return super().recognises(config) and "lightonocrforconditionalgeneration" in names

    def config_of(self, given: Mapping[str, Any]) -> PreTrainedConfig:
        return super().config_of({**given, "model_type": "lighton_ocr"})
