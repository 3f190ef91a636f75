"""The inside of one element whose category is known: the model has said it, or it is the crop of a region."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from docparse.models.dialects.inline import read_spans, tidied
from docparse.models.dialects.markdown import MarkdownDialect
from docparse.models.dialects.markup import ITEMS
from docparse.models.dialects.reader import BlockReader, unwrapped
from docparse.models.family import Draft, Frame, Reading
from docparse.render.text import code_lines, latex
from docparse.types import Block, Box, Category, Span, Spans

_DISPLAYED = re.compile(
    r"\s*(?:\$\$(?P<double>.*)\$\$|\\\[(?P<brackets>.*)\\\]|\$(?P<single>[^$]*)\$"
    r"|\\\((?P<parentheses>(?:[^\\]|\\[^()])*)(?:\\\))?)\s*",
    re.DOTALL,
)
_HASHES = re.compile(r"\s*(#{1,6})\s+(?=\S)")
_REGION = MarkdownDialect(furniture=True)
_CENTER = re.compile(r"\s*<center>(.*?)(?:</center>)?\s*", re.DOTALL)


def read_element(text: str, category: Category, box: Box, *, items_in_text: bool, lines: bool = False) -> Reading:
    """The blocks of an element; extents are positions in `text`.

    Text, lists and tables may hold several blocks; in them a `#` is a character. With `items_in_text` the list items of
    a text are list items, with `lines` every line of text is a paragraph. Everything else is one block. Where nothing
    can be read, all of `text` is a text in the box.
    """
    reading = _read(text, category, box, items_in_text, lines)
    words = tidied((Span(unwrapped(text)),))
    if reading.blocks or not words:
        return reading
    block = Block(category=Category.TEXT, box=box, spans=words, source="vlm")
    problem = f"an element of category {category.value} has no content: read as text"
    return Reading((block,), ((0, len(text)),), True, (*reading.problems, problem))


def _read(text: str, category: Category, box: Box, items_in_text: bool, by_line: bool) -> Reading:
    if category in (Category.TEXT, Category.LIST_ITEM, Category.TABLE):
        lists = category is Category.LIST_ITEM or items_in_text
        words = Category.LIST_ITEM if category is Category.LIST_ITEM else Category.TEXT
        return BlockReader(text, box, words, ("heading", "ruler", *(() if lists else ITEMS)), by_line).read()
    if category is Category.CODE:
        reading = BlockReader(text, box).read()
        if any(block.category is Category.CODE for block in reading.blocks):
            return reading
    level, spans = 0, read_spans(unwrapped(text))
    if category is Category.CODE and spans:
        spans = (Span(code_lines(text)),)
    elif category is Category.FORMULA:
        spans = _formula(text)
    elif category in (Category.TITLE, Category.SECTION_HEADER) and (hashes := _HASHES.match(text)):
        level, spans = len(hashes[1]), read_spans(unwrapped(text[hashes.end() :]))
    elif category is Category.CAPTION and (center := _CENTER.fullmatch(text)):
        spans = read_spans(unwrapped(center[1]))
    if not spans and category is not Category.PICTURE:
        return Reading((), (), True)
    block = Block(category=category, box=box, spans=spans, level=level, source="vlm")
    return Reading((block,), ((0, len(text)),), True)


def _formula(text: str) -> Spans:
    """LaTeX, with or without what stands about it."""
    reading = BlockReader(text, Box(0, 0, 0, 0)).read()
    if [block.category for block in reading.blocks] == [Category.FORMULA]:
        return reading.blocks[0].spans
    found = _DISPLAYED.fullmatch(text)
    inner = next((part for part in found.groups() if part is not None), text) if found else text
    return (Span(latex(inner), math=True),) if inner.strip() else ()


@dataclass(frozen=True)
class RegionDialect:
    """The output for the crop of one region: what models that read element by element write.

    Written as `markdown` says and read as an element of `category`: LaTeX needs no delimiters, a `#` is a character
    unless the region is a heading, the words of a caption are a caption, and a line is a paragraph: models that read
    crops join the lines of the page themselves (`result.py` of PaddleX, `result_formatter.py` of GLM-OCR)."""

    category: Category
    markdown: MarkdownDialect = _REGION

    def write(self, blocks: Sequence[Block], frame: Frame) -> Draft:
        return self.markdown.write(blocks, frame)

    def read(self, text: str, frame: Frame) -> Reading:
        return replace(read_element(text, self.category, frame.box, items_in_text=True, lines=True), boxed=False)
