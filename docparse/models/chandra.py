"""Chandra OCR 2 on Qwen3.5: writes HTML with boxes. A server reads with it; docparse cannot decode it.

Three of four layers are of linear attention: their state holds all that was read in one matrix, which cannot be taken
back to a token when a draft turns out wrong. Instruction: `OCR_LAYOUT_PROMPT` of datalab-to/chandra, as two
independent ports of version 2 have it (`tests/models/evidence/chandra-ocr-2/prompt.json`).
"""

from __future__ import annotations

from docparse.models.dialects.boxed_html import BoxedHtml
from docparse.models.family import Card
from docparse.models.native import NativeFamily

LABELS = (
    "Caption Footnote Equation-Block List-Group Page-Header Page-Footer Image Section-Header Table Text Complex-Block "
    "Code-Block Form Table-Of-Contents Figure Chemical-Block Diagram Bibliography Blank-Page"
)
TAGS = (
    "math br i b u del sup sub table tr td p th div pre h1 h2 h3 h4 h5 ul ol li input a span img hr tbody small "
    "caption strong thead big code chem"
)
ATTRIBUTES = "class colspan rowspan display checked type border value style href alt align data-bbox data-label"


class Chandra(NativeFamily):
    """Chandra OCR 2. Not verified: the count of parameters, which is that of its files (9.88 GiB of bfloat16)."""

    card = Card(
        name="chandra-ocr-2",
        repository="datalab-to/chandra-ocr-2",
        revision="af93b47dba1b47b6640c86ccf487ed2260ab9a09",
        licence="OpenRAIL-M, modified by its makers",
        parameters=5_300_000_000,
        note="a server reads with it, docparse cannot decode it",
    )
    unread = "layers of linear attention, whose state cannot be taken back where a draft was wrong"
    dialect = BoxedHtml()
    model_types = ("qwen3_5",)
    dpi, max_tokens = 192, 12384  # chandra/settings.py
    end_token = "<|im_end|>"
    image_token = "<|image_pad|>"
    config_class = "Qwen3_5Config"
    model_class = "Qwen3_5ForConditionalGeneration"
    images = ""
    chat = (
        "<|im_start|>user\n<|vision_start|>{image}<|vision_end|>{instruction}<|im_end|>\n"
        "<|im_start|>assistant\n<think>\n\n</think>\n\n"
    )
    page_instruction = f"""OCR this image to HTML, arranged as layout blocks.  Each layout block should be a div with the data-bbox attribute representing the bounding box of the block in x0 y0 x1 y1 format.  Bboxes are normalized 0-1000. The data-label attribute is the label for the block.

Use the following labels:
- {LABELS.replace(" ", chr(10) + "- ")}

Only use these tags {TAGS.split()}, and these attributes {ATTRIBUTES.split()}.

Guidelines:
* Inline math: Surround math with <math>...</math> tags. Math expressions should be rendered in KaTeX-compatible LaTeX. Use display for block math.
* Tables: Use colspan and rowspan attributes to match table structure.
* Formatting: Maintain consistent formatting with the image, including spacing, indentation, subscripts/superscripts, and special characters.
* Images: Include a description of any images in the alt attribute of an <img> tag. Do not fill out the src property. Describe in detail inside the div tag. Also convert charts to high fidelity data, and convert diagrams to mermaid.
* Forms: Mark checkboxes and radio buttons properly.
* Text: join lines together properly into paragraphs using <p>...</p> tags.  Use <br> tags for line breaks within paragraphs, but only when absolutely necessary to maintain meaning.
* Chemistry: Use <chem>...</chem> tags for chemical formulas with reactive SMILES.
* Lists: Preserve indents and proper list markers.
* Use the simplest possible HTML structure that accurately represents the content of the block.
* Make sure the text is accurate and easy for a human to read and interpret.  Reading order should be correct and natural."""  # noqa: E501
