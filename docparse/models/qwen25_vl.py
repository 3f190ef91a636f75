"""Qwen2.5-VL: M-RoPE on three axes, window attention in the vision tower.

The instruction is OmniDocBench's for general models, which the published scores of Qwen on documents come from; it
makes the model write HTML tables and `\\( \\)` formulas.
"""

from __future__ import annotations

from docparse.models.dialects.markdown import MarkdownDialect
from docparse.models.family import Card, Dialect
from docparse.models.instructions import OMNIDOCBENCH, OMNIDOCBENCH_MATH
from docparse.models.native import NativeFamily

SYSTEM = "<|im_start|>system\nYou are a helpful assistant.<|im_end|>\n"


class Qwen25Vl(NativeFamily):
    """Qwen2.5-VL 7B."""

    card = Card(
        name="qwen2.5-vl",
        repository="Qwen/Qwen2.5-VL-7B-Instruct",
        revision="cc594898137f460bfe9f0759e9844b3ce807cfb5",
        licence="Apache-2.0",
        parameters=8_292_166_656,
        purpose="general",
        aliases=("qwen2.5-vl-7b",),
    )
    dialect: Dialect = MarkdownDialect(math=OMNIDOCBENCH_MATH)
    model_types = ("qwen2_5_vl",)
    position_axes = 3
    page_instruction = OMNIDOCBENCH
    chat = (
        SYSTEM + "<|im_start|>user\n<|vision_start|>{image}<|vision_end|>{instruction}<|im_end|>\n"
        "<|im_start|>assistant\n"
    )
    end_token = "<|im_end|>"
    image_token = "<|image_pad|>"
    classes = "Qwen2_5_VL"
    images = "qwen2_vl.image_processing_pil_qwen2_vl.Qwen2VLImageProcessorPil"
