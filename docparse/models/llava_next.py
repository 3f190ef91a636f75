"""LLaVA-NeXT (v1.6) on Mistral 7B: CLIP tiles on a canvas; a general model, for VL-Cache's paper's settings.

Chat format: chat_template.json of the repository at the pinned revision. The instruction is OmniDocBench's for
general models.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from docparse.models.dialects.markdown import MarkdownDialect
from docparse.models.family import Card
from docparse.models.instructions import OMNIDOCBENCH, OMNIDOCBENCH_MATH
from docparse.models.native import NativeFamily


class LlavaNext(NativeFamily):
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
    dialect = MarkdownDialect(math=OMNIDOCBENCH_MATH)
    page_instruction = OMNIDOCBENCH
    chat = "<s>[INST] {image}\n{instruction} [/INST]"
    end_token = "</s>"
    image_token = "<image>"
    config_class = "LlavaNextConfig"
    model_class = "LlavaNextForConditionalGeneration"
    images = "llava_next.image_processing_pil_llava_next.LlavaNextImageProcessorPil"
    processor_class = "docparse.models.llava_views.LlavaProcessor"

    def picture_facts(self, folder: str) -> Mapping[str, Any]:
        vision = self._config(folder).vision_config
        return {"cells": vision.image_size // vision.patch_size}
