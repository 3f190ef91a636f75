"""DeepSeek-OCR's grounded Markdown: every block after its label and its box, in thousandths of the picture.

    <|ref|>sub_title<|/ref|><|det|>[[115, 581, 259, 599]]<|/det|>
    ## 1 Introduction

    <|ref|>image<|/ref|><|det|>[[131, 620, 863, 840]]<|/det|>
    <|ref|>image_caption<|/ref|><|det|>[[115, 853, 883, 887]]<|/det|>
    <center>Figure 1: Overall Performance Results. </center>

Coordinates run from 0 to 999 (the published drawing code divides by 999). Seen in outputs of the published weights that
others keep in public: a block ends with two spaces and a blank line, nothing follows a picture's tag but a line break,
a caption stands between its table's tag and the table and ends with three spaces, LaTeX is in `\\( \\)` and `\\[ \\]`,
tables are HTML on one line with `td` only. Lists have the label `text`. Labels seen: title, sub_title, text, image,
image_caption, table, table_caption, equation; those of footnotes and running headers are guesses.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from docparse.models.dialects.elements import read_element
from docparse.models.dialects.inline import read_spans
from docparse.models.dialects.markdown import MarkdownDialect
from docparse.models.dialects.reader import BlockReader
from docparse.models.family import Draft, Frame, Reading
from docparse.types import Block, Box, Category, union

GRID = 999
_LABELS = {
    Category.TITLE: "title",
    Category.SECTION_HEADER: "sub_title",
    Category.TEXT: "text",
    Category.LIST_ITEM: "text",
    Category.TABLE: "table",
    Category.PICTURE: "image",
    Category.CAPTION: "image_caption",
    Category.FORMULA: "equation",
    Category.FOOTNOTE: "footnote",
    Category.PAGE_HEADER: "header",
    Category.PAGE_FOOTER: "footer",
}
_CATEGORIES = {label: category for category, label in _LABELS.items()} | {
    "text": Category.TEXT,
    "table_caption": Category.CAPTION,
    "page_number": Category.PAGE_FOOTER,
    "page_footnote": Category.FOOTNOTE,
    "table_footnote": Category.FOOTNOTE,
    "image_footnote": Category.FOOTNOTE,
    "figure": Category.PICTURE,
    "interline_equation": Category.FORMULA,
}
_TAG = re.compile(
    r"<\|ref\|>(?P<label>[^<\n]*)<\|/ref\|>(?:\s*<\|det\|>(?P<box>[^<]*)<\|/det\|>)?|<\|det\|>(?P<bare>[^<]*)<\|/det\|>"
)
_CUT_TAG = re.compile(r"<\|(?:ref\|>[^<\n]*(?:<\|?/?r?e?f?\|?)?|[^<>\n]{0,5}\|?|det\|>[^<\n]*(?:<\|?/?d?e?t?\|?)?)$")
_BOXES = re.compile(r"\[\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*\]")
_TABLE = re.compile(r"(?:<table\b|<[fe]cel>|\|)", re.IGNORECASE)
_GAP = "  \n\n"
_MARKDOWN = MarkdownDialect(
    math=(r"\(", r"\)", r"\[", r"\]"), number=r"\quad ({})", gap=_GAP, indent="", furniture=True
)


@dataclass(frozen=True)
class Grounding:
    """DeepSeek-OCR after `<|grounding|>Convert the document to markdown.`"""

    markdown: MarkdownDialect = _MARKDOWN

    def write(self, blocks: Sequence[Block], frame: Frame) -> Draft:
        """A caption right before a table goes between the table's tag and the table, as the model writes it."""
        text, starts = "", []
        for index, block in enumerate(blocks):
            before = blocks[index - 1].category if index else None
            after = blocks[index + 1].category if index + 1 < len(blocks) else None
            starts.append(len(text))
            words = self.markdown.block(block)
            label = _LABELS[block.category]
            if block.category is Category.CAPTION:
                if Category.TABLE in (before, after) and before is not Category.PICTURE:
                    label = "table_caption"
                    text += self._tag("table", blocks[index + 1], frame) if after is Category.TABLE else ""
                    words += " "
                else:
                    words = f"<center>{words} </center>"
            named = block.category is Category.TABLE and text.endswith(f" {_GAP}") and before is Category.CAPTION
            text += words if named else self._tag(label, block, frame) + words
            if not (block.category is Category.PICTURE and after is Category.CAPTION):
                text += _GAP
        return Draft(text.rstrip(), tuple(blocks), tuple(starts))

    def _tag(self, label: str, block: Block, frame: Frame) -> str:
        x0, y0, x1, y1 = frame.to_pixels(block.box)
        scaled = [round(x0 * GRID / frame.width), round(y0 * GRID / frame.height)]
        scaled += [round(x1 * GRID / frame.width), round(y1 * GRID / frame.height)]
        return f"<|ref|>{label}<|/ref|><|det|>[{[min(GRID, max(0, value)) for value in scaled]}]<|/det|>\n"

    def read(self, text: str, frame: Frame) -> Reading:
        reader = _Reader(frame)
        tags = list(_TAG.finditer(text))
        cut = _CUT_TAG.search(text, tags[-1].end() if tags else 0)
        end = cut.start() if cut else len(text)
        if cut:
            reader.problems.append("the output ends in a tag")
        reader.loose(text, 0, tags[0].start() if tags else end)
        for tag, stop in zip(tags, [*(tag.start() for tag in tags[1:]), end], strict=False):
            reader.element(text, tag, stop)
        return Reading(tuple(reader.blocks), tuple(reader.extents), True, tuple(reader.problems))


class _Reader:
    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.blocks: list[Block] = []
        self.extents: list[tuple[int, int]] = []
        self.problems: list[str] = []
        self.waiting: tuple[Box, int] | None = None  # a table whose caption comes first: its box, where its tag began

    def loose(self, text: str, start: int, end: int) -> None:
        """What stands before the first tag."""
        if text[start:end].strip():
            self.problems.append("words before the first tag: read as Markdown")
            self._take(BlockReader(text[:end], self.frame.box).read(start), start, end)

    def element(self, text: str, tag: re.Match[str], end: int) -> None:
        """The blocks between `tag` and `end`."""
        label, box = self._label(tag)
        category = _CATEGORIES.get(label, Category.TEXT)
        if category is Category.TABLE and not text[tag.end() : end].strip():
            self.waiting = box, tag.start()
            return
        table_box, begin = self.waiting or (None, tag.start())
        self.waiting = None
        found = _TABLE.search(text, tag.end(), end) if table_box else None
        stop = found.start() if found else end
        if label not in _CATEGORIES and not text[tag.end() : end].strip():
            block = Block(category=Category.TEXT, box=box, spans=read_spans(label), source="vlm")
            self._take(Reading((block,), ((0, 0),), True), begin, end)
            return
        self._take(read_element(text[tag.end() : stop], category, box, items_in_text=True), begin, stop, tag.end())
        if found and table_box:
            self._take(read_element(text[stop:end], Category.TABLE, table_box, items_in_text=True), stop, end, stop)

    def _take(self, reading: Reading, begin: int, end: int, offset: int = 0) -> None:
        """Blocks read from what stands at `offset`; together they reach from `begin` to `end`."""
        starts = [begin, *(start + offset for start, _ in reading.extents[1:])]
        self.blocks += reading.blocks
        self.extents += [(start, stop) for start, stop in zip(starts, [*starts[1:], end], strict=False)][
            : len(reading.blocks)
        ]
        self.problems += reading.problems

    def _label(self, tag: re.Match[str]) -> tuple[str, Box]:
        """What the tag says: its label, and the box about all its boxes."""
        inner = tag["box"] if tag["box"] is not None else tag["bare"] or ""
        label = tag["label"] if tag["label"] is not None else inner.split("[")[0]
        boxes = [[int(value) for value in found.groups()] for found in _BOXES.finditer(inner)]
        if not boxes:
            self.problems.append(f"a tag without a box (character {tag.start()})")
            return label.strip(), self.frame.box
        sx, sy = self.frame.width / GRID, self.frame.height / GRID
        return label.strip(), union(self.frame.to_page(x0 * sx, y0 * sy, x1 * sx, y1 * sy) for x0, y0, x1, y1 in boxes)
