"""olmOCR 2: Qwen2.5-VL weights with a front matter before the page, and pages at most 1288 pixels long.

Instruction: `build_no_anchoring_v4_yaml_prompt` of allenai/olmocr (olmocr/prompts/prompts.py); it comes before the
picture. Size: `target_longest_image_dim=1288` of the same toolkit (olmocr/pipeline.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from docparse.logits import Sampling
from docparse.models.dialects.front_matter import FrontMatter
from docparse.models.family import Card
from docparse.models.qwen25_vl import SYSTEM, Qwen25Vl

LONGEST_SIDE = 1288  # pixels


class OlmOcr(Qwen25Vl):
    """olmOCR-2-7B-1025."""

    card = Card(
        name="olmocr",
        repository="allenai/olmOCR-2-7B-1025",
        revision="e52d6f090b7a9007afffbbd6ce510876222fea93",
        licence="Apache-2.0",
        parameters=8_292_166_656,
        aliases=("olmocr2",),
    )
    published_as = "qwen2.5-vl"
    dialect = FrontMatter()
    # TEMPERATURE_BY_ATTEMPT of olmocr/pipeline.py at f7cfe4c, which begins with 0.1 where here the first one is greedy
    rereads = tuple(Sampling(each) for each in (0.1, 0.2, 0.3, 0.5, 0.8, 0.9, 1.0))
    page_instruction = (
        "Attached is one page of a document that you must process. Just return the plain text representation of this "
        "document as if you were reading it naturally. Convert equations to LateX and tables to HTML.\n"
        "If there are any figures or charts, label them with the following markdown syntax "
        "![Alt text describing the contents of the figure](page_startx_starty_width_height.png)\n"
        "Return your output as markdown, with a front matter section on top specifying values for the "
        "primary_language, is_rotation_valid, rotation_correction, is_table, and is_diagram parameters."
    )
    chat = (
        SYSTEM + "<|im_start|>user\n{instruction}<|vision_start|>{image}<|vision_end|><|im_end|>\n"
        "<|im_start|>assistant\n"
    )

    def picture_facts(self, folder: str) -> Mapping[str, Any]:
        return {"longest_side": LONGEST_SIDE}
