"""LightOnOCR-2 1B: a Pixtral tower whose patches merge two by two, and a Qwen3 decoder; a page in, Markdown out.

It takes no instruction: the model card asks for a user turn that holds the picture alone, rendered 1540 pixels long.
Shape: the defaults of transformers' LightOnOcrConfig, which are the published ones. config.json of the repository names
the type `mistral3`, which transformers has as another model; the architecture tells them apart.
No commit of it is named anywhere that could be read, so none is pinned: `pull` takes the head of main and records it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docparse.models.dialects.markdown import MarkdownDialect
from docparse.models.family import Card, Processor
from docparse.models.native import NativeFamily, named, tiny_text

if TYPE_CHECKING:
    from transformers import PreTrainedConfig


class LightOnOcr(NativeFamily):
    """LightOnOCR-2 1B."""

    card = Card(
        name="lighton-ocr",
        repository="lightonai/LightOnOCR-2-1B",
        revision="",
        licence="Apache-2.0",
        parameters=1_005_647_872,
        purpose="document",
        rank=7,
        aliases=("lightonocr-2-1b", "lightonocr"),
    )
    model_types = ("lighton_ocr", "mistral3")
    dialect = MarkdownDialect()
    dpi = 200  # usage in the model card, where pages are then made 1540 pixels long
    page_instruction = ""
    chat = "<|im_start|>system<|im_end|>\n<|im_start|>user\n{image}{instruction}<|im_end|>\n<|im_start|>assistant\n"
    end_token = "<|im_end|>"
    image_token = "<|image_pad|>"
    special_tokens = ("<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|image_pad|>")
    config_class = "LightOnOcrConfig"
    model_class = "LightOnOcrForConditionalGeneration"
    images = "pixtral.image_processing_pil_pixtral.PixtralImageProcessorPil"

    def recognises(self, config: Mapping[str, Any]) -> bool:
        names = [name.lower() for name in config.get("architectures") or ()]
        return super().recognises(config) and "lightonocrforconditionalgeneration" in names

    def full_config(self) -> PreTrainedConfig:
        return named(self.config_class)()

    def tiny_config(self, vocabulary: int, special: Mapping[str, int]) -> PreTrainedConfig:
        return named(self.config_class)(
            text_config=tiny_text("qwen3", vocabulary, head_dim=16),
            vision_config={
                "model_type": "pixtral",
                "hidden_size": 32,
                "intermediate_size": 64,
                "num_hidden_layers": 2,
                "num_attention_heads": 2,
                "head_dim": 16,
                "image_size": 112,
                "patch_size": 14,
            },
            image_token_id=special["<|image_pad|>"],
        )

    def read_config(self, folder: str) -> PreTrainedConfig:
        given = json.loads((Path(folder) / "config.json").read_text(encoding="utf-8"))
        return named(self.config_class).from_dict(given | {"model_type": "lighton_ocr"})

    def processor(self, folder: str) -> Processor:
        from docparse.models.lighton_views import LightOnProcessor
        from docparse.models.tokens import load_tokenizer

        return LightOnProcessor(load_tokenizer(folder), self.chat, self.image_token, self.image_processor(folder))

    def preprocessing(self) -> Mapping[str, Any]:
        return {
            "patch_size": {"height": 14, "width": 14},
            "size": {"longest_edge": 1540},
            "image_mean": [0.48145466, 0.4578275, 0.40821073],
            "image_std": [0.26862954, 0.26130258, 0.27577711],
        }

    def tiny_preprocessing(self) -> Mapping[str, Any]:
        return {**self.preprocessing(), "size": {"longest_edge": 168}}
