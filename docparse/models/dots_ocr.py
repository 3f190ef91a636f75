"""dots.ocr and dots.mocr: a vision tower and a Qwen2 decoder; they write a JSON list of boxes, categories and texts.

Instructions: `prompt_layout_all_en` and `prompt_ocr` of dots_ocr/utils/prompts.py in rednote-hilab/dots.ocr, the same
for both. The repository was renamed to dots-studio/dots.ocr in 2026; the hub answers to both names.
"""

from __future__ import annotations

from docparse.models.dialects.dots_json import DotsJson
from docparse.models.family import Card
from docparse.models.native import NativeFamily, QwenFamily

LAYOUT_ALL = """Please output the layout information from the PDF image, including each layout element's bbox, its category, and the corresponding text content within the bbox.

1. Bbox format: [x1, y1, x2, y2]

2. Layout Categories: The possible categories are ['Caption', 'Footnote', 'Formula', 'List-item', 'Page-footer', 'Page-header', 'Picture', 'Section-header', 'Table', 'Text', 'Title'].

3. Text Extraction & Formatting Rules:
    - Picture: For the 'Picture' category, the text field should be omitted.
    - Formula: Format its text as LaTeX.
    - Table: Format its text as HTML.
    - All Others (Text, Title, etc.): Format their text as Markdown.

4. Constraints:
    - The output text must be the original text from the image, with no translation.
    - All layout elements must be sorted according to human reading order.

5. Final Output: The entire output must be a single JSON object.
"""  # noqa: E501


class DotsOcr(NativeFamily):
    """dots.ocr, 3.0 B parameters, 1.3 B of them vision."""

    card = Card(
        name="dots.ocr",
        repository="rednote-hilab/dots.ocr",
        revision="c0111ce6bc07803dbc267932ffef0ae3a51dc951",
        licence="MIT",
        parameters=3_039_179_264,
        aliases=("dots", "dots-studio/dots.ocr"),
    )
    dialect = DotsJson()
    model_types = ("dots_ocr",)
    dpi, max_tokens = 200, 16384  # dots_ocr/parser.py of rednote-hilab/dots.ocr
    page_instruction, crop_instruction = LAYOUT_ALL, "Extract the text content from this image."
    crop_dialect = dialect.markdown
    chat = "<|user|><|img|>{image}<|endofimg|>{instruction}<|endofuser|><|assistant|>"
    end_token = "<|endofassistant|>"
    picture_in_text = True
    image_token = "<|imgpad|>"
    classes = "docparse.models.dots_model.Dots"
    images = QwenFamily.images


class DotsMocr(DotsOcr):
    """dots.mocr, until March 2026 dots.ocr-1.5: the same classes, trained further."""

    card = Card(
        name="dots.mocr",
        repository="rednote-hilab/dots.mocr",
        revision="e539fbb52280393adc081b289ec597430a0f9031",
        licence="MIT and the dots.mocr licence agreement",
        parameters=3_039_179_264,
        aliases=("dots.ocr-1.5", "rednote-hilab/dots.ocr-1.5", "dots-studio/dots.mocr"),
    )
    published_as = "dots.ocr"
