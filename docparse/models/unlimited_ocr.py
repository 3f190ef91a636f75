"""Unlimited-OCR: DeepSeek-OCR's towers and decoder, of which each written token reads the picture, the instruction and
the last 128 written tokens.

Instruction, modes, resolution and settings: README.md and infer.py of github.com/baidu/Unlimited-OCR at 582efd9; tiles
up to 32: transformers' image processor. Not verified: that the tokenizer spells its special tokens as below.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from docparse.logits import NoRepeatNGrams
from docparse.models.deepseek_ocr import DeepseekOcr, Mode
from docparse.models.dialects.grounding import Grounding
from docparse.models.dialects.markdown import MarkdownDialect
from docparse.models.family import Card, Dialect
from docparse.models.instructions import OMNIDOCBENCH_MATH

MARKDOWN = MarkdownDialect(
    math=OMNIDOCBENCH_MATH, gap="\n", indent="", headings=False, emphasis=False, furniture=True, spaced=True
)


class UnlimitedOcr(DeepseekOcr):
    """Unlimited-OCR, page by page."""

    card = Card(
        "unlimited-ocr", "baidu/Unlimited-OCR", "3a7f4dbbbffcc6f9282712c5b0d7cc31b3812da5", "MIT", 3_336_106_240
    )
    model_types = ("unlimited-ocr", "unlimited_ocr")
    architectures = ("UnlimitedOCRForCausalLM", "UnlimitedOcrForConditionalGeneration")
    dialect: Dialect = Grounding(MARKDOWN, short=True)
    dpi, max_tokens = 300, 32768
    page_instruction = "document parsing."
    chat = "<｜begin▁of▁sentence｜>{image}{instruction}"
    logits = (NoRepeatNGrams(35, 128),)
    resolutions: Mapping[str, Mode] = {"gundam": Mode(1024, tile=640, most=32), "base": Mode(1024)}
    modes = tuple(resolutions)
    twin: Mapping[str, Any] = {"config.json": {"language_config": {"sliding_window_size": 12}}}  # shorter than outputs

    all_layers_full = False
    crop_instruction, crop_dialect = "", None  # a crop is a small page

    def text(self, given: Mapping[str, Any], read: Iterable[str]) -> dict[str, Any]:
        text = super().text(given, read)
        return text | {"sliding_window": text.pop("sliding_window_size")}
