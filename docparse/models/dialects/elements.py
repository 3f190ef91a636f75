"""Elements: with a label and a box as DeepSeek-OCR, Chandra, granite-docling and MinerU write them, and the inside of
one whose category is known, as the model has said it or as it is the crop of a region."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from docparse.models.dialects.inline import read_spans, tidied
from docparse.models.dialects.markdown import MarkdownDialect
from docparse.models.dialects.markup import ITEMS, numbered
from docparse.models.dialects.reader import BlockReader, unwrapped
from docparse.models.family import Draft, Frame, ParsedOutput
from docparse.render.text import code_lines, latex
from docparse.types import Block, Box, Category, Span, Spans, union

_FORMULA = re.compile(  # one in its delimiters, with the punctuation and the number behind it
    r"""\s*(?: \$\$(?P<double>(?:[^$]|\$(?!\$))*)\$\$ | \\\[(?P<brackets>(?:[^\\]|\\(?!\]).)*)\\\]
    | \$(?P<single>(?:[^\\$]|\\.)*)\$ | \\\((?P<parentheses>(?:[^\\]|\\[^()])*)(?:\\\)|\Z) )
    [ \t]*(?P<mark>[.,;]?)[ \t]*(?:\((?P<number>[\w.\-–']{1,12})\)|\\tag\{(?P<tag>[^{}]*)\})?[ \t]*(?P<end>\s*)""",
    re.DOTALL | re.VERBOSE,
)
_DELIMITED = ("double", "brackets", "single", "parentheses")
_HASHES = re.compile(r"\s*(#{1,6})\s+(?=\S)")
_REGION = MarkdownDialect(furniture=True)
_CENTER = re.compile(r"\s*<center>(.*?)(?:</center>)?\s*", re.DOTALL)
_NAME = re.compile(r"[a-z_]+[0-9]?")
_NUMBER = re.compile(r"\d+")
_WORDS = (  # of a label; the first that is in it counts
    (Category.CAPTION, "caption image_title figure_title chart_title table_title"),
    (Category.FOOTNOTE, "footnote"),
    (Category.PAGE_FOOTER, "page_number footer"),
    (Category.SECTION_HEADER, "section_header sub_title"),
    (Category.PAGE_HEADER, "header"),
    (Category.TITLE, "title"),
    (Category.LIST_ITEM, "list"),
    (Category.TEXT, "table_of_contents formula_number"),
    (Category.FORMULA, "equation formula"),
    (Category.TABLE, "table otsl"),
    (Category.PICTURE, "image picture figure diagram chart unknown"),
    (Category.CODE, "code algorithm"),
    (Category.TEXT, "text"),
)


# ---- labels and boxes

LABELS = {  # as DeepSeek-OCR and MinerU write them
    Category.TITLE: "title",
    Category.LIST_ITEM: "text",
    Category.PICTURE: "image",
    Category.CAPTION: "image_caption",
    Category.FORMULA: "equation",
    Category.FOOTNOTE: "page_footnote",
    Category.PAGE_HEADER: "header",
    Category.PAGE_FOOTER: "footer",
}


def category_of(label: str) -> Category | None:
    """Return what a label says, None for one that nobody knows."""
    name = label.strip().lower().replace("-", "_")
    if not _NAME.fullmatch(name):
        return None
    words = ((category, word) for category, row in _WORDS for word in row.split())
    return next((category for category, word in words if f"_{word}_" in f"_{name}_"), None)


def label_of(category: Category, labels: Mapping[Category, str]) -> str:
    """Return the label that a model has for a category: its own name in lower case where `labels` has none."""
    return labels.get(category, category.value.lower())


def lists_together(blocks: Sequence[Block]) -> Iterator[Sequence[Block]]:
    """Neighbouring list items together, all other blocks alone."""
    for is_list, run in groupby(blocks, lambda block: block.category is Category.LIST_ITEM):
        group = tuple(run)
        yield from (group,) if is_list else ((block,) for block in group)


class ElementReader:
    """Gathers the blocks of an output whose elements have boxes of `grid` steps a side."""

    def __init__(self, text: str, frame: Frame, grid: int = 0) -> None:
        self.text = text
        self.frame = frame
        self.grid = grid
        self.blocks: list[Block] = []
        self.extents: list[tuple[int, int]] = []
        self.problems: list[str] = []
        self.boxed = True

    def pieces(self, begin: re.Pattern[str], what: str, end: int | None = None) -> Iterator[tuple[re.Match[str], int]]:
        """Yield each match of `begin` and where the next one starts; words before the first are read as Markdown."""
        found = list(begin.finditer(self.text))
        ends = [*(match.start() for match in found), len(self.text) if end is None else end]
        if self.text[: ends[0]].strip():
            self.problems.append(f"words before the first {what}: read as Markdown")
            self.take(BlockReader(self.text[: ends[0]], self.frame.box).read(), 0, ends[0])
        self.boxed = bool(found) or not self.text.strip()
        yield from zip(found, ends[1:], strict=True)

    def take(self, reading: ParsedOutput, begin: int, end: int) -> None:
        """Keep the blocks of `reading`, which together reach from `begin` to `end`."""
        starts = [begin, *(start for start, _ in reading.extents[1:])]
        for block, start, stop in zip(reading.blocks, starts, [*starts[1:], end], strict=False):
            self.blocks.append(block)
            self.extents.append((start, stop))
        self.problems += reading.problems

    def add(self, category: Category, box: Box, begin: int, end: int, spans: Spans = ()) -> None:
        block = Block(category=category, box=box, spans=spans, source="vlm")
        self.take(ParsedOutput((block,), ((begin, end),), True), begin, end)

    def inside(
        self, start: int, end: int, category: Category, box: Box, *, items_in_text: bool = False
    ) -> ParsedOutput:
        """Return the blocks of `text[start:end]`; extents are positions in `text`."""
        inner = read_element(self.text[start:end], category, box, items_in_text=items_in_text)
        return replace(inner, extents=tuple((start + first, start + last) for first, last in inner.extents))

    def box(self, numbers: str) -> Box | None:
        """Return the box of four numbers, or of several such boxes together; None where there is none."""
        values = [int(value) for value in _NUMBER.findall(numbers)]
        boxes = [values[i : i + 4] for i in range(0, len(values) - 3, 4)]
        grid = Frame(self.frame.box, self.grid, self.grid)
        return union(grid.to_page(*box) for box in boxes) if boxes else None

    def read(self) -> ParsedOutput:
        return ParsedOutput(tuple(self.blocks), tuple(self.extents), self.boxed, tuple(self.problems))


def on_grid(box: Box, frame: Frame, grid: int) -> list[int]:
    """Return a box in whole steps of a grid over the picture."""
    return [min(grid, max(0, round(value))) for value in Frame(frame.box, grid, grid).to_pixels(box)]


# ---- the inside


def read_element(text: str, category: Category, box: Box, *, items_in_text: bool, lines: bool = False) -> ParsedOutput:
    """Return the blocks of an element; extents are positions in `text`.

    Text, lists and tables may hold several blocks; all else is one, as is what cannot be read. With `items_in_text` the
    list items of a text are list items, with `lines` every line of it is a paragraph.
    """
    reading = _read(text, category, box, items_in_text, lines)
    words = tidied((Span(unwrapped(text)),))
    if reading.blocks or not words:
        return reading
    block = Block(category=Category.TEXT, box=box, spans=words, source="vlm")
    problem = f"an element of category {category.value} has no content: read as text"
    return ParsedOutput((block,), ((0, len(text)),), True, (*reading.problems, problem))


def _read(text: str, category: Category, box: Box, items_in_text: bool, by_line: bool) -> ParsedOutput:
    if category in (Category.TEXT, Category.LIST_ITEM, Category.TABLE):
        lists = category is Category.LIST_ITEM or items_in_text
        words = Category.LIST_ITEM if category is Category.LIST_ITEM else Category.TEXT
        ignored = ("heading", "ruler", *(() if lists else ITEMS))
        return BlockReader(text, box, words, ignored, lines=by_line, crop=by_line).read()
    if category is Category.CODE:
        reading = BlockReader(text, box).read()
        if any(block.category is Category.CODE for block in reading.blocks):
            return reading
    level, spans = 0, read_spans(unwrapped(text))
    if category is Category.CODE and spans:
        spans = (Span(code_lines(text)),)
    elif category is Category.FORMULA:
        spans = _formula(text)
    elif category.is_heading and (hashes := _HASHES.match(text)):
        level, spans = len(hashes[1]), read_spans(unwrapped(text[hashes.end() :]))
    elif category is Category.CAPTION and (center := _CENTER.fullmatch(text)):
        spans = read_spans(unwrapped(center[1]))
    if not spans and category is not Category.PICTURE:
        return ParsedOutput((), (), True)
    block = Block(category=category, box=box, spans=spans, level=level, source="vlm")
    return ParsedOutput((block,), ((0, len(text)),), True)


def _formula(text: str) -> Spans:
    """LaTeX, with or without what stands about it."""
    reading = BlockReader(text, Box(0, 0, 0, 0)).read()
    if [block.category for block in reading.blocks] == [Category.FORMULA]:
        return reading.blocks[0].spans
    tex, at = "", 0
    while at < len(text) and (found := _FORMULA.match(text, at)):
        inner = next(found[name] for name in _DELIMITED if found[name] is not None)
        number = found["number"] or found["tag"]
        tex += numbered(latex(inner) + found["mark"], f"({number})" if number else "")
        at = found.end()
        tex += (r" \\ " if found["end"] else " ") if at < len(text) else ""
    tex = tex if at == len(text) else latex(text)
    return (Span(tex, math=True),) if tex else ()


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

    def read(self, text: str, frame: Frame) -> ParsedOutput:
        return replace(read_element(text, self.category, frame.box, items_in_text=True, lines=True), boxed=False)
