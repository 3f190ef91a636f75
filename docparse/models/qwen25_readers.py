"""Fine-tuned Qwen2.5-VL models that read pages: Nanonets-OCR2 and RolmOCR, each an instruction and a dialect.

Instructions: the model cards of nanonets/Nanonets-OCR2-3B and reducto/RolmOCR.
"""

from __future__ import annotations

from docparse.models.dialects.markdown import MarkdownDialect
from docparse.models.family import Card
from docparse.models.instructions import OMNIDOCBENCH_MATH
from docparse.models.qwen25_vl import Qwen25Vl


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
