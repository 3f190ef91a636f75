"""Qwen2.5-VL, with window attention in its tower; and Nanonets-OCR2 and RolmOCR, trained from it to read pages by
the instructions in their model cards (nanonets/Nanonets-OCR2-3B, reducto/RolmOCR).
"""

from __future__ import annotations

from docparse.models.dialects.markdown import MarkdownDialect
from docparse.models.family import Card
from docparse.models.instructions import OMNIDOCBENCH_MATH, GeneralFamily
from docparse.models.native import QwenFamily

SYSTEM = "<|im_start|>system\nYou are a helpful assistant.<|im_end|>\n"


class Qwen25Vl(GeneralFamily, QwenFamily):
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
    model_types = ("qwen2_5_vl",)
    chat = SYSTEM + QwenFamily.chat
    classes = "Qwen2_5_VL"


class NanonetsOcr2(Qwen25Vl):
    """Nanonets-OCR2 3B. Not verified: the size of pictures, which is taken from its base."""

    card = Card(
        name="nanonets-ocr2",
        repository="nanonets/Nanonets-OCR2-3B",
        revision="c3886ff00bb037ce7da24988c9eafaf1fe2bed72",
        licence="not stated (its base: Qwen Research)",
        parameters=3_754_622_976,
        aliases=("nanonets",),
    )
    dialect = MarkdownDialect()
    max_tokens = 15000
    page_instruction = (
        "Extract the text from the above document as if you were reading it naturally. Return the tables in html "
        "format. Return the equations in LaTeX representation. If there is an image in the document and image caption "
        "is not present, add a small description of the image inside the <img></img> tag; otherwise, add the image "
        "caption inside <img></img>. Watermarks should be wrapped in brackets. Ex: <watermark>OFFICIAL "
        "COPY</watermark>. Page numbers should be wrapped in brackets. Ex: <page_number>14</page_number> or "
        "<page_number>9/22</page_number>. Prefer using ☐ and ☑ for check boxes."
    )


class RolmOcr(Qwen25Vl):
    """RolmOCR 7B. Not verified: commit, and the markup of tables and formulas."""

    card = Card("rolmocr", "reducto/RolmOCR", "", "Apache-2.0", 8_292_166_656)
    published_as = "qwen2.5-vl"
    dialect = MarkdownDialect(tables="gfm", math=OMNIDOCBENCH_MATH)
    page_instruction = "Return the plain text representation of this document as if you were reading it naturally.\n"
