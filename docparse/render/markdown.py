"""Pages to Markdown: CommonMark, pipe tables, HTML tables where cells span, LaTeX between dollar signs."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TextIO

from docparse.render.flow import write_flow
from docparse.render.inline import fence, markdown_line, markdown_lines
from docparse.render.mathtext import display_math, formula_latex
from docparse.render.options import RenderOptions
from docparse.render.tables import to_html, to_pipe
from docparse.render.text import code_lines, one_line, squeeze
from docparse.types import BULLETS, SIGNS, Block, Category, Page, Span, Table

_BULLETS = frozenset(BULLETS + SIGNS)
IN_ITEMS = (Category.TEXT, Category.CODE, Category.FORMULA)  # what may stand in a list item besides its own words
_BOXES = {"☐": " ", "☑": "x", "☒": "x"}
_NUMBER = re.compile(r"(\d{1,9})([.)])$")
_DIGITS = "０１２３４５６７８９", "٠١٢٣٤٥٦٧٨٩", "۰۱۲۳۴۵۶۷۸۹", "०१२३४५६७८९"  # Markdown counts in ASCII
_HALF_WIDTH = str.maketrans("．）" + "".join(_DIGITS), ".)" + len(_DIGITS) * "0123456789")
_SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def write_markdown(pages: Iterable[Page], out: TextIO, options: RenderOptions) -> None:
    """Write `pages` to `out` one at a time.

    A page that failed leaves `<!-- page 7 failed: timeout -->`, one that is cut `<!-- page 7 partial: loop -->`; with
    `options.page_breaks` every page begins with `<!-- page 7 -->`. A paragraph cut by a page break is printed whole, on
    the page where it begins.
    """
    write_flow(_Writer(out, options), pages, options)


class _Writer:
    """Prints blocks with a blank line between them; consecutive list items stay together."""

    def __init__(self, out: TextIO, options: RenderOptions) -> None:
        self.out = out
        self.options = options
        self.empty = True
        self.open: list[tuple[int, int]] = []  # level and text column of the open list items, outermost first

    def page(self, page: Page) -> None:
        if page.status != "ok":
            self.paragraph(f"<!-- {page.label} {page.status}: {_comment(page.error_category)} -->")
        elif self.options.page_breaks:
            self.paragraph(f"<!-- page {page.number} -->")

    def block(self, block: Block) -> None:
        if block.category is Category.LIST_ITEM:
            self.item(block)
        else:
            self.paragraph(block_markdown(block, self.options), block.level if block.category in IN_ITEMS else 0)

    def paragraph(self, text: str, level: int = 0) -> None:
        """A block of its own, in the list item that is open `level` deep."""
        if text:
            self.open = self.open[:level]
            indent = " " * self.open[-1][1] if self.open else ""
            self._write(re.sub("^(?=.)", indent, text, flags=re.MULTILINE), "\n\n")

    def item(self, block: Block) -> None:
        marker, spans = list_marker(block)
        text = markdown_line(spans, "item")
        if not text:
            return
        parents = [entry for entry in self.open if entry[0] < block.level]
        # An ordered list cannot begin right under a line of text unless with 1.
        nested = len(parents) == len(self.open) > 0
        cramped = nested and marker[0].isdigit() and marker[:-1] != "1"
        separator = "\n" if self.open and not cramped else "\n\n"
        indent = parents[-1][1] if parents else 0
        self.open = [*parents, (block.level, indent + len(marker) + 1)]
        box = f"[{box}] " if (box := task_box(block)) else ""
        self._write(f"{' ' * indent}{marker} {box}{text}", separator)

    def end(self) -> None:
        if not self.empty:
            self.out.write("\n")

    def _write(self, text: str, separator: str) -> None:
        self.out.write(text if self.empty else separator + text)
        self.empty = False


def block_markdown(block: Block, options: RenderOptions) -> str:  # noqa: PLR0911
    """Any block but a list item as Markdown without a line end; empty where there is nothing to print."""
    match block.category:
        case Category.TITLE | Category.SECTION_HEADER:
            text = markdown_line(block.spans, "heading")
            return f"{'#' * heading_level(block)} {text}" if text else ""
        case Category.TABLE if block.table is not None:
            return _table(block.table, options)
        case Category.FORMULA:
            tex, url = formula_latex(block), options.image_url(block.image) if block.image else ""
            text = f"$$\n{display_math(tex)}\n$$" if tex else markdown_line(block.spans)
            return "\n\n".join(part for part in (text, f"![]({url})" if url else "") if part)
        case Category.PICTURE | Category.TABLE if block.image and (url := options.image_url(block.image)):
            words = markdown_line(block.spans)  # words that a person reads are never only in an image
            return f"![]({url})\n\n{words}" if words else f"![]({url})"
        case Category.FOOTNOTE if block.marker:
            return markdown_line((Span(f"{block.marker.translate(_SUPERSCRIPT)} "), *block.spans))
        case Category.CODE:
            code = code_lines(block.text)
            return f"{fence(code, 3)}\n{code}\n{fence(code, 3)}" if code else ""
        case _:
            return markdown_lines(block.spans)


def heading_level(block: Block) -> int:
    """1..6; a heading that nobody ranked is 1 if it is the title and 2 if not."""
    default = 1 if block.category is Category.TITLE else 2
    return min(6, block.level or default)


def list_marker(block: Block) -> tuple[str, tuple[Span, ...]]:
    """Return the Markdown marker of a list item and its words; a marker Markdown does not know becomes a word."""
    marker = squeeze(block.marker).strip()
    if (number := _NUMBER.match(marker.translate(_HALF_WIDTH))) and one_line(block.spans):
        return f"{number[1]}{number[2]}", block.spans
    if not marker or marker in _BULLETS or marker in _BOXES:
        return "-", block.spans
    return "-", (Span(f"{marker} "), *block.spans)


def task_box(block: Block) -> str:
    """ "x" or " " for an item that begins with a box, ticked or not; "" for any other."""
    return _BOXES.get(squeeze(block.marker).strip(), "")


def _table(table: Table, options: RenderOptions) -> str:
    html = options.tables == "html" or (options.tables == "auto" and table.has_spans)
    return to_html(table) if html else to_pipe(table)


def _comment(text: str) -> str:
    """A word or two that cannot end the comment they stand in."""
    return re.sub(r"-{2,}", "-", re.sub(r"[^\w .,:()/-]+", " ", squeeze(text))).strip(" -") or "error"
