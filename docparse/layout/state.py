"""A page on its way from words to blocks: what every stage gets and gives on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType

import numpy as np

from docparse.layout.engines import Engines
from docparse.layout.kinds.style import PageStyle, page_style
from docparse.layout.ocr.region import Region
from docparse.layout.tagged.plan import NO_PLAN, Plan
from docparse.layout.text.groups import Group
from docparse.layout.text.lines import Line
from docparse.layout.text.words import Word
from docparse.pdf.content import PageContent, PageImage, TextQuality, no_boxes
from docparse.settings import Settings
from docparse.types import Block, Box, Category, Source

NO_PARAGRAPHS = np.empty((0, 3))  # as PageState has them


@dataclass(frozen=True, kw_only=True)
class PageState:
    """The knowledge of a page so far. A stage returns the next state and changes nothing in the one it got:
    lists become tuples here, and dictionaries are for reading.

    `ocr` says that the words are to come from the pixels, `source` where they did come from, and `unreadable`, in one
    line, that OCR could not read them; for `unread_lines` it had no time. `plan` is what the structure tree says of the
    words, `structure` whether it is believed, and `places` are where its tables and formulas stand in its order.
    `words` are those that no code, table or formula has taken, `rulings` float32 [n, 4] strokes in points, `panels`
    float32 [n, 4] coloured boxes but for those that shade a paragraph of a cell, `shapes` float32 [n, 4] boxes seen in
    pixels, `frames` the boxes of cards and panels, `plots` those of drawings and charts, `captioned` those of figures
    with a caption, `charts` those of plots with axes and all that is printed at these. `lines` is the running text;
    `figures` are the blocks of `pictures`, with the words printed in them. `categories` and `texts` go with `groups`,
    one each; `furniture` are the running headers and footers among them, by index. `blocks` is the page in reading
    order, and `assets` are PNG bytes by the names that blocks give.
    """

    content: PageContent
    engines: Engines
    ocr: bool = False
    source: Source = "text-layer"
    unreadable: str = ""
    unread_lines: int = 0
    plan: Plan = NO_PLAN
    structure: str = "untagged"
    places: Sequence[tuple[Block, tuple[int, int]]] = ()
    words: Sequence[Word] = ()
    regions: Sequence[Region] = ()
    rulings: np.ndarray = field(default_factory=no_boxes)
    panels: np.ndarray = field(default_factory=no_boxes)
    shapes: np.ndarray = field(default_factory=no_boxes)
    frames: Sequence[Box] = ()
    plots: Sequence[Box] = ()
    captioned: Sequence[Box] = ()
    charts: Sequence[Box] = ()
    code: Sequence[Block] = ()
    tables: Sequence[Block] = ()
    pictures: Sequence[Box] = ()
    formulas: Sequence[Block] = ()
    lines: Sequence[Line] = ()
    figures: Sequence[Block] = ()
    groups: Sequence[Group] = ()
    style: PageStyle | None = None
    furniture: Mapping[int, Category] = field(default_factory=dict)
    categories: Sequence[Category] = ()
    texts: Sequence[Block] = ()
    blocks: Sequence[Block] = ()
    assets: Mapping[str, bytes] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # else a stage that changes a list in place takes words from the state that its own is compared with
        for name, value in vars(self).items():
            if isinstance(value, list):
                object.__setattr__(self, name, tuple(value))
            elif isinstance(value, dict):
                object.__setattr__(self, name, MappingProxyType(value))

    @property
    def settings(self) -> Settings:
        return self.engines.settings

    @property
    def is_tagged(self) -> bool:
        """Return whether a structure tree is believed."""
        return self.structure == "tagged"

    @property
    def noisy(self) -> bool:
        """Return whether sizes and baselines were measured on pixels, not stored in the file."""
        return self.source == "ocr" or self.content.quality is TextQuality.OCR_LAYER

    def image(self, finer: int = 1) -> PageImage:
        """Return the page as OCR sees it, or in pixels so many times finer."""
        return self.content.render(finer * self.engines.ocr_dpi(self.content))

    @property
    def upright(self) -> list[Word]:
        """Return the words that run from left to right or right to left."""
        return [word for word in self.words if word.angle == 0]

    @property
    def floats(self) -> list[Box]:
        """Tables and pictures: what captions stand by."""
        return [table.box for table in self.tables] + list(self.pictures)

    @cached_property
    def paragraphs(self) -> np.ndarray:
        """Return float [n, 3]: where the groups of several lines begin and end from left to right, and their sizes."""
        found = [(group.box.x0, group.box.x1, group.size) for group in self.groups if len(group.lines) > 1]
        return np.array(found, float) if found else NO_PARAGRAPHS

    @property
    def page_style(self) -> PageStyle:
        """Return the style of the page; a common one where none could be measured."""
        return self.style or page_style((), self.content.box)

    @property
    def has_variables(self) -> bool:
        """Return whether letters in italics are variables: the page has formulas, and no names in typewriter type, the
        arguments of which are set so in manuals. Addresses are no names."""
        names = (word for line in self.lines for word in line.words if word.mono and not {"@", "/"} & {*word.text})
        return len(self.formulas) > 0 and next(names, None) is None

    @property
    def body(self) -> list[Block]:
        """Return the blocks of the page but running headers and footers, in no order."""
        running = [text for i, text in enumerate(self.texts) if i not in self.furniture]
        return [*running, *self.code, *self.tables, *self.formulas, *self.figures]

    def framed(self, body: Sequence[Block]) -> list[Block]:
        """Return `body` between the headers of the page and its footers."""
        edges = sorted((self.texts[i] for i in self.furniture), key=lambda block: (block.box.y0, block.box.x0))
        headers = [block for block in edges if block.category is Category.PAGE_HEADER]
        footers = [block for block in edges if block.category is Category.PAGE_FOOTER]
        return [*headers, *body, *footers]
