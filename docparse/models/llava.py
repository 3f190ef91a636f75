"""LLaVA-NeXT (v1.6) on Mistral 7B: CLIP tiles on a canvas, for VL-Cache's paper's settings; LLaVA-OneVision 7B: SigLIP
tiles and a Qwen2 decoder, for AirCache's. Both are general models.

Chat formats: chat_template.json of the repositories at the pinned revisions. OneVision's vocabulary is Qwen2's with two
tokens more, rounded up to 64, as transformers' convert_llava_onevision_weights_to_hf.py makes it. The instruction is
OmniDocBench's for general models. Not verified without the weights: the size of OneVision's vocabulary.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from docparse.models.family import Card
from docparse.models.instructions import GeneralFamily


class LlavaNext(GeneralFamily):
    """LLaVA-NeXT, Mistral 7B."""

    card = Card(
        name="llava-next",
        repository="llava-hf/llava-v1.6-mistral-7b-hf",
        revision="52320fb52229c8d942b1dcb8b63b3dc8087bc83b",
        licence="Apache-2.0",
        parameters=7_566_747_648,
        purpose="general",
        aliases=("llava-v1.6", "llava-1.6"),
    )
    model_types = ("llava_next",)
    chat = "<s>[INST] {image}\n{instruction} [/INST]"
    end_token = "</s>"
    image_token = "<image>"
    classes = "LlavaNext"
    images = "llava_next.image_processing_pil_llava_next.LlavaNextImageProcessorPil"
    processor_class = "docparse.models.tile_views.LlavaProcessor"

    def picture_facts(self, folder: str) -> Mapping[str, Any]:
        vision = self._config(folder).vision_config
        return {"cells": vision.image_size // vision.patch_size}


class LlavaOneVision(LlavaNext):
    """LLaVA-OneVision 7B (ov)."""

    card = Card(
        name="llava-onevision",
        repository="llava-hf/llava-onevision-qwen2-7b-ov-hf",
        revision="0d50680527681998e456c7b78950205bedd8a068",
        licence="Apache-2.0",
        parameters=8_030_807_584,
        purpose="general",
        aliases=("llava-onevision-7b",),
    )
    model_types = ("llava_onevision",)
    chat = "<|im_start|>user {image}\n{instruction}<|im_end|><|im_start|>assistant\n"
    end_token = "<|im_end|>"
    classes = "LlavaOnevision"
    images = "llava_onevision.image_processing_pil_llava_onevision.LlavaOnevisionImageProcessorPil"

    def picture_facts(self, folder: str) -> Mapping[str, Any]:
        config: Any = self._config(folder)
        return {**super().picture_facts(folder), "most": int(config.vision_aspect_ratio.removeprefix("anyres_max_"))}
