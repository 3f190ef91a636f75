"""Pages as Markdown: the dialect of HunyuanOCR, Qwen-VL, LightOnOCR, GLM-OCR, olmOCR and of all that only chat. The
fields of `MarkdownDialect` say how a model writes; reading knows all ways at once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Literal, get_args

import msgspec

from docparse.errors import UsageError
from docparse.models.dialects.inline import write_spans
from docparse.models.dialects.markup import MARKER, spaced, untagged
from docparse.models.dialects.reader import BlockReader
from docparse.models.dialects.tables import write_html, write_otsl, write_pipes
from docparse.models.family import Draft, Frame, ParsedOutput
from docparse.render.inline import fence
from docparse.render.markdown import heading_level
from docparse.render.mathtext import formula_latex
from docparse.render.tables import HtmlStyle
from docparse.render.text import code_lines
from docparse.types import BULLETS, SIGNS, Block, Box, Category, Span, Table, union

Tables = Literal["html", "gfm", "otsl"]
_PLAIN = HtmlStyle()
GRID = 1000
_SMALLEST = 20  # thousandths a side: points of a plane, which a page prints, lie closer together
_PAIR = r"\((\d{1,4}),(\d{1,4})\),\((\d{1,4}),(\d{1,4})\)"
_PLACE = re.compile(rf"{_PAIR}(?:[ \t,，]*+{_PAIR})*+(?=[ \t\r]*+$)", re.MULTILINE)
_OF_THE_PAGE = (Category.TABLE, Category.FORMULA, Category.CODE)  # coordinates in these are printed


@dataclass(frozen=True)
class MarkdownDialect:
    """Markdown with a model's habits.

    `math` holds what stands before and after LaTeX in a line, and before and after a displayed formula; spaces and
    line breaks may be part of them. `gap` stands between blocks, `indent` before a list item for every level.
    `furniture` says whether running headers and footers are written (most models are told to leave them out),
    `emphasis` whether bold and italic are marked, `points` whether layout coordinates stand at the end of lines,
    `escaped` the characters that always get a backslash, `spaced` whether displayed LaTeX has spaces between tokens.
    Pictures are not written.

    Models do not escape, so a text that begins like other markup cannot be said: it is written as it is, and what comes
    back is a heading (`# x`), a list item (`- x`, `1. x`), a picture (`![x](y)`), a table, a formula, code, or nothing
    but a ruler (`---`).
    """

    tables: Tables = "html"
    math: tuple[str, str, str, str] = ("$", "$", "$$\n", "\n$$")
    html: HtmlStyle = _PLAIN
    bullet: str = "-"
    indent: str = "  "
    gap: str = "\n\n"
    number: str = r"\tag{{{}}}"
    headings: bool = True
    emphasis: bool = True
    furniture: bool = False
    points: bool = False
    escaped: str = ""
    spaced: bool = False

    def __post_init__(self) -> None:
        """Raise `UsageError` for a kind of tables that there is not: nobody would see what was written instead."""
        if self.tables not in get_args(Tables):
            raise UsageError(f"MarkdownDialect(tables={self.tables!r}): use one of {', '.join(get_args(Tables))}")

    def write(self, blocks: Sequence[Block], frame: Frame) -> Draft:
        text = ""
        written: list[Block] = []
        starts: list[int] = []
        levels: list[int] = []  # of the open list items, outermost first
        for block in blocks:
            parents = [level for level in levels if level < block.level] if _is_item(block) else []
            piece = self.indent * len(parents) + self.block(block)
            if not piece.strip():
                continue
            if written:
                text += "\n" if levels and _is_item(block) else self.gap
            levels = [*parents, block.level] if _is_item(block) else []
            written.append(block)
            starts.append(len(text))
            text += piece
        return Draft(text, tuple(written), tuple(starts))

    def read(self, text: str, frame: Frame) -> ParsedOutput:
        return read_with_points(text, frame) if self.points else BlockReader(text, frame.box).read()

    def block(self, block: Block) -> str:
        """Return a block by itself as the model writes it, empty if it does not."""
        match block.category:
            case Category.PICTURE:
                return ""
            case Category.TABLE if block.table is not None:
                return self.table(block.table)
            case Category.FORMULA if tex := formula_latex(block):
                return f"{self.math[2]}{spaced(tex) if self.spaced else untagged(tex, self.number)}{self.math[3]}"
            case Category.CODE if code := code_lines(block.text):
                return f"{fence(code, 3)}\n{code}\n{fence(code, 3)}"
            case _ if block.category.is_furniture and not self.furniture:
                return ""
        words = self._words(block)
        return f"{self._before(block)}{words}" if words else ""

    def _before(self, block: Block) -> str:
        if block.category.is_heading and self.headings:
            return f"{'#' * heading_level(block)} "
        if block.category is Category.LIST_ITEM and is_bullet(block):
            return f"{self.bullet} "
        return f"{block.marker} " if block.marker else ""

    def table(self, table: Table) -> str:
        match self.tables:
            case "html":
                return write_html(table, self.math[:2], self.html)
            case "otsl":
                return write_otsl(table, self.math[:2], headers=self.html.header_cells)
            case _:
                return write_pipes(table, self.math[:2])

    def _words(self, block: Block) -> str:
        """The words of a block on one line. A heading is bold already."""
        spans = block.spans
        if block.category.is_heading:
            spans = tuple(Span(span.text, math=span.math, italic=span.italic) for span in spans)
        return write_spans(spans, self.math[:2], emphasis=self.emphasis, escaped=self.escaped)


def is_bullet(block: Block) -> bool:
    return not block.marker or block.marker in BULLETS + SIGNS


def _is_item(block: Block) -> bool:
    """Return whether a reader can tell that this is a list item; one with another marker ("A.", "[1]") is a
    paragraph."""
    return block.category is Category.LIST_ITEM and (is_bullet(block) or MARKER.fullmatch(block.marker) is not None)


# ---- HunyuanOCR's layout coordinates: `(x0,y0),(x1,y1)` at the end of a line, in thousandths of the picture: on a line
# of their own where a figure stands, else the place of the words before them. The authors' own reader drops both, but
# for those in tables and formulas (`inference/utils/output_utils.py`; the scale: `tasks.py`).


def read_with_points(text: str, frame: Frame) -> ParsedOutput:
    """Return the blocks of Markdown with such coordinates, which are no words of it."""
    reading = BlockReader(text, frame.box).read()
    pairs = zip(reading.blocks, reading.extents, strict=True)
    printed = [extent for block, extent in pairs if block.category in _OF_THE_PAGE]

    def said(place: re.Match[str]) -> bool:
        inside = any(start <= place.start() < end for start, end in printed)
        return not inside and all(map(_is_box, re.findall(_PAIR, place[0])))

    places = list(filter(said, _PLACE.finditer(text)))
    if not places:
        return reading
    blank = _PLACE.sub(lambda place: " " * len(place[0]) if said(place) else place[0], text)
    reading = BlockReader(blank, frame.box).read()
    ends = {end: i for i, (_, end) in enumerate(reading.extents)}
    blocks, added = list(reading.blocks), []
    for place in places:
        boxes = [_box(pair, frame) for pair in re.findall(_PAIR, place[0])]
        before = text.rfind("\n", 0, place.start()) + 1
        if not blank[before : place.start()].strip(" \t,，"):
            added.append((place.span(), Block(category=Category.PICTURE, box=union(boxes), source="vlm")))
        elif (at := ends.get(len(blank[before : place.start()].rstrip()) + before)) is not None:
            blocks[at] = msgspec.structs.replace(blocks[at], box=union(boxes))
    found = sorted([*zip(reading.extents, blocks, strict=True), *added], key=itemgetter(0))
    return replace(reading, blocks=tuple(block for _, block in found), extents=tuple(extent for extent, _ in found))


def _is_box(pair: tuple[str, ...]) -> bool:
    """Return whether four numbers are a place on the page that holds words or a figure."""
    x0, y0, x1, y1 = map(int, pair)
    return min(x1 - x0, y1 - y0) >= _SMALLEST and max(x1, y1) <= GRID


def _box(pair: tuple[str, ...], frame: Frame) -> Box:
    x0, y0, x1, y1 = map(int, pair)
    return Frame(frame.box, GRID, GRID).to_page(x0, y0, x1, y1)
