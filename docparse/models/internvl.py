"""InternVL3 8B: InternViT tiles and a Qwen2.5 decoder; a general model, here for the settings of AirCache's paper.

The copy for transformers' own classes. Chat format: the chat template written by transformers'
convert_internvl_weights_to_hf.py. The instruction is OmniDocBench's for general models.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from docparse.models.family import Card
from docparse.models.instructions import GeneralFamily


class InternVl(GeneralFamily):
    """InternVL3 8B."""

    card = Card(
        name="internvl",
        repository="OpenGVLab/InternVL3-8B-hf",
        revision="259a3b64a14623c0ec91a045cb43f7c5af5fa6af",
        licence="MIT, its Qwen2.5 decoder Apache-2.0",
        parameters=7_944_373_760,
        purpose="general",
        aliases=("internvl3", "internvl3-8b"),
    )
    model_types = ("internvl",)
    chat = "<|im_start|>user\n<img>{image}</img>\n{instruction}<|im_end|>\n<|im_start|>assistant\n"
    end_token = "<|im_end|>"
    image_token = "<IMG_CONTEXT>"
    classes = "InternVL"
    images = "got_ocr2.image_processing_pil_got_ocr2.GotOcr2ImageProcessorPil"
    processor_class = "docparse.models.tile_views.InternVlProcessor"

    def picture_facts(self, folder: str) -> Mapping[str, Any]:
        config: Any = self._config(folder)
        patches = config.vision_config.image_size[0] // config.vision_config.patch_size[0]
        return {"cells": round(patches * config.downsample_ratio)}
