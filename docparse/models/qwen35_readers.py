"""Qwen3.5, of whose layers three of four are of linear attention, and the models on it that read pages: Chandra OCR 2
and Surya OCR 2, which write HTML with boxes, and OvisOCR2, which writes Markdown.

Instructions: `OCR_LAYOUT_PROMPT` of datalab-to/chandra, `HIGH_ACCURACY_BBOX_PROMPT` of datalab-to/surya and the model
card of ATH-MaaS/OvisOCR2, as independent ports have them (`tests/models/evidence`). Their own clients bring very large
pictures to fewer pixels than the processor does: Chandra's and Surya's to 3072 x 2048, OvisOCR2's to 2880 x 2880.
"""

from __future__ import annotations

from docparse.logits import Sampling
from docparse.models.dialects.boxed_html import BoxedHtml
from docparse.models.dialects.markdown import MarkdownDialect
from docparse.models.family import Card, Dialect
from docparse.models.native import QwenFamily
from docparse.render.tables import HtmlStyle
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


class ChandraOcr2(QwenFamily):
    """Chandra OCR 2, a Qwen3.5 4B. Not verified: the count of its parameters, which is that of its files (9.88 GiB)."""

    card = Card(
        name="chandra-ocr-2",
        repository="datalab-to/chandra-ocr-2",
        revision="af93b47dba1b47b6640c86ccf487ed2260ab9a09",
        licence="OpenRAIL-M, modified by its makers",
        parameters=5_300_000_000,
    )
    dialect: Dialect = BoxedHtml()
    model_types = ("qwen3_5",)
    dpi, max_tokens = 192, 12384  # chandra/settings.py
    rereads: tuple[Sampling, ...] = tuple(Sampling(each, 0.95) for each in (0.2, 0.4, 0.6, 0.8, 0.8, 0.8))
    classes = "Qwen3_5"
    chat = QwenFamily.chat + "<think>\n\n</think>\n\n"
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


class SuryaOcr2(ChandraOcr2):
    """Surya OCR 2, with a vocabulary of its own. Prompts, settings and retries: surya/inference and surya/recognition
    of datalab-to/surya at c037748."""

    card = Card(
        name="surya-ocr-2",
        repository="datalab-to/surya-ocr-2",
        revision="3b3d4cdf88d6928b0acdc75181b13206ea67c4a3",
        licence="OpenRAIL-M, modified by its makers",
        parameters=686_154_304,
        aliases=("surya",),
    )
    dialect = BoxedHtml(HtmlStyle(header_cells=True, sections=True, tag='<table border="1">'))
    max_tokens = 12288
    chat = QwenFamily.chat
    page_instruction = (
        "OCR this image to HTML. Each block is a div with data-label and data-bbox (x0 y0 x1 y1, normalized 0-1000)."
    )


class OvisOcr2(ChandraOcr2):
    """OvisOCR2, a Qwen3.5 0.8B."""

    card = Card(
        name="ovisocr2",
        repository="ATH-MaaS/OvisOCR2",
        revision="1fc9221b7823a371d6e97f92d527cc847e24e107",
        licence="Apache-2.0",
        parameters=852_985_920,
    )
    dialect = MarkdownDialect()
    dpi, max_tokens = DPI, 16384
    rereads = ()
    page_instruction = """
Extract all readable content from the image in natural human reading order and output the result as a single Markdown document. For charts or images, represent them using an HTML image tag: <img src="images/bbox_{left}_{top}_{right}_{bottom}.jpg" />, where left, top, right, bottom are bounding box coordinates scaled to [0, 1000). Format formulas as LaTeX. Format tables as HTML: <table>...</table>. Transcribe all other text as standard Markdown. Preserve the original text without translation or paraphrasing."""  # noqa: E501
