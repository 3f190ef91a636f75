"""granite-docling: Idefics3's classes around a SigLIP 2 tower and a Granite decoder of 165 M; writes DocTags.

Instructions and chat: the model card and chat_template.jinja of ibm-granite/granite-docling-258M. Not verified: the
size of pictures in its preprocessor_config.json; the row and column tokens of its tokenizer end at 4 x 4 tiles, as
2,048 pixels do.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from docparse.models.dialects.doctags import DocTags
from docparse.models.family import Card
from docparse.models.native import NativeFamily
from docparse.types import Category

REGIONS = {
    Category.TABLE: "Convert table to OTSL.",
    Category.FORMULA: "Convert formula to LaTeX.",
    Category.CODE: "Convert code to text.",
}


class GraniteDocling(NativeFamily):
    """granite-docling 258M."""

    card = Card(
        name="granite-docling",
        repository="ibm-granite/granite-docling-258M",
        revision="982fe3b40f2fa73c365bdb1bcacf6c81b7184bfe",
        licence="Apache-2.0",
        parameters=257_517_120,
    )
    model_types = ("idefics3",)
    dialect = DocTags()
    page_instruction = "Convert this page to docling."
    crop_instructions = REGIONS
    chat = (
        "<|start_of_role|>user<|end_of_role|>{image}{instruction}<|end_of_text|>\n"
        "<|start_of_role|>assistant<|end_of_role|>"
    )
    end_token = "<|end_of_text|>"
    image_token = "<image>"
    classes = "Idefics3"
    images = "idefics3.image_processing_pil_idefics3.Idefics3ImageProcessorPil"
    processor_class = "docparse.models.tile_views.Idefics3Processor"

    def picture_facts(self, folder: str) -> Mapping[str, Any]:
        config: Any = self._config(folder)
        return {"cells": config.vision_config.image_size // config.vision_config.patch_size // config.scale_factor}
