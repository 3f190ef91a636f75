"""LLaVA-OneVision 7B: SigLIP tiles on a canvas and a Qwen2 decoder; a general model, for AirCache's paper's settings.

Chat format: chat_template.json of the repository at the pinned revision; the vocabulary is Qwen2's with two tokens
more, rounded up to 64, as transformers' convert_llava_onevision_weights_to_hf.py makes it. The instruction is
OmniDocBench's for general models. Not verified without the weights: the size of the vocabulary.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from docparse.models.dialects.markdown import MarkdownDialect
from docparse.models.family import Card
from docparse.models.instructions import OMNIDOCBENCH, OMNIDOCBENCH_MATH
from docparse.models.native import NativeFamily


class LlavaOneVision(NativeFamily):
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
    dialect = MarkdownDialect(math=OMNIDOCBENCH_MATH)
    page_instruction = OMNIDOCBENCH
    chat = "<|im_start|>user {image}\n{instruction}<|im_end|><|im_start|>assistant\n"
    end_token = "<|im_end|>"
    image_token = "<image>"
    config_class = "LlavaOnevisionConfig"
    model_class = "LlavaOnevisionForConditionalGeneration"
    images = "llava_onevision.image_processing_pil_llava_onevision.LlavaOnevisionImageProcessorPil"
    processor_class = "docparse.models.llava_views.LlavaProcessor"

    def picture_facts(self, folder: str) -> Mapping[str, Any]:
        config: Any = self._config(folder)
        cells = config.vision_config.image_size // config.vision_config.patch_size
        return {"cells": cells, "most": int(config.vision_aspect_ratio.removeprefix("anyres_max_"))}
