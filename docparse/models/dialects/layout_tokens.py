"""MinerU2.5's answer to `Layout Detection:`: a box in thousandths, a label and a direction for every block.

    <|box_start|>079 624 285 638<|box_end|><|ref_start|>title<|ref_end|><|rotate_up|>

Labels: `mineru_vl_utils/structs.py` of opendatalab/mineru-vl-utils. Where they stand but not what they say: the blocks
are read one by one. Words behind the tokens (`<|md_start|>`, of earlier versions) are the block's.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from docparse.models.dialects.elements import ElementReader, category_of, label_of, on_grid
from docparse.models.family import Draft, Frame, Reading
from docparse.types import Block, Category

GRID = 1000
_LABELS = {
    Category.TITLE: "title",
    Category.SECTION_HEADER: "title",
    Category.LIST_ITEM: "list",
    Category.PICTURE: "image",
    Category.CAPTION: "image_caption",
    Category.FORMULA: "equation",
    Category.FOOTNOTE: "page_footnote",
    Category.PAGE_HEADER: "header",
    Category.PAGE_FOOTER: "footer",
}
_ELEMENT = re.compile(
    r"<\|box_start\|>(?P<box>[\d\s]*)<\|box_end\|>\s*<\|ref_start\|>(?P<label>[^<\n]*)<\|ref_end\|>(?:<\|\w+\|>)*"
)
_END = re.compile(r"(?:<\|\w+\|>|\s)*$")


@dataclass(frozen=True)
class LayoutTokens:
    """Boxes and labels of a page."""

    def write(self, blocks: Sequence[Block], frame: Frame) -> Draft:
        text = ""
        starts: list[int] = []
        for block in blocks:
            starts.append(len(text))
            box = " ".join(f"{value:03}" for value in on_grid(block.box, frame, GRID))
            label = label_of(block.category, _LABELS)
            text += f"<|box_start|>{box}<|box_end|><|ref_start|>{label}<|ref_end|><|rotate_up|>\n"
        return Draft(text.rstrip("\n"), tuple(blocks), tuple(starts))

    def read(self, text: str, frame: Frame) -> Reading:
        reader = ElementReader(text, frame, GRID)
        for element, end in reader.pieces(_ELEMENT, "box"):
            category, box = category_of(element["label"]) or Category.TEXT, reader.box(element["box"]) or frame.box
            words = _END.sub("", text[element.end() : end])
            block = Block(category=category, box=box, source="vlm")
            reading = Reading((block,), ((0, 1),), True)
            if words.strip():
                reading = reader.inside(element.end(), element.end() + len(words), category, box)
            reader.take(reading, element.start(), end)
        return reader.read()
