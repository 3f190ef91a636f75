"""Chandra OCR 2, which writes HTML with boxes, and OvisOCR2, which writes Markdown, on Qwen3.5. A server reads with
them; docparse cannot decode them.

Three of four layers are of linear attention: their state holds all that was read in one matrix, which cannot be taken
back to a token when a draft turns out wrong. Instructions: `OCR_LAYOUT_PROMPT` of datalab-to/chandra and the model card
of ATH-MaaS/OvisOCR2, as independent ports have them (`tests/models/evidence`).
"""

from __future__ import annotations

from docparse.models.dialects.boxed_html import BoxedHtml
from docparse.models.dialects.markdown import MarkdownDialect
from docparse.models.family import Card, Dialect
from docparse.models.native import NativeFamily
from docparse.settings import DPI

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
    dialect: Dialect = BoxedHtml()
    model_types = ("qwen3_5",)
    dpi, max_tokens = 192, 12384  # chandra/settings.py
    end_token = "<|im_end|>"
    image_token = "<|image_pad|>"
    classes = "Qwen3_5"
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


class OvisOcr2(Chandra):
    """OvisOCR2. Not verified: the count of parameters, which is that of a copy's file in half precision."""

    card = Card(
        name="ovisocr2",
        repository="ATH-MaaS/OvisOCR2",
        revision="1fc9221b7823a371d6e97f92d527cc847e24e107",
        licence="Apache-2.0",
        parameters=858_000_000,
        note=Chandra.card.note,
    )
    dialect = MarkdownDialect()
    dpi, max_tokens = DPI, 16384
    page_instruction = """
Extract all readable content from the image in natural human reading order and output the result as a single Markdown document. For charts or images, represent them using an HTML image tag: <img src="images/bbox_{left}_{top}_{right}_{bottom}.jpg" />, where left, top, right, bottom are bounding box coordinates scaled to [0, 1000). Format formulas as LaTeX. Format tables as HTML: <table>...</table>. Transcribe all other text as standard Markdown. Preserve the original text without translation or paraphrasing."""  # noqa: E501
