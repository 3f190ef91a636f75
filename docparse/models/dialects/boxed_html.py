"""Chandra's, Surya's and OvisOCR2's HTML: a `div` for every block, with its box in thousandths and its label.

    <div data-bbox="23 322 924 445" data-label="Section-Header"><h1>1 Introduction</h1></div><div data-bbox=...

Labels and tags: `chandra/prompts.py` of datalab-to/chandra. Seen in published outputs: blocks follow each other with or
without a line break, items keep their printed bullets, formulas are `math` with `&`, `<`, `>` as entities.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape, unescape

from docparse.models.dialects.elements import ElementReader, category_of, lists_together, on_grid
from docparse.models.dialects.inline import read_spans, write_tags
from docparse.models.dialects.markdown import is_bullet
from docparse.models.dialects.markup import AFTER_DISPLAY, MARKER, numbered, untagged
from docparse.models.dialects.reader import BlockReader, unwrapped
from docparse.models.dialects.tables import write_html
from docparse.models.family import Draft, Frame, ParsedOutput
from docparse.render.markdown import heading_level
from docparse.render.mathtext import formula_latex
from docparse.render.tables import HtmlStyle
from docparse.types import SIGNS, Block, Category, Span, Spans, union

GRID = 1000
QUAD = r"\quad ({})"  # the number of a formula
_LABELS = {
    Category.TITLE: "Section-Header",
    Category.SECTION_HEADER: "Section-Header",
    Category.LIST_ITEM: "List-Group",
    Category.CODE: "Code-Block",
    Category.FORMULA: "Equation-Block",
    Category.PAGE_HEADER: "Page-Header",
    Category.PAGE_FOOTER: "Page-Footer",
    Category.PICTURE: "Image",
}
_PLAIN = HtmlStyle(header_cells=True)
_DIV = re.compile(r"<div\b(?=[^<>]*\bdata-(?:bbox|label)\b)[^<>]*>", re.IGNORECASE)
_CUT = re.compile(r"<div\b[^<>]*$", re.IGNORECASE)
_VALUE = r"\s*=\s*[\"']?([^\"'<>]*)"
_BBOX, _LABEL = re.compile("data-bbox" + _VALUE), re.compile("data-label" + _VALUE)
_FIRST = re.compile(r"<ol\b[^<>]*\bstart\s*=\s*[\"']?(\d{1,4})\b")
_ALT = re.compile(r"\balt\s*=\s*(?:\"(?P<double>[^\"]*)|'(?P<single>[^']*)|(?P<bare>[^\s\"'<>]+))")
_ANY_TAG = re.compile(r"</?[a-z](?:\"[^\"]*\"|'[^']*'|[^<>\"'])*+(?:>|[\"'][^<>]*\Z|\Z)")  # also one cut off
_TAG = re.compile(
    r"""(?P<indent>\s*+)(?:(?P<display><math\b[^<>]*\bdisplay\b[^<>]*>) | (?P<html_table><table\b) | (?P<picture><img\b)
    | (?P<fence><pre\b[^<>]*>) | <(?P<words>p|h[1-6]|li)\b[^<>]*>
    | (?P<ruler></?(?:p|h[1-6]|[uo]l|li|div|hr|pre)\b[^<>]*>))""",
    re.VERBOSE | re.IGNORECASE,
)
_NEXT = re.compile(r"<(?:/?(?:p|h[1-6]|[uo]l|li|div|hr|pre|table|img)\b|math\b[^<>]*\bdisplay)", re.IGNORECASE)
_MATH_END, _CODE_END = re.compile("</math>|$"), re.compile("</pre>|$")


@dataclass(frozen=True)
class BoxedHtml:
    """HTML with boxes. Neighbouring list items share a `div`; pictures have their words in `alt`."""

    table: HtmlStyle = _PLAIN

    def write(self, blocks: Sequence[Block], frame: Frame) -> Draft:
        text = ""
        starts: list[int] = []
        for group in lists_together(blocks):
            x0, y0, x1, y1 = on_grid(union(block.box for block in group), frame, GRID)
            label = _LABELS.get(group[0].category, group[0].category.value)
            starts.append(len(text))
            text += f'<div data-bbox="{x0} {y0} {x1} {y1}" data-label="{label}">'
            text = _list(group, text, starts) if label == "List-Group" else text + _html(group[0], self.table)
            text += "</div>"
        return Draft(text, tuple(blocks), tuple(starts))

    def read(self, text: str, frame: Frame) -> ParsedOutput:
        reader = ElementReader(text, frame, GRID)
        if cut := _CUT.search(text, max(0, text.rfind("<"))):
            reader.problems.append("the output ends in a tag")
        for div, end in reader.pieces(_DIV, "block", cut.start() if cut else None):
            numbers, label = _BBOX.search(div[0]), _LABEL.search(div[0])
            category = category_of(label[1]) if label else None
            box = reader.box(numbers[1]) if numbers else None
            if category is Category.PICTURE:
                reader.add(category, box or frame.box, div.start(), end, _said(text[div.end() : end]))
                continue
            inner = _HtmlReader(text[:end], box or frame.box, category or Category.TEXT)
            reader.take(inner.read(div.end()), div.start(), end)
        return reader.read()


def _list(items: Sequence[Block], text: str, starts: list[int]) -> str:
    """`text` with a list behind it; where its items begin, but for the first, comes to `starts`."""
    levels: list[int] = []  # of the open items, outermost first
    for item in items:
        deeper = not levels or item.level > levels[-1]
        while levels and item.level <= levels[-1]:
            levels.pop()
            text += "</li>" + "</ul>" * bool(levels and item.level <= levels[-1])
        text += "<ul>" * deeper
        if item is not items[0]:
            starts.append(len(text))
        levels.append(item.level)
        text += f"<li>{'•' if is_bullet(item) else item.marker} {write_tags(item.spans)}"
    return text + "</li></ul>" * len(levels)


def _html(block: Block, table: HtmlStyle) -> str:
    """Return what stands in the `div` of a block."""
    words = write_tags(block.spans)
    marked = f"{block.marker} {words}" if block.marker else words
    match block.category:
        case Category.PICTURE:
            return f'<img alt="{escape(block.text)}"/>'
        case Category.TABLE if block.table is not None:
            return write_html(block.table, ("<math>", "</math>"), table)
        case Category.FORMULA if block.spans:
            tex = formula_latex(block) or block.text
            return f'<math display="block">{escape(untagged(tex, QUAD), quote=False)}</math>'
        case Category.CODE:
            return f"<pre>{escape(block.text, quote=False)}</pre>"
        case Category.TITLE | Category.SECTION_HEADER:
            return f"<h{heading_level(block)}>{words}</h{heading_level(block)}>"
        case _:
            return f"<p>{marked}</p>"


class _HtmlReader(BlockReader):
    """The inside of a `div`."""

    def read(self, start: int = 0) -> ParsedOutput:
        self.lists: list[int] = []  # of the open lists, outermost first: the number of the last item, -1 without
        return super().read(start)

    def _start(self, at: int) -> re.Match[str] | None:
        return _TAG.match(self.text, at)

    def _lines_end(self, at: int) -> int:
        """The start of the next tag of a block."""
        found = _NEXT.search(self.text, at)
        return found.start() if found else len(self.text)

    def _paragraph(self, start: int) -> int:
        return self._block(start, start, self.category)

    def _words(self, begin: re.Match[str]) -> int:
        name = begin["words"].lower()
        category, level = self.category, 0
        if name == "li" and category is Category.TEXT:
            category = Category.LIST_ITEM
        elif name[0] == "h" and (category.is_heading or category is Category.TEXT):
            level = int(name[1])
            category = Category.TITLE if level == 1 else Category.SECTION_HEADER
        return self._block(begin.end("indent"), begin.end(), category, level)

    def _block(self, begin: int, start: int, category: Category, level: int = 0) -> int:
        end = max(self._lines_end(start), start + (begin == start))
        words, marker = unwrapped(self.text[start:end]), ""
        if category is Category.LIST_ITEM and self.text[begin : begin + 3].lower() == "<li":
            level, marker = max(0, len(self.lists) - 1), "•"
            if self.lists and self.lists[-1] >= 0:
                self.lists[-1] += 1
                marker = f"{self.lists[-1]}."
        found = MARKER.match(words) if category is Category.LIST_ITEM else None
        if found and words[found.end() :].strip() and not words[found.end()].isdigit():  # "1.1 Scope" has none
            marker, words = "•" if found[0] in SIGNS else found[0], words[found.end() :]
        spans = read_spans(words, tags=True)
        if category in (Category.FORMULA, Category.CODE) and spans:
            spans = (Span("".join(span.text for span in spans), math=category is Category.FORMULA),)
        if spans:
            category = Category.TEXT if category is Category.TABLE else category
            self._add(category, begin, end, spans, level=level, marker=marker)
        return end

    def _display(self, begin: re.Match[str]) -> int:
        inner, end = self._until(_MATH_END, begin.end())
        after = AFTER_DISPLAY.match(self.text, end)
        number = after["number"] if after and after["number"] else ""
        tex = numbered(inner, number)
        return self._formula(begin.end("indent"), after.end() if number and after else end, tex)

    def _until(self, closing: re.Pattern[str], start: int) -> tuple[str, int]:
        """Return what stands between `start` and the closing tag or the end, and where that ends."""
        inner_end, end = next(closing.finditer(self.text, start)).span()
        return unescape(self.text[start:inner_end]), end

    def _fence(self, begin: re.Match[str]) -> int:
        inner, end = self._until(_CODE_END, begin.end())
        code = inner.strip("\n")
        return self._add(Category.CODE, begin.end("indent"), end, (Span(code),)) if code.strip() else end

    def _ruler(self, begin: re.Match[str]) -> int:
        tag = begin["ruler"].lower()
        if tag[:3] in ("<ul", "<ol"):
            first = _FIRST.match(tag)
            self.lists.append(-1 if tag[1] == "u" else max(0, int(first[1]) - 1) if first else 0)
        elif tag[:4] in ("</ul", "</ol") and self.lists:
            self.lists.pop()
        return begin.end()


def _said(inner: str) -> Spans:
    """Return the words of a picture."""
    said = [found[found.lastgroup or 0] for found in _ALT.finditer(inner)]
    return read_spans(unwrapped(" ".join([*said, _ANY_TAG.sub(" ", inner)])), tags=True)
