"""PaddleOCR-VL: reads single elements; what and where they are, a layout model says.

Two parts of the published vision tower take no part in reading. Instructions: the four tasks of its model card; the
chat format is that of chat_template.jinja, which ends otherwise from 1.5 on. The delimiters round formulas could not
be verified without the weights.
"""

from __future__ import annotations

from docparse.models.dialects.markdown import MarkdownDialect
from docparse.models.family import Card
from docparse.models.native import ElementFamily

COMMIT_15, COMMIT_16 = "2a4195faa5e7914c12f2fc601d72c81caf8d2da5", "c5630abae1d940eafe0697512a0325494b02ab42"


class PaddleOcrVl(ElementFamily):
    """PaddleOCR-VL 0.9B."""

    card = Card(
        name="paddleocr-vl",
        repository="PaddlePaddle/PaddleOCR-VL",
        revision="7fa00a8c55b735ba51ba49a9058f3f9c57a99a11",
        licence="Apache-2.0",
        parameters=958_588_736,
        aliases=("paddle-vl",),
    )
    dialect = MarkdownDialect(tables="otsl", math=(r"\( ", r" \)", r"\[ ", r" \]"))
    model_types = ("paddleocr_vl",)
    position_axes = 3
    page_instruction = "OCR:"
    chat = "<|begin_of_sentence|>User: <|IMAGE_START|>{image}<|IMAGE_END|>{instruction}\nAssistant: "
    end_token = "</s>"
    image_token = "<|IMAGE_PLACEHOLDER|>"
    classes = "PaddleOCRVL"
    images = "paddleocr_vl.image_processing_pil_paddleocr_vl.PaddleOCRVLImageProcessorPil"


class PaddleOcrVl15(PaddleOcrVl):
    """The same architecture, by its model card. Not verified: the size of pictures."""

    card = Card("paddleocr-vl-1.5", "PaddlePaddle/PaddleOCR-VL-1.5", COMMIT_15, "Apache-2.0", 958_588_736)
    published_as = "paddleocr-vl"
    chat = "<|begin_of_sentence|>User: <|IMAGE_START|>{image}<|IMAGE_END|>{instruction}\nAssistant:\n"


class PaddleOcrVl16(PaddleOcrVl15):
    """The same, trained further."""

    card = Card("paddleocr-vl-1.6", "PaddlePaddle/PaddleOCR-VL-1.6", COMMIT_16, "Apache-2.0", 958_588_736)
