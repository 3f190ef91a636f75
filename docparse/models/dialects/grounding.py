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
from dataclasses import dataclass, replace

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
    Category.CODE: "text",
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
_TABLE = re.compile(r"^(?:<table\b|<[fe]cel>|\|)", re.IGNORECASE | re.MULTILINE)
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
        text = ""
        starts: list[int] = []
        tagged = False  # whether the tag of the table that comes now stands before its caption
        for before, block, after in zip((None, *blocks), blocks, (*blocks[1:], None), strict=False):
            starts.append(len(text))
            label, words = _LABELS[block.category], self.markdown.block(block)
            if _is(block, Category.CAPTION) and _is(after, Category.TABLE) and not _is(before, Category.PICTURE):
                label, words = "table_caption", f"{words} "
                text += self._tag("table", after or block, frame)
            elif _is(block, Category.CAPTION) and _is(before, Category.TABLE):
                label = "table_caption"
            elif _is(block, Category.CAPTION):
                words = f"<center>{words} </center>"
            text += words if tagged else self._tag(label, block, frame) + words
            tagged = label == "table_caption" and _is(after, Category.TABLE)
            if not (_is(block, Category.PICTURE) and _is(after, Category.CAPTION)):
                text += _GAP
        return Draft(text.rstrip(), tuple(blocks), tuple(starts))

    def _tag(self, label: str, block: Block, frame: Frame) -> str:
        box = [min(GRID, max(0, round(value))) for value in _grid(frame).to_pixels(block.box)]
        return f"<|ref|>{label}<|/ref|><|det|>[{box}]<|/det|>\n"

    def read(self, text: str, frame: Frame) -> Reading:
        reader = _Reader(text, frame)
        tags = list(_TAG.finditer(text))
        cut = _CUT_TAG.search(text, tags[-1].end() if tags else 0)
        end = cut.start() if cut else len(text)
        reader.loose(tags[0].start() if tags else end)
        for tag, stop in zip(tags, [*(tag.start() for tag in tags[1:]), end], strict=False):
            reader.element(tag, stop)
        if cut or reader.waiting:
            reader.problems.append("the output ends in a tag")
        return Reading(tuple(reader.blocks), tuple(reader.extents), True, tuple(reader.problems))


class _Reader:
    def __init__(self, text: str, frame: Frame) -> None:
        self.text = text
        self.frame = frame
        self.blocks: list[Block] = []
        self.extents: list[tuple[int, int]] = []
        self.problems: list[str] = []
        self.waiting: tuple[Box, int] | None = None  # a table whose caption comes first: its box, where its tag began

    def loose(self, end: int) -> None:
        """What stands before the first tag, up to `end`."""
        if self.text[:end].strip():
            self.problems.append("words before the first tag: read as Markdown")
            self._take(BlockReader(self.text[:end], self.frame.box).read(), 0, end)

    def element(self, tag: re.Match[str], end: int) -> None:
        """The blocks of what stands between `tag` and `end`."""
        label, box = self._said(tag)
        category, empty = _CATEGORIES.get(label, Category.TEXT), not self.text[tag.end() : end].strip()
        if category is Category.TABLE and empty:
            self.waiting = box, tag.start()
            return
        table_box, begin = self.waiting or (None, tag.start())
        self.waiting = None
        table = _TABLE.search(self.text, tag.end(), end) if table_box else None
        stop = table.start() if table else end
        if empty and label not in _CATEGORIES:  # words that somebody asked to be found: the label is all there is
            words = Block(category=category, box=box, spans=read_spans(label), source="vlm")
            self._take(Reading((words,), ((0, 0),), True), begin, end)
            return
        self._take(self._inside(tag.end(), stop, category, box), begin, stop)
        if table and table_box:
            self._take(self._inside(stop, end, Category.TABLE, table_box), stop, end)

    def _inside(self, start: int, end: int, category: Category, box: Box) -> Reading:
        """The blocks of `text[start:end]`; extents are positions in `text`."""
        inner = read_element(self.text[start:end], category, box, items_in_text=True)
        return replace(inner, extents=tuple((start + first, start + last) for first, last in inner.extents))

    def _take(self, reading: Reading, begin: int, end: int) -> None:
        """Keep the blocks of `reading`, which together reach from `begin` to `end`."""
        starts = [begin, *(start for start, _ in reading.extents[1:])]
        for block, start, stop in zip(reading.blocks, starts, [*starts[1:], end], strict=False):
            self.blocks.append(block)
            self.extents.append((start, stop))
        self.problems += reading.problems

    def _said(self, tag: re.Match[str]) -> tuple[str, Box]:
        """The label of a tag, and the box about all its boxes."""
        inner = tag["box"] if tag["box"] is not None else tag["bare"] or ""
        label = tag["label"] if tag["label"] is not None else inner.split("[")[0]
        boxes = [[int(value) for value in found.groups()] for found in _BOXES.finditer(inner)]
        if not boxes:
            self.problems.append(f"a tag without a box (character {tag.start()})")
            return label.strip(), self.frame.box
        return label.strip(), union(_grid(self.frame).to_page(*box) for box in boxes)


def _grid(frame: Frame) -> Frame:
    """The frame in the model's coordinates."""
    return Frame(frame.box, GRID, GRID)


def _is(block: Block | None, category: Category) -> bool:
    return block is not None and block.category is category
