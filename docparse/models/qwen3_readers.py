"""Fine-tuned Qwen3-VL 2B models that read pages by one instruction: FireRed-OCR and ABot-OCR.

The instruction is OmniDocBench's as their scripts have it: indented, and with commas where a backslash was to stand
after a space (conv_for_infer.py of FireRedTeam/FireRed-OCR, abot-ocr-infer.py of amap-cvlab/ABot-OCR). They were
trained by it, so it is kept as it is.
"""

from __future__ import annotations

from docparse.models.family import Card
from docparse.models.instructions import OMNIDOCBENCH
from docparse.models.qwen3_vl import Qwen3Vl2B

_LINES = OMNIDOCBENCH.replace(" \\", ",").splitlines(keepends=True)
INDENTED = "".join([_LINES[0], *(" " * 12 * bool(line.strip()) + line for line in _LINES[1:])]) + " " * 12


class FireRedOcr(Qwen3Vl2B):
    """FireRed-OCR 2B. Not verified: commit."""

    card = Card("firered-ocr", "FireRedTeam/FireRed-OCR", "", "Apache-2.0", 2_127_532_032, aliases=("firered-ocr-2b",))
    published_as = "qwen3-vl-2b"
    max_tokens = 8192
    page_instruction = INDENTED


class ABotOcr(FireRedOcr):
    """ABot-OCR 2B. Not verified: commit; its makers state no licence."""

    card = Card("abot-ocr", "acvlab/ABot-OCR", "", "not stated", 2_127_532_032)
