"""Markdown as models write it, read into blocks: headings, lists, tables, formulas, pictures, fences, paragraphs.

No CommonMark parser, which would drop or move characters and know no formulas: every character that is no markup lands
in a block, and every block knows which characters it came from.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from docparse.hyphenation import is_cjk
from docparse.models.dialects.inline import read_spans, tidied
from docparse.models.dialects.markup import AFTER_DISPLAY, DISPLAY, DOTS, ITEMS, START, numbered
from docparse.models.dialects.tables import TABLE_TAG, read_html, read_otsl, read_pipes
from docparse.models.family import Frame, ParsedOutput
from docparse.types import Block, Box, Category, Span, Spans, Table

_BLANK = re.compile(r"[ \t\r]*(?:\n|$)")
_PICTURE = re.compile(r"!\[(?P<alt>[^\]\n]*)\]\([^()\n]*\)|<img\b[^<>]*>(?:(?P<inside>[^<>]*)</img>)?", re.IGNORECASE)
_ALT = re.compile(r"\balt\s*=\s*\"([^\"]*)\"", re.IGNORECASE)
_NAMED_PLACE = re.compile(r"\bbbox_(\d{1,4})_(\d{1,4})_(\d{1,4})_(\d{1,4})\.")  # in thousandths: OvisOCR2
_ROW = re.compile(r"<t[rdh]\b", re.IGNORECASE)
_LANGUAGE = re.compile(r"[a-z]*")  # of a fence; another word after it may be one of the page
_CAPTION_END = re.compile(r"</caption>|(?=<t[rdh]\b)", re.IGNORECASE)
_TAG_END = re.compile(r"</?(?:table|thead|tbody|tfoot|tr|td|th|caption)\b[^<>]*>", re.IGNORECASE)
_DEEPEST = 4  # tags within tags
_WRAPPED = {
    "center": Category.CAPTION,
    "figcaption": Category.CAPTION,
    "header": Category.PAGE_HEADER,
    "footer": Category.PAGE_FOOTER,
    "page_number": Category.PAGE_FOOTER,
    "watermark": Category.PAGE_HEADER,
}


@dataclass
class BlockReader:
    """Reads `text`. Blocks get `box`, a paragraph gets `category`; markup in `ignored` (groups of `START`) is text."""

    text: str
    box: Box
    category: Category = Category.TEXT
    ignored: tuple[str, ...] = ()
    lines: bool = False  # whether a paragraph ends with its line
    crop: bool = False  # whether it is what a model writes for the crop of a region
    depth: int = 0  # how many tags and fences are about it
    blocks: list[Block] = field(default_factory=list)
    extents: list[tuple[int, int]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def read(self, start: int = 0) -> ParsedOutput:
        """Return all blocks; never raises."""
        self.indents: list[int] = []  # of the open list items, outermost first
        at = start
        while at < len(self.text):
            if blank := _BLANK.match(self.text, at):
                at = blank.end() + (blank.end() == at)
                continue
            begin = self._start(at)
            if not (begin and begin.lastgroup in ITEMS):
                self.indents = []
            rule = "item" if begin and begin.lastgroup in ITEMS else begin and begin.lastgroup
            end = getattr(self, f"_{rule}")(begin) if begin else None
            at = self._paragraph(at) if end is None else end
        return ParsedOutput(tuple(self.blocks), tuple(self.extents), False, tuple(self.problems))

    def _start(self, at: int) -> re.Match[str] | None:
        begin = START.match(self.text, at)
        if begin is None or begin.lastgroup in self.ignored:
            return None
        return None if begin["bullet"] == "·" and not self._dotted(begin.end()) else begin

    def _dotted(self, end: int) -> bool:
        """Return whether the `·` that ends at `end` begins a list item."""
        glued = self.text[end : end + 1].strip() != ""
        return (self.several_dots or not glued) if self.crop else (self.several_dots and not glued)

    @cached_property
    def several_dots(self) -> bool:
        return len(DOTS[self.crop].findall(self.text)) > 1

    def _add(self, category: Category, start: int, end: int, spans: Spans = (), **more: object) -> int:
        """A block for `text[start:end]` without the white space about it; the end as given."""
        piece = self.text[start:end]
        self.extents.append((start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())))
        self.blocks.append(Block(**{"category": category, "box": self.box, "spans": spans, "source": "vlm", **more}))  # type: ignore[arg-type]
        return end

    def _unread(self, start: int, end: int) -> int:
        """`text[start:end]` is markup with nothing in it that its kind can hold: text as it stands."""
        self.problems.append(f"markup without content: read as text (character {start})")
        return self._add(self.category, start, end, read_spans(unwrapped(self.text[start:end])))

    def _line_end(self, at: int) -> int:
        return self.text.find("\n", at) + 1 or len(self.text)

    def _lines_end(self, at: int) -> int:
        """The end of the paragraph whose first line begins at or before `at`: a blank line or other markup ends it."""
        end = self._line_end(at)
        while not self.lines and end < len(self.text) and not _BLANK.match(self.text, end):
            begin = self._start(end)
            if begin and (begin.lastgroup not in ("number", "letter") or self.indents):
                break
            end = self._line_end(end)
        return end

    def _paragraph(self, start: int) -> int:
        end = self._lines_end(start)
        if spans := read_spans(unwrapped(self.text[start:end])):
            self._add(self.category, start, end, spans)
        return end

    def _heading(self, begin: re.Match[str]) -> int:
        end = self._line_end(begin.end())
        level = len(begin["heading"])
        words = read_spans(self.text[begin.end() : end])
        spans = tidied(Span(span.text, math=span.math, italic=span.italic) for span in words)
        category = Category.TITLE if level == 1 else Category.SECTION_HEADER
        return self._add(category, begin.start(), end, spans, level=level)

    def _item(self, begin: re.Match[str]) -> int:
        indent = len(begin["indent"].expandtabs(4))
        while self.indents and self.indents[-1] >= indent:
            self.indents.pop()
        level = len(self.indents)
        self.indents.append(indent)
        marker = begin[begin.lastgroup or 0]
        end = self._lines_end(begin.end())
        if spans := read_spans(unwrapped(self.text[begin.end() : end])):
            marker = "•" if marker in "-*+·" else marker
            self._add(Category.LIST_ITEM, begin.start(), end, spans, level=level, marker=marker)
        return end

    def _ruler(self, begin: re.Match[str]) -> int:
        return self._line_end(begin.end())

    def _fence(self, begin: re.Match[str]) -> int:
        """Code keeps its lines; a fence about Markdown or HTML is none, one in a heading or caption is its words."""
        first = self._line_end(begin.end())
        closing = re.compile(rf"^[ \t]*{re.escape(begin['fence'])}[ \t\r]*$", re.MULTILINE).search(self.text, first)
        inner_end, end = (closing.start(), closing.end()) if closing else (len(self.text),) * 2
        if closing is None:
            self.problems.append(f"a code fence is not closed (character {begin.start()})")
        language = self.text[begin.end() : first].strip()
        if self.depth < _DEEPEST and language.lower() in ("markdown", "md", "html"):
            return self._inside(first, inner_end, end, self.category)
        inner = self.text[first:inner_end].strip("\n")
        if not inner.strip():
            return self._unread(begin.start(), end)
        if not _LANGUAGE.fullmatch(language):
            inner = f"{language}\n{inner}"
        category = Category.CODE if self.category in (Category.TEXT, Category.LIST_ITEM) else self.category
        return self._add(category, begin.start(), end, (Span(inner),))

    def _display(self, begin: re.Match[str]) -> int | None:
        start = begin.start("display")
        found = DISPLAY.match(self.text, start)
        if found is None:
            end, words = self._block_end(start), self.text[start + 2 : self._line_end(start)].strip()
            if words and end < len(self.text) and begin["display"] == r"\[":
                return None  # "\[1] A. Author": a bracket with a backslash
            self.problems.append(f"a formula is not closed: read up to the next blank line (character {start})")
            return self._formula(begin.start(), end, numbered(self.text[start + 2 : end]))
        after = AFTER_DISPLAY.match(self.text, found.end())
        if after is None:
            return None
        inner = found["dollars"] if found["dollars"] is not None else found["brackets"]
        return self._formula(begin.start(), after.end(), numbered(inner + after["mark"], after["number"]))

    def _formula(self, start: int, end: int, tex: str) -> int:
        return self._add(Category.FORMULA, start, end, (Span(tex, math=True),)) if tex else self._unread(start, end)

    def _block_end(self, start: int) -> int:
        """The start of the next blank line, or the end."""
        end = self._line_end(start)
        while end < len(self.text) and not _BLANK.match(self.text, end):
            end = self._line_end(end)
        return end

    def _html_table(self, begin: re.Match[str]) -> int:
        start = begin.start("html_table")
        depth, end = 0, None
        for tag in TABLE_TAG.finditer(self.text, start):
            depth += -1 if tag[1] else 1
            if depth == 0:
                end = tag.end()
                break
        if end is None:
            last = max((tag.end() for tag in _TAG_END.finditer(self.text, start)), default=start)
            end = self._block_end(last)
            self.problems.append(f"a table is not closed: read as far as it goes (character {start})")
        table, caption = read_html(self.text[start:end])
        if not caption and not (table.cells and _ROW.search(self.text, start, end)):
            return self._unread(begin.end("indent"), end)
        return self._table(begin.end("indent"), end, table, caption)

    def _table(self, start: int, end: int, table: Table, caption: Spans = ()) -> int:
        if caption:
            closing = _CAPTION_END.search(self.text, start, end)
            without = start + 1 if table.cells else end
            start = self._add(Category.CAPTION, start, closing.end() if closing else without, caption)
        return self._add(Category.TABLE, start, end, table=table) if table.cells else end

    def _otsl(self, begin: re.Match[str]) -> int:
        end = self._block_end(begin.start())
        return self._table(begin.start(), end, read_otsl(self.text[begin.start() : end].strip()))

    def _pipes(self, begin: re.Match[str]) -> int:
        end = self._line_end(self._line_end(begin.start()))
        while end < len(self.text) and not _BLANK.match(self.text, end) and "|" in self.text[end : self._line_end(end)]:
            end = self._line_end(end)
        return self._table(begin.start(), end, read_pipes(self.text[begin.start() : end].rstrip().split("\n")))

    def _picture(self, begin: re.Match[str]) -> int | None:
        found = _PICTURE.match(self.text, begin.start("picture"))
        if found is None:
            return None
        alt = found["alt"] or " ".join([*_ALT.findall(found[0])[:1], found["inside"] or ""])
        named = _NAMED_PLACE.search(found[0])
        place = Frame(self.box, 1000, 1000).to_page(*map(int, named.groups())) if named else self.box
        return self._add(Category.PICTURE, begin.start(), found.end(), read_spans(alt), box=place)

    def _wrapper(self, begin: re.Match[str]) -> int | None:
        if self.depth == _DEEPEST:
            return None
        name = begin["wrapper"]
        closing = re.compile(rf"</{name}>", re.IGNORECASE).search(self.text, begin.end())
        if closing is None:
            end = self._block_end(begin.end())
            self.problems.append(f"<{name}> is not closed (character {begin.start()})")
        inner_end, end = closing.span() if closing else (end, end)
        return self._inside(begin.end(), inner_end, end, _WRAPPED.get(name.lower(), self.category))

    def _inside(self, start: int, inner_end: int, end: int, category: Category) -> int:
        """Read what stands between two tags or fences; `end` is where the second ends."""
        text, depth = self.text[:inner_end], self.depth + 1
        found = self.blocks, self.extents, self.problems
        BlockReader(text, self.box, category, self.ignored, self.lines, self.crop, depth, *found).read(start)
        return end


def unwrapped(text: str) -> str:
    """`text` on one line: a space for a line break, none between Chinese or Japanese characters."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    parts = lines[:1]
    for before, after in pairwise(lines):
        parts.append(between(before, after) + after)
    return "".join(parts)


def between(before: str, after: str) -> str:
    """Return what stands between two lines of one paragraph."""
    return "" if is_cjk(before[-1:]) and is_cjk(after[:1]) else " "
