"""DeepSeek-OCR's grounded Markdown: every block after its label and its box, in thousandths of the picture.

    <|ref|>sub_title<|/ref|><|det|>[[115, 581, 259, 599]]<|/det|>
    ## 1 Introduction

    <|ref|>image<|/ref|><|det|>[[131, 620, 863, 840]]<|/det|>
    <|ref|>image_caption<|/ref|><|det|>[[115, 853, 883, 887]]<|/det|>
    <center>Figure 1: Overall Performance Results. </center>

Coordinates run from 0 to 999 (the published drawing code divides by 999). Seen in published outputs: a block ends with
two spaces and a blank line, nothing follows a picture's tag but a line break, a caption stands between its table's tag
and the table and ends with three spaces, LaTeX is in `\\( \\)` and `\\[ \\]`, tables are HTML on one line with `td`
only, lists have the label `text`. The labels of footnotes and running headers are guesses.

Unlimited-OCR has the label inside the tag, the words behind it and a line break between blocks; every heading is a
`title`, without `#`: `<|det|>title [449, 273, 550, 291]<|/det|>Abstract`. Of its captions of tables none was seen.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from docparse.models.dialects.elements import LABELS, ElementReader, category_of, label_of, on_grid
from docparse.models.dialects.inline import read_spans
from docparse.models.dialects.markdown import MarkdownDialect
from docparse.models.family import Draft, Frame, ParsedOutput
from docparse.types import Block, Box, Category

GRID = 999
_LABELS = LABELS | {Category.SECTION_HEADER: "sub_title", Category.CODE: "text"}
_TAG = re.compile(
    r"<\|ref\|>(?P<label>[^<\n]*)<\|/ref\|>(?:\s*<\|det\|>(?P<box>[^<]*)<\|/det\|>)?|<\|det\|>(?P<bare>[^<]*)<\|/det\|>"
)
_CUT_TAG = re.compile(  # at the start of a line, or behind its label: words may end in `<|` too
    r"(?:^[ \t]*|(?<=<\|/ref\|>)\s*)"
    r"<\|(?:ref\|>[^<\n]*(?:<\|?/?r?e?f?\|?)?|[^<>\n]{0,5}\|?|det\|>[^<\n]*(?:<\|?/?d?e?t?\|?)?)\Z",
    re.MULTILINE,
)
_TABLE = re.compile(r"^(?:<table\b|<[fe]cel>|\|)", re.IGNORECASE | re.MULTILINE)
_MARKDOWN = MarkdownDialect(
    math=(r"\(", r"\)", r"\[", r"\]"), number=r"\quad ({})", gap="  \n\n", indent="", furniture=True, escaped="*"
)


@dataclass(frozen=True)
class Grounding:
    """DeepSeek-OCR after `<|grounding|>Convert the document to markdown.`; `short`: Unlimited-OCR."""

    markdown: MarkdownDialect = _MARKDOWN
    short: bool = False

    def write(self, blocks: Sequence[Block], frame: Frame) -> Draft:
        """A caption right before a table goes between the table's tag and the table, as DeepSeek-OCR writes it."""
        text = ""
        starts: list[int] = []
        tagged = False  # whether the tag of the table that comes now stands before its caption
        for before, block, after in zip((None, *blocks), blocks, (*blocks[1:], None), strict=False):
            starts.append(len(text))
            label, words = self._label(block), self.markdown.block(block)
            caption = _is(block, Category.CAPTION)
            leads = caption and _is(after, Category.TABLE) and not _is(before, Category.PICTURE)
            if leads or (caption and _is(before, Category.TABLE)):
                label = "table_caption"
            elif caption and not self.short:
                words = f"<center>{words} </center>"
            if leads and not self.short:
                words += " "
                text += self._tag("table", after or block, frame)
            text += words if tagged else self._tag(label, block, frame) + words
            tagged = leads and not self.short
            if self.short or not (_is(block, Category.PICTURE) and _is(after, Category.CAPTION)):
                text += self.markdown.gap
        return Draft(text.rstrip(), tuple(blocks), tuple(starts))

    def _label(self, block: Block) -> str:
        if self.short and block.category.is_furniture and block.text.isdigit():
            return "page_number"
        heading = self.short and block.category is Category.SECTION_HEADER
        return label_of(Category.TITLE if heading else block.category, _LABELS)

    def _tag(self, label: str, block: Block, frame: Frame) -> str:
        box = on_grid(block.box, frame, GRID)
        return f"<|det|>{label} {box}<|/det|>" if self.short else f"<|ref|>{label}<|/ref|><|det|>[{box}]<|/det|>\n"

    def read(self, text: str, frame: Frame) -> ParsedOutput:
        reader = _Reader(text, frame, GRID)
        last = max((tag.end() for tag in _TAG.finditer(text)), default=0)
        cut = _CUT_TAG.search(text, last)
        for tag, stop in reader.pieces(_TAG, "tag", cut.start() if cut else len(text)):
            reader.element(tag, stop)
        if cut or reader.waiting:
            reader.problems.append("the output ends in a tag")
        return replace(reader.read(), boxed=True)


class _Reader(ElementReader):
    waiting: tuple[Box, int] | None = None  # a table whose caption comes first: its box, where its tag began

    def element(self, tag: re.Match[str], end: int) -> None:
        """The blocks of what stands between `tag` and `end`."""
        label, box = self._said(tag)
        known, empty = category_of(label), not self.text[tag.end() : end].strip()
        category = known or Category.TEXT
        if category is Category.TABLE and empty:
            self.waiting = box, tag.start()
            return
        table_box, begin = self.waiting or (None, tag.start())
        self.waiting = None
        table = _TABLE.search(self.text, tag.end(), end) if table_box else None
        stop = table.start() if table else end
        if empty and known is None:  # words that somebody asked to be found: the label is all there is
            return self.add(category, box, begin, end, read_spans(label))
        self.take(self.inside(tag.end(), stop, category, box, items_in_text=True), begin, stop)
        if table and table_box:
            self.take(self.inside(stop, end, Category.TABLE, table_box), stop, end)

    def _said(self, tag: re.Match[str]) -> tuple[str, Box]:
        """The label of a tag, and the box about all its boxes."""
        inner = tag["box"] if tag["box"] is not None else tag["bare"] or ""
        label, bracket, numbers = (tag["label"], "[", inner) if tag["label"] is not None else inner.partition("[")
        box = self.box(numbers) if bracket else None
        if box is None:
            self.problems.append(f"a tag without a box (character {tag.start()})")
        return label.strip(), box or self.frame.box


def _is(block: Block | None, category: Category) -> bool:
    return block is not None and block.category is category
