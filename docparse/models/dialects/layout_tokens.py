"""MinerU2.5's answer to `Layout Detection:`: a box in thousandths, a label and a direction for every block.

    <|box_start|>079 624 285 638<|box_end|><|ref_start|>title<|ref_end|><|rotate_up|>

Labels: `mineru_vl_utils/structs.py` of opendatalab/mineru-vl-utils. Where they stand but not what they say: the blocks
are read one by one. A list, and other boxes about boxes, are there besides; words behind the tokens (`txt_contd_tgt`)
say that a text goes on, all others are the block's.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from docparse.models.dialects.elements import LABELS, ElementReader, category_of, label_of, lists_together, on_grid
from docparse.models.family import Draft, Frame, ParsedOutput
from docparse.types import Block, Box, Category, union

GRID = 1000
WITHIN = 0.9  # share of a box in another from which it is part of that
_LABELS = LABELS | {Category.SECTION_HEADER: "title"}
_ELEMENT = re.compile(
    r"<\|box_start\|>(?P<box>[\d\s]*)<\|box_end\|>\s*<\|ref_start\|>(?P<label>[^<\n]*)<\|ref_end\|>(?:<\|\w+\|>)*"
)
_END = re.compile(r"(?:<\|\w+\|>|txt_contd_tgt|\s)*$")
_ABOUT = ("equation_block", "image_block", "inline_formula")  # what is in them has boxes of its own, or is no block


@dataclass(frozen=True)
class LayoutTokens:
    """Boxes and labels of a page."""

    def write(self, blocks: Sequence[Block], frame: Frame) -> Draft:
        lines: list[str] = []
        starts: list[int] = []
        for group in lists_together(blocks):
            if group[0].category is Category.LIST_ITEM:
                lines.append(_line("list", union(block.box for block in group), frame))
            for block in group:
                starts.append(sum(map(len, lines)))
                lines.append(_line(label_of(block.category, _LABELS), block.box, frame))
        return Draft("".join(lines).rstrip("\n"), tuple(blocks), tuple(starts))

    def read(self, text: str, frame: Frame) -> ParsedOutput:
        """Texts in a list are its items, and what lies in a table is read with it."""
        reader, lists = ElementReader(text, frame, GRID), []
        for element, end in reader.pieces(_ELEMENT, "box"):
            box, label = reader.box(element["box"]) or frame.box, element["label"].strip()
            category, words = category_of(label) or Category.TEXT, _END.sub("", text[element.end() : end])
            if words.strip():
                inside = reader.inside(element.end(), element.end() + len(words), category, box)
                reader.take(inside, element.start(), end)
            elif label == "list":
                lists.append(box)
            elif label not in _ABOUT:
                reader.add(category, box, element.start(), end)
        tables = [block.box for block in reader.blocks if block.category is Category.TABLE]
        for i, block in reversed(list(enumerate(reader.blocks))):
            if not block.text and _within(block, tables, Category.FORMULA):
                del reader.blocks[i], reader.extents[i]
            elif _within(block, lists):
                reader.blocks[i] = msgspec.structs.replace(block, category=Category.LIST_ITEM)
        return reader.read()


def _line(label: str, box: Box, frame: Frame) -> str:
    numbers = " ".join(f"{value:03}" for value in on_grid(box, frame, GRID))
    return f"<|box_start|>{numbers}<|box_end|><|ref_start|>{label}<|ref_end|><|rotate_up|>\n"


def _within(block: Block, boxes: Sequence[Box], *more: Category) -> bool:
    """Return whether a text, or a block of these kinds, is part of one of them."""
    return block.category in (Category.TEXT, *more) and any(block.box.inside(box) >= WITHIN for box in boxes)
