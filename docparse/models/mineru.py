"""MinerU2.5 and MinerU2.5-Pro: a Qwen2-VL that finds the regions of a small picture of the page, then reads each.

Instructions, the size of the small picture and the ban on repeats: mineru_vl_utils/mineru_client.py and
vlm_client/transformers_client.py of opendatalab/mineru-vl-utils at abb57de. Regions that the model calls turned are
read as they stand. Not verified: commits, and how it spells formulas.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from docparse.logits import NoRepeatNGrams
from docparse.models.dialects.layout_tokens import LayoutTokens
from docparse.models.dialects.markdown import MarkdownDialect
from docparse.models.family import Card, OwnLayout
from docparse.models.instructions import OMNIDOCBENCH_MATH
from docparse.models.native import INSTRUCTIONS, ElementFamily
from docparse.models.qwen25_vl import Qwen25Vl

LINES = {category: f"\n{told}" for category, told in INSTRUCTIONS.items()}


class MinerU(ElementFamily):
    """MinerU2.5 of September 2025."""

    card = Card("mineru2.5", "opendatalab/MinerU2.5-2509-1.2B", "", "AGPL-3.0", 1_156_026_624)
    dialect = MarkdownDialect(tables="otsl", math=OMNIDOCBENCH_MATH, spaced=True)
    layout = OwnLayout("\nLayout Detection:", LayoutTokens(), 1036, 1036)
    model_types = ("qwen2_vl",)
    position_axes = 3
    dpi = 200  # mineru/utils/pdf_image_tools.py of opendatalab/MinerU
    page_instruction = "\nText Recognition:"
    crop_instructions = LINES
    chat, end_token, image_token, images = Qwen25Vl.chat, Qwen25Vl.end_token, Qwen25Vl.image_token, Qwen25Vl.images
    logits = (NoRepeatNGrams(100, 32768),)
    classes = "Qwen2VL"
    twin: Mapping[str, Any] = {"config.json": {"vision_config": {"hidden_size": 64}}}  # the decoder's width


class MinerUPro(MinerU):
    """The same architecture, trained on more and better pages."""

    card = Card(
        name="mineru2.5-pro",
        repository="opendatalab/MinerU2.5-Pro-2605-1.2B",
        revision="",
        licence="not stated",
        parameters=1_156_026_624,
        aliases=("opendatalab/MinerU2.5-Pro-2604-1.2B",),
    )
    published_as = "mineru2.5"
