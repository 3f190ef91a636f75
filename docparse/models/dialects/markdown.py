"""Pages as Markdown: the dialect of HunyuanOCR, Qwen-VL, LightOnOCR, GLM-OCR, olmOCR and of all that only chat.

What differs from model to model (delimiters of mathematics, markup of tables, bullets, line breaks) are the fields of
`MarkdownDialect`. Reading knows all of them at once, whatever the fields say.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from docparse.models.dialects.html_table import HtmlStyle, write_html
from docparse.models.dialects.inline import write_spans
from docparse.models.dialects.otsl import write_otsl
from docparse.models.dialects.pipes import write_pipes
from docparse.models.dialects.reader import BlockReader
from docparse.models.family import Draft, Frame, Reading
from docparse.render.formula import formula_latex
from docparse.render.markdown import heading_level
from docparse.types import Block, Category, Span, Table

_TAG = re.compile(r"\\tag\{([^{}]*)\}$")
BULLETS = frozenset("•‣⁃◦∙●○▪▫■□◆◇–—-*+·➢➤►▶✓✔§")
_PLAIN = HtmlStyle()


@dataclass(frozen=True)
class MarkdownDialect:
    """Markdown with a model's habits.

    `math` holds what stands before and after LaTeX in a line, and before and after a displayed formula; spaces and
    line breaks may be part of them. `gap` stands between blocks, `item_gap` between neighbouring list items, `indent`
    before a list item for every level. Captions stand between the two strings of `caption`. `furniture` says whether
    running headers and footers are written (most models are told to leave them out), `picture` what stands for a
    picture (nothing where it is empty), `emphasis` whether bold and italic are marked.
    """

    tables: Literal["html", "gfm", "otsl"] = "html"
    math: tuple[str, str, str, str] = ("$", "$", "$$\n", "\n$$")
    html: HtmlStyle = _PLAIN
    bullet: str = "-"
    indent: str = "  "
    gap: str = "\n\n"
    item_gap: str = "\n"
    number: str = r"\tag{{{}}}"
    caption: tuple[str, str] = ("", "")
    picture: str = ""
    headings: bool = True
    emphasis: bool = True
    furniture: bool = False

    def write(self, blocks: Sequence[Block], frame: Frame) -> Draft:
        text, written, starts = "", [], []
        levels: list[int] = []  # of the open list items, outermost first
        for block in blocks:
            piece, levels = self.block(block, levels)
            if not piece:
                continue
            if written:
                neighbours = block.category is written[-1].category is Category.LIST_ITEM
                text += self.item_gap if neighbours else self.gap
            written.append(block)
            starts.append(len(text))
            text += piece
        return Draft(text, tuple(written), tuple(starts))

    def read(self, text: str, frame: Frame) -> Reading:
        return BlockReader(text, frame.box).read()

    def block(self, block: Block, levels: Sequence[int] = ()) -> tuple[str, list[int]]:
        """A block as the model writes it, empty if it does not, and the levels of the list items then open."""
        match block.category:
            case Category.LIST_ITEM:
                return self._item(block, levels)
            case Category.TABLE if block.table is not None:
                return self.table(block.table), []
            case Category.PICTURE:
                return self.picture, []
            case Category.PAGE_HEADER | Category.PAGE_FOOTER if not self.furniture:
                return "", list(levels)
            case Category.FORMULA if tex := formula_latex(block):
                tex = _TAG.sub(lambda tag: self.number.format(tag[1]), tex)
                return f"{self.math[2]}{tex}{self.math[3]}", []
            case Category.TITLE | Category.SECTION_HEADER:
                words = self.words(block)
                return (f"{'#' * heading_level(block)} {words}" if words and self.headings else words), []
            case Category.CAPTION:
                words = self.words(block)
                return (f"{self.caption[0]}{words}{self.caption[1]}" if words else ""), []
            case _:
                return self.words(block), []

    def table(self, table: Table) -> str:
        """A table in the model's markup."""
        match self.tables:
            case "html":
                return write_html(table, self.math[:2], self.html)
            case "otsl":
                return write_otsl(table, self.math[:2])
            case _:
                return write_pipes(table, self.math[:2])

    def words(self, block: Block) -> str:
        """The words of a block on one line. A heading is bold already."""
        spans = block.spans
        if block.category in (Category.TITLE, Category.SECTION_HEADER):
            spans = tuple(Span(span.text, math=span.math, italic=span.italic) for span in spans)
        elif block.marker and block.category is not Category.LIST_ITEM:
            spans = (Span(f"{block.marker} "), *spans)
        return write_spans(spans, self.math[:2], emphasis=self.emphasis)

    def _item(self, block: Block, levels: Sequence[int]) -> tuple[str, list[int]]:
        words = self.words(block)
        if not words:
            return "", list(levels)
        parents = [level for level in levels if level < block.level]
        marker = self.bullet if not block.marker or block.marker in BULLETS else block.marker
        return f"{self.indent * len(parents)}{marker} {words}", [*parents, block.level]
