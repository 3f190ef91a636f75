"""MinerU2.5 and MinerU2.5-Pro: a Qwen2-VL that finds the regions of a small picture of the page, then reads each.

Instructions, the size of the small picture and the ban on repeats: mineru_vl_utils/mineru_client.py and
vlm_client/transformers_client.py of opendatalab/mineru-vl-utils at abb57de. Regions that the model calls turned are
read as they stand. Not verified: how it spells formulas.
"""

from __future__ import annotations

from docparse.logits import NoRepeatNGrams
from docparse.models.dialects.layout_tokens import LayoutTokens
from docparse.models.dialects.markdown import MarkdownDialect
from docparse.models.family import Card, OwnLayout
from docparse.models.instructions import OMNIDOCBENCH_MATH
from docparse.models.native import INSTRUCTIONS, ElementFamily, QwenFamily
from docparse.models.qwen25_vl import SYSTEM

COMMIT = "879e58bdd9566632b27a8a81f0e2961873311f67"
LINES = {category: f"\n{told}" for category, told in INSTRUCTIONS.items()}


class MinerU(ElementFamily, QwenFamily):
    """MinerU2.5 of September 2025."""

    card = Card("mineru2.5", "opendatalab/MinerU2.5-2509-1.2B", COMMIT, "AGPL-3.0", 1_156_026_624)
    dialect = MarkdownDialect(tables="otsl", math=OMNIDOCBENCH_MATH, spaced=True)
    layout = OwnLayout("\nLayout Detection:", LayoutTokens(), 1036, 1036)
    model_types = ("qwen2_vl",)
    dpi = 200  # mineru/utils/pdf_image_tools.py of opendatalab/MinerU
    page_instruction = "\nText Recognition:"
    crop_instructions = LINES
    chat = SYSTEM + QwenFamily.chat
    logits = (NoRepeatNGrams(100, 32768),)
    classes = "Qwen2VL"


class MinerUPro(MinerU):
    """The same architecture, trained on more and better pages."""

    card = Card(
        name="mineru2.5-pro",
        repository="opendatalab/MinerU2.5-Pro-2605-1.2B",
        revision="bff20d4ae2bf202df9f45284b4d43681555a97ed",
        licence="not stated",
        parameters=1_156_026_624,
        aliases=("opendatalab/MinerU2.5-Pro-2604-1.2B",),
    )
    published_as = "mineru2.5"
