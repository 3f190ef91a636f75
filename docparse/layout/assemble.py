"""Words, regions, tables and pictures of one page put together into blocks in reading order."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import msgspec
import numpy as np

from docparse.layout.classify import PageStyle, categorise, marker_of, page_style
from docparse.layout.contents import entries_apart
from docparse.layout.formula import FoundFormula, find_formulas, find_scanned_formulas, parted
from docparse.layout.furniture import find_furniture
from docparse.layout.groups import EXACT, NOISY, Group, groups_of
from docparse.layout.inline import spans_of
from docparse.layout.items import without_marker
from docparse.layout.lines import EXACT_SPACING, NOISY_SPACING, Line, lines_of, snapped, steadied
from docparse.layout.order import ranked, reading_order
from docparse.layout.pictures import find_pictures, labels_apart
from docparse.layout.region import Region
from docparse.layout.stacked import gathered
from docparse.layout.tables import FoundTable, find_tables
from docparse.layout.turned import turned_lines
from docparse.layout.words import Word
from docparse.pdf.content import PageContent, PageImage, TextQuality
from docparse.settings import Settings
from docparse.types import Block, Box, Category, Source, Span, Spans, plain

CROP_MARGIN = 2.0  # points around a picture or formula
CROPPED = {Category.PICTURE: "figure", Category.FORMULA: "formula"}
SNAP_OCR, SNAP_LAYER = 0.2, 0.35  # by what share measured sizes jitter: our OCR, OCR layers found in files


@dataclass
class Assembler:
    """One page on its way from words to blocks: tables and formulas take their words, the rest is running text."""

    content: PageContent
    words: Sequence[Word]
    regions: Sequence[Region]
    rulings: np.ndarray
    source: Source
    settings: Settings
    tables: list[Block] = field(default_factory=list)
    pictures: list[Box] = field(default_factory=list)
    formulas: list[Block] = field(default_factory=list)

    @property
    def noisy(self) -> bool:
        """Sizes and baselines were measured on pixels, not stored."""
        return self.source == "ocr" or self.content.quality is TextQuality.OCR_LAYER

    def take_tables(self) -> None:
        upright = self._upright()
        found = find_tables(upright, self.rulings, self.regions, self.content.box)
        self._take(upright, found)
        self.tables = [
            Block(
                category=Category.TABLE,
                box=table.box.rounded(),
                table=table.table,
                confidence=round(table.confidence, 3),
                source=self.source,
            )
            for table in found
        ]

    def place_pictures(self) -> None:
        """Where the figures are; their words are parted from the text later, line by line."""
        detected = any(region.category is Category.PICTURE for region in self.regions)
        if detected or self.content.images:
            tables = [table.box for table in self.tables]
            self.pictures = find_pictures(self.regions, self.content.images, tables, self._lines(), self.content.box)

    def take_formulas(self) -> None:
        """Displayed formulas outside figures: as LaTeX where boxes and sizes are exact, else as pictures."""
        if not self.settings.formulas:
            return
        upright = [word for word in self._upright() if not any(box.holds(*word.box.center) for box in self.pictures)]
        if self.noisy:
            found = find_scanned_formulas(upright, self.regions)
        else:
            found = find_formulas(upright, self.regions, self.rulings, self.content.box, _body_size(upright))
        self._take(upright, found)
        self.formulas = [self._formula(formula, upright) for formula in found]

    def blocks(self) -> tuple[Block, ...]:
        """All blocks of the page in reading order: headers, body, footers."""
        page, lines = self.content.box, self._lines()
        if self.settings.formulas and not self.noisy:
            lines = gathered(lines, self.rulings)
        running, labels = labels_apart(lines, self.pictures)
        groups = groups_of(running, self.regions, self.rulings, NOISY if self.noisy else EXACT)
        groups = parted(groups, [formula.box for formula in self.formulas])
        groups = entries_apart(groups) + [Group([line]) for line in turned_lines(self.words)]
        style = page_style(groups, page, noisy=self.noisy)
        floats = [table.box for table in self.tables] + self.pictures
        furniture = find_furniture(groups, floats, page, style.body, self.rulings)
        body = [self._text(group, style, floats) for i, group in enumerate(groups) if i not in furniture]
        body += self.tables + self.formulas
        body += [self._picture(box, label) for box, label in zip(self.pictures, labels, strict=True)]
        rtl = sum(line.rtl for line in lines) > len(lines) / 2
        ordered = [body[i] for i in self._order([block.box for block in body], style.body, rtl)]
        edges = sorted(
            (self._block(groups[i], category) for i, category in furniture.items()),
            key=lambda block: (block.box.y0, block.box.x0),
        )
        headers = [block for block in edges if block.category is Category.PAGE_HEADER]
        footers = [block for block in edges if block.category is Category.PAGE_FOOTER]
        blocks = [*headers, *ordered, *footers]
        return tuple(blocks) if self.settings.images == "none" else _with_images(blocks, self.content.number)

    def _order(self, boxes: Sequence[Box], em: float, rtl: bool) -> list[int]:
        """Reading order of the body; strokes inside tables and pictures part nothing."""
        strokes = self.rulings
        for box in (table.box.padded(2) for table in self.tables):
            inside = (strokes >= (box.x0, box.y0, box.x0, box.y0)) & (strokes <= (box.x1, box.y1, box.x1, box.y1))
            strokes = strokes[~inside.all(axis=1)]
        return ranked(boxes, reading_order(boxes, em=em, rtl=rtl, strokes=strokes), self.regions)

    def _upright(self) -> list[Word]:
        return [word for word in self.words if word.angle == 0]

    def _take(self, words: Sequence[Word], found: Sequence[FoundTable] | Sequence[FoundFormula]) -> None:
        """Remove the words that were found to be something from the running text."""
        taken = {id(words[i]) for item in found for i in item.words}
        self.words = [word for word in self.words if id(word) not in taken]

    def _lines(self) -> list[Line]:
        """What is still running text, in lines."""
        if not self.noisy:
            return lines_of(self._upright(), EXACT_SPACING)
        lines = [steadied(line) for line in lines_of(self._upright(), NOISY_SPACING)]
        return snapped(lines, SNAP_OCR if self.source == "ocr" else SNAP_LAYER)

    def _text(self, group: Group, style: PageStyle, floats: Sequence[Box]) -> Block:
        category = categorise(group, style, floats, self.rulings)
        block = self._block(group, category)
        marker = marker_of(group, category)
        return msgspec.structs.replace(block, marker=marker, spans=without_marker(block.spans, marker))

    def _block(self, group: Group, category: Category) -> Block:
        scripts = self.settings.formulas and not self.noisy
        return Block(
            category=category,
            box=group.box.rounded(),
            spans=spans_of(group.lines, scripts=scripts, rulings=self.rulings),
            font_size=round(group.size, 2),
            bold=group.share("bold") > 0.9,
            confidence=round(group.confidence, 3),
            source=self.source,
        )

    def _formula(self, formula: FoundFormula, words: Sequence[Word]) -> Block:
        """LaTeX where it could be read, else its words as plain text, which go beside a picture of it."""
        if formula.latex is not None:
            spans: Spans = (Span(formula.latex, math=True),)
        else:
            spans = (Span(" ".join(words[i].text for i in formula.words)),) if formula.words else ()
        return Block(
            category=Category.FORMULA,
            box=formula.box.rounded(),
            spans=spans,
            confidence=round(formula.confidence, 3),
            source=self.source,
        )

    def _picture(self, box: Box, labels: list[Line]) -> Block:
        words = unicodedata.normalize("NFKC", plain(spans_of(labels, scripts=False)))  # 𝐸 in a plot is an E
        spans = (Span(words),) if words else ()
        return Block(category=Category.PICTURE, box=box.rounded(), spans=spans, source="layout")


def crops(blocks: Sequence[Block], image: Callable[[], PageImage]) -> dict[str, bytes]:
    """PNG bytes of every picture and every formula without LaTeX, by the name its block carries."""
    named = [block for block in blocks if block.image]
    return {block.image: _png(image().crop(block.box.padded(CROP_MARGIN))) for block in named}


def _with_images(blocks: Sequence[Block], page: int) -> tuple[Block, ...]:
    """Every block that needs a crop gets the name of its image file."""
    counts: dict[str, int] = {}

    def named(block: Block) -> Block:
        kind = CROPPED.get(block.category)
        if not kind or any(span.math for span in block.spans):
            return block
        counts[kind] = counts.get(kind, 0) + 1
        return msgspec.structs.replace(block, image=f"page-{page:04d}-{kind}-{counts[kind]}.png")

    return tuple(named(block) for block in blocks)


def _body_size(words: Sequence[Word]) -> float:
    """Size in points of most characters; 10 where there are none."""
    weight: dict[float, int] = {}
    for word in words:
        weight[word.size] = weight.get(word.size, 0) + len(word.text)
    return max(weight, key=lambda size: (weight[size], size), default=10.0)


def _png(pixels: np.ndarray) -> bytes:
    """PNG bytes of uint8 RGB pixels."""
    import io

    from PIL import Image

    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, "PNG")
    return buffer.getvalue()
