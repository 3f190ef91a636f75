"""DeepSeek-OCR-2: learned queries read each view of the page in an order of their own; the rest as in DeepSeek-OCR.

transformers has the classes; the published repository (remote code, `deepseek_vl_v2`) loads into them, and so does its
converted copy deepseek-community/DeepSeek-OCR-2. Sources: as for DeepSeek-OCR, and transformers'
convert_deepseek_ocr2_weights_to_hf.py for the sizes of the second vision tower.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from docparse.logits import NoRepeatNGrams
from docparse.models import deepseek_published as published
from docparse.models.deepseek_ocr import CELLS, DeepseekOcr
from docparse.models.deepseek_published import Mode
from docparse.models.family import Card


class DeepseekOcr2(DeepseekOcr):
    """DeepSeek-OCR-2: a view of 1024 pixels (256 tokens) and up to six tiles of 768 (144 tokens each)."""

    card = Card(
        name="deepseek-ocr-2",
        repository="deepseek-ai/DeepSeek-OCR-2",
        revision="aaa02f3811945a91062062994c5c4a3f4c0af2b0",
        licence="Apache-2.0",
        parameters=3_389_119_360,
        aliases=("deepseek-community/DeepSeek-OCR-2",),
    )
    skipped_parameters = 0
    logits = (NoRepeatNGrams(20, 50, CELLS),)  # run_dpsk_ocr2_pdf.py of its GitHub repository at 2f3699e
    model_types = ("deepseek_vl_v2", "deepseek_ocr2")
    architectures = ("DeepseekOCR2ForCausalLM", "DeepseekOcr2ForConditionalGeneration")
    config_class = "DeepseekOcr2Config"
    model_class = "DeepseekOcr2ForConditionalGeneration"
    resolutions: Mapping[str, Mode] = {"": Mode(1024, tile=768, most=6)}
    modes = ()
    second_tower = "qwen2-0-5b"
    processor_class = "docparse.models.deepseek_views.Deepseek2Processor"

    def text(self, language: Mapping[str, Any]) -> dict[str, Any]:
        return published.text_config(language)

    def encoder(self, qwen: Mapping[str, Any]) -> dict[str, Any]:
        """The second vision tower's: a Qwen2 0.5B."""
        return {
            "hidden_size": qwen["dim"],
            "num_hidden_layers": qwen["layers"],
            "num_attention_heads": qwen["heads"],
            "num_key_value_heads": qwen["kv_heads"],
            "intermediate_size": qwen["intermediate"],
            "rope_parameters": {"rope_type": "default", "rope_theta": 1_000_000.0},
            "vocab_size": 1,
        }
