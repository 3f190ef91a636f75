"""The output for the crop of one region, whose category is known: what models that read element by element write."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from docparse.models.dialects.elements import read_element
from docparse.models.dialects.markdown import MarkdownDialect
from docparse.models.family import Draft, Frame, Reading
from docparse.types import Block, Category

_MARKDOWN = MarkdownDialect(furniture=True)


@dataclass(frozen=True)
class RegionDialect:
    """Written as `markdown` says and read as an element of `category`: LaTeX needs no delimiters, a `#` is a character
    unless the region is a heading, the words of a caption are a caption, and a line is a paragraph: models that read
    crops join the lines of the page themselves (`result.py` of PaddleX, `result_formatter.py` of GLM-OCR)."""

    category: Category
    markdown: MarkdownDialect = _MARKDOWN

    def write(self, blocks: Sequence[Block], frame: Frame) -> Draft:
        return self.markdown.write(blocks, frame)

    def read(self, text: str, frame: Frame) -> Reading:
        return replace(read_element(text, self.category, frame.box, items_in_text=True, lines=True), boxed=False)
