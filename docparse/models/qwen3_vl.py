"""Qwen3-VL: M-RoPE on three axes, vision features added inside the first decoder layers (deepstack).

The instruction is OmniDocBench's for general models. Qwen's own `qwenvl markdown` is not used: it writes tables in
LaTeX, with boxes in comments.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from docparse.models.dialects.markdown import MarkdownDialect
from docparse.models.family import Card
from docparse.models.instructions import OMNIDOCBENCH, OMNIDOCBENCH_MATH
from docparse.models.native import NativeFamily


class Qwen3Vl(NativeFamily):
    """Qwen3-VL 8B."""

    card = Card(
        name="qwen3-vl",
        repository="Qwen/Qwen3-VL-8B-Instruct",
        revision="0c351dd01ed87e9c1b53cbc748cba10e6187ff3b",
        licence="Apache-2.0",
        parameters=8_767_123_696,
        purpose="general",
        aliases=("qwen3-vl-8b",),
    )
    dialect = MarkdownDialect(math=OMNIDOCBENCH_MATH)
    model_types = ("qwen3_vl",)
    position_axes = 3
    end_token = "<|im_end|>"
    classes = "Qwen3VL"
    images = "qwen2_vl.image_processing_pil_qwen2_vl.Qwen2VLImageProcessorPil"
    image_token = "<|image_pad|>"
    chat = "<|im_start|>user\n<|vision_start|>{image}<|vision_end|>{instruction}<|im_end|>\n<|im_start|>assistant\n"
    page_instruction = OMNIDOCBENCH

    def recognises(self, config: Mapping[str, Any]) -> bool:
        patch = (config.get("vision_config") or {}).get("patch_size", 16)  # other models of these classes have another
        return super().recognises(config) and patch == self.preprocessing()["patch_size"]


class Qwen3Vl2B(Qwen3Vl):
    """Qwen3-VL 2B: small enough to draft for the larger one."""

    card = Card(
        name="qwen3-vl-2b",
        repository="Qwen/Qwen3-VL-2B-Instruct",
        revision="89644892e4d85e24eaac8bacfd4f463576704203",
        licence="Apache-2.0",
        parameters=2_127_532_032,
        purpose="general",
    )
