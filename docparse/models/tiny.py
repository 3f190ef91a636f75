"""The model that comes with docparse: a Qwen3-VL of five million parameters, trained on `docparse.synthetic` alone.

It makes speed and accuracy of every method measurable on any machine without a download. It has seen seven fonts,
the Latin alphabet and invented pages, so it is an instrument and no converter; `auto` never picks it.
"""

from __future__ import annotations

from docparse.models.dialects.markdown import MarkdownDialect
from docparse.models.family import Card, ImageLimits
from docparse.models.qwen3_vl import Qwen3Vl


class Tiny(Qwen3Vl):
    """The classes of Qwen3-VL with patches of 8 px, so that a visual token is 16 x 16 px, and a token a character."""

    card = Card(
        name="tiny",
        repository="",
        revision="",
        licence="Apache-2.0",
        parameters=5_456_768,
        purpose="measuring",
        note="for measuring methods, not for real documents",
    )
    dialect = MarkdownDialect(tables="gfm")  # docparse's own Markdown, which is what its training pages are written in
    chat = "<|vision_start|>{image}<|vision_end|>{instruction}<|im_start|>"
    page_instruction = ""
    image_limits = ImageLimits(smallest=(256, 48), largest=(512, 512), cell=16, type_size=12.0)
