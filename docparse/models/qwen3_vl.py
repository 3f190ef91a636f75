"""Qwen3-VL, with vision features added inside the first decoder layers (deepstack); FireRed-OCR and ABot-OCR, trained
from its 2B to read pages by one instruction.

Qwen's own instruction `qwenvl markdown` is not used: it writes tables in LaTeX, with boxes in comments. That of the
other two is OmniDocBench's as their scripts have it, and as they were trained: indented, and with commas where a
backslash was to stand (conv_for_infer.py of FireRedTeam/FireRed-OCR, abot-ocr-infer.py of amap-cvlab/ABot-OCR).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from docparse.models.family import Card
from docparse.models.instructions import OMNIDOCBENCH, GeneralFamily
from docparse.models.native import QwenFamily

_LINES = OMNIDOCBENCH.replace(" \\", ",").splitlines(keepends=True)
INDENTED = "".join([_LINES[0], *(" " * 12 * bool(line.strip()) + line for line in _LINES[1:])]) + " " * 12


class Qwen3Vl(GeneralFamily, QwenFamily):
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
    model_types = ("qwen3_vl",)
    classes = "Qwen3VL"

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


class FireRedOcr(Qwen3Vl2B):
    """FireRed-OCR 2B. Not verified: commit."""

    card = Card("firered-ocr", "FireRedTeam/FireRed-OCR", "", "Apache-2.0", 2_127_532_032, aliases=("firered-ocr-2b",))
    published_as = "qwen3-vl-2b"
    max_tokens = 8192
    page_instruction = INDENTED


class ABotOcr(FireRedOcr):
    """ABot-OCR 2B. Not verified: commit; its makers state no licence."""

    card = Card("abot-ocr", "acvlab/ABot-OCR", "", "not stated", 2_127_532_032)
