"""GLM-OCR: reads single elements; what and where they are, a layout model says.

The layer that predicts a second token ahead is left out (its weights are skipped). Instructions: the three tasks of its
model card. The chat format follows the GLM-4V models of transformers; the published chat_template.jinja could not be
compared.
"""

from __future__ import annotations

from docparse.logits import RepetitionPenalty
from docparse.models.dialects.markdown import MarkdownDialect
from docparse.models.family import Card
from docparse.models.native import ElementFamily
from docparse.render.tables import HtmlStyle


class GlmOcr(ElementFamily):
    """GLM-OCR 0.9B."""

    card = Card("glm-ocr", "zai-org/GLM-OCR", "ca5d8b3e287e52589e37c28385d9655ee4372f9d", "MIT", 1_325_258_240)
    dialect = MarkdownDialect(math=("$ ", " $", "$$\n", "\n$$"), html=HtmlStyle(tag='<table border="1">'), spaced=True)
    model_types = ("glm_ocr",)
    position_axes = 3
    dpi = 200  # pdf_dpi in glmocr/config.yaml of zai-org/GLM-OCR, where max_tokens is 8192
    page_instruction = "Text Recognition:"
    chat = "[gMASK]<sop><|user|>\n<|begin_of_image|>{image}<|end_of_image|>{instruction}<|assistant|>\n"
    end_token = "<|user|>"
    # 1.1 in glmocr/config.yaml at cef4d0e; in the window that its Ollama client (glmocr/ocr_client.py) gets
    logits = (RepetitionPenalty(1.1, window=64),)
    image_token = "<|image|>"
    classes = "GlmOcr"
    images = "glm46v.image_processing_pil_glm46v.Glm46VImageProcessorPil"
