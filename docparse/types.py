"""The nouns every room shares: boxes, spans, tables, blocks, regions, pages, documents.

All are frozen `msgspec.Struct`s, so one definition gives the type, the JSON form in both directions and the
published JSON Schema. Lengths are points (1/72 inch) in *page space*: origin at the top left of the page as a
person holds it (after /Rotate and orientation correction), y pointing down.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from itertools import groupby, islice, takewhile
from operator import attrgetter
from typing import Any, Literal, TypeVar

import msgspec

from docparse.boxes import Box, corners, union  # noqa: F401 (every room has them from here)

Kind = TypeVar("Kind", bound=msgspec.Struct)
BULLETS = "•◦▪▫■□█●○◎・‣⁃∙➢➤►▶✓✔❖◆◇⋄♦◯⚫⚪\u20dd➔→❑❒"  # that are printed before list items and hardly anywhere else
ICONS = "\U000f8000-\U000f80ff"  # the codes that icons get, which no font uses: they are no text, but may be bullets
SIGNS = "·–—−*⋆-+§⇒"  # that are also printed before list items
BOXES = "☐☑☒"  # to tick


class Category(StrEnum):
    """The category of a block: the eleven classes of DocLayNet (Pfitzmann et al., 2022), spelled as dots.ocr spells
    them, and code."""

    TITLE = "Title"
    SECTION_HEADER = "Section-header"
    TEXT = "Text"
    LIST_ITEM = "List-item"
    TABLE = "Table"
    PICTURE = "Picture"
    CAPTION = "Caption"
    CODE = "Code"
    FORMULA = "Formula"
    FOOTNOTE = "Footnote"
    PAGE_HEADER = "Page-header"
    PAGE_FOOTER = "Page-footer"

    @property
    def is_heading(self) -> bool:
        """A title or the heading of a section."""
        return self in (Category.TITLE, Category.SECTION_HEADER)

    @property
    def is_furniture(self) -> bool:
        """Running headers and footers: not part of the text that a person reads."""
        return self in (Category.PAGE_HEADER, Category.PAGE_FOOTER)


Source = Literal["text-layer", "ocr", "layout", "vlm"]  # who read a block's words


class Span(msgspec.Struct, frozen=True, omit_defaults=True):
    """A piece of running text. `math` spans hold LaTeX without dollar signs; all others hold plain Unicode.

    `code` marks a name or command that is set in a monospaced font within text in another one.
    """

    text: str
    math: bool = False
    bold: bool = False
    italic: bool = False
    code: bool = False


Spans = tuple[Span, ...]


def plain(spans: Spans) -> str:
    """Return the characters of `spans` without any markup."""
    return "".join(span.text for span in spans)


class Cell(msgspec.Struct, frozen=True, omit_defaults=True):
    """One cell of a table, listed where it starts. `row` and `column` are 0-based grid positions."""

    row: int
    column: int
    spans: Spans = ()
    rowspan: int = 1
    colspan: int = 1
    header: bool = False


class Table(msgspec.Struct, frozen=True):
    """A grid of cells; every grid position is covered by at most one cell, cells are in row-major order."""

    rows: int
    columns: int
    cells: tuple[Cell, ...]

    @property
    def has_spans(self) -> bool:
        return any(cell.rowspan > 1 or cell.colspan > 1 for cell in self.cells)

    def repeats(self, other: Table) -> int:
        """Return how many rows at the top say what the header of `other` does, or its first row: printed once more."""
        header = max((cell.row for cell in other.cells if cell.header), default=0) + 1
        pairs = islice(zip(self._said(), other._said(), strict=False), header)
        return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))

    def _said(self) -> Iterator[list[tuple[int, str]]]:
        for _, row in groupby(self.cells, attrgetter("row")):
            yield [(cell.column, plain(cell.spans)) for cell in row]


class Block(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One element of a page in reading order: a heading, a paragraph, a table, a figure, ...

    `level` is the heading level (1..6), the nesting depth of a list item (0..), or of text, code and formulas how many
    list items they stand in. The text of code keeps its line breaks and indentation, other text the line breaks that
    the writer set, as in verse and addresses. `marker` is a list item's own marker as printed ("•", "3.", "(a)") or a
    footnote's mark. `image` names the crop saved for a picture or for a formula nobody could read. `font_size` is in
    points, 0 where unknown. `continues` says that the block's first words carry on the previous text block of the
    document (a paragraph cut by a column or page break), or its rows the previous table. `full` says that the last of
    its lines reaches as far as the others, as one does that goes on.
    `level_known` says that the file itself tells the level, so nobody need guess it.
    `tokens` is how many tokens a vision-language model wrote for the block, `draft_tokens` how many of those it only
    confirmed, as a draft had proposed them.
    """

    category: Category
    box: Box
    spans: Spans = ()
    table: Table | None = None
    level: int = 0
    marker: str = ""
    image: str = ""
    font_size: float = 0.0
    bold: bool = False
    continues: bool = False
    full: bool = False
    level_known: bool = False
    confidence: float = 1.0
    source: Source = "text-layer"
    tokens: int = 0
    draft_tokens: int = 0

    def __repr__(self) -> str:
        text = self.text
        return f"<Block {self.category}: {text[:60]!r}{'...' * (len(text) > 60)}>"

    @property
    def text(self) -> str:
        return plain(self.spans)


class PrunedView(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Visual tokens of one view of a page's picture: `kept` of `total` stayed, structural ones aside. `figures` say how
    the method came to that number."""

    total: int
    kept: int
    figures: dict[str, float] = {}


class Decoding(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The record of how a vision-language model wrote a page.

    `tokens` of output, of which `accepted` were drafts, by source in `accepted_by_source`, in `steps` verification
    passes; `ending` is how it stopped. `regions` is how many region crops were decoded first, with their tokens and
    steps apart. `resized` says, where the page's picture had to be made smaller for the model, from what to what.
    `visual_tokens` are those of the prompt; `pruned` says of each view of the page what a method left of it. `chosen`
    says which methods `accel` `auto` took for the page, and why.
    """

    accel: str = "none"
    chosen: str = ""
    prompt_tokens: int = 0
    visual_tokens: int = 0
    tokens: int = 0
    steps: int = 0
    accepted: int = 0
    accepted_by_source: dict[str, int] = {}
    ending: Literal["stop", "length", "loop", "interrupted", "memory"] = "stop"
    regions: int = 0
    region_tokens: int = 0
    region_steps: int = 0
    resized: str = ""
    pruned: tuple[PrunedView, ...] = ()

    @property
    def aal(self) -> float:
        """Average acceptance length: accepted draft tokens per verification step, over all steps of the page stage."""
        return self.accepted / self.steps if self.steps else 0.0


class Page(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One page as read: its blocks in reading order, how it was read, and what it cost.

    `number` is 1-based. `width` and `height` are points. `rotation` is the clockwise turn in degrees that made the page
    upright, `skew` the lean in degrees that was taken out of a scan after that. `seconds` is per stage. A page that
    failed has `status="failed"`, a one-line `error`, and no blocks; it is never left out. With `last` it stands for all
    pages from `number` to that one. `status="partial"` is a page of which something may be missing: `error` says what
    and why, and its blocks are what there is. `structure` says whether the structure tree of a tagged PDF was followed:
    "tagged", "untagged" where there is none, or "ignored: " and the reason.
    """

    number: int
    last: int = 0
    width: float
    height: float
    blocks: tuple[Block, ...] = ()
    status: Literal["ok", "partial", "failed"] = "ok"
    engine: str = "pipeline"
    text_quality: str = "none"
    structure: str = "untagged"
    rotation: int = 0
    skew: float = 0.0
    seconds: dict[str, float] = {}
    decoding: Decoding | None = None
    warnings: tuple[str, ...] = ()
    error: str = ""
    error_category: str = ""

    def __repr__(self) -> str:
        return f"<Page {self.number}: {self.status}, {len(self.blocks)} blocks>"

    @property
    def label(self) -> str:
        """`page 7`, or `pages 7-12`."""
        return page_label(self.number, self.last)


def page_label(first: int, last: int) -> str:
    """Return `page 7`, or `pages 7-12` where `last` is behind `first`."""
    return f"pages {first}-{last}" if last > first else f"page {first}"


class DocumentInfo(msgspec.Struct, frozen=True, kw_only=True):
    """Facts about a document, known before any page is read."""

    name: str
    sha256: str
    pages: int


def converted(value: object, kind: type[Kind], **changes: Any) -> Kind:
    """Return a `kind` with `changes` and what `value` has under the names of its other fields."""
    same = {name: getattr(value, name) for name in kind.__struct_fields__ if hasattr(value, name)}
    return kind(**same | changes)
