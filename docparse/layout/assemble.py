"""Words, regions, tables and pictures of one page put together into blocks in reading order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import msgspec
import numpy as np

from docparse.layout.classify import PageStyle, categorise, list_marker, page_style
from docparse.layout.formula.part import parted
from docparse.layout.furniture import find_furniture
from docparse.layout.groups import EXACT, NOISY, Group, groups_of
from docparse.layout.inline import spans_of
from docparse.layout.lines import EXACT_SPACING, NOISY_SPACING, Line, lines_of, snapped, steadied
from docparse.layout.order import reading_order
from docparse.layout.pictures import SURE, find_pictures, swallowed
from docparse.layout.region import Region
from docparse.layout.words import Word
from docparse.pdf.content import PageContent, PageImage, TextQuality
from docparse.settings import Settings
from docparse.types import Block, Box, Category, Source, Span, Spans

CROP_MARGIN = 2.0  # points around a picture or formula


@dataclass
class Assembler:
    """One page on its way from words to blocks."""

    content: PageContent
    words: Sequence[Word]
    regions: Sequence[Region]
    source: Source
    settings: Settings

    def __post_init__(self) -> None:
        self.tables: list[Block] = []
        self.formulas: list[Block] = []
        self.rulings = np.zeros((0, 4), np.float32)
        self._blocks: tuple[Block, ...] = ()

    def find_tables(self, rulings: np.ndarray) -> None:
        """Take the words of tables out of the running text."""
        from docparse.layout.tables import find_tables

        self.rulings = rulings
        upright = [word for word in self.words if word.angle == 0]
        found = find_tables(upright, rulings, self.regions, self.content.box)
        taken = {id(upright[i]) for table in found for i in table.words}
        self.words = [word for word in self.words if id(word) not in taken]
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

    @property
    def _noisy(self) -> bool:
        """Sizes and baselines were measured, not stored."""
        return self.source == "ocr" or self.content.quality is TextQuality.OCR_LAYER

    def _spans(self, lines: Sequence[Line]) -> Spans:
        return spans_of(lines, scripts=self.settings.formulas and not self._noisy, rulings=self.rulings)

    def find_formulas(self) -> None:
        """Take the words of displayed formulas out of the running text; only where boxes and sizes are exact."""
        if self.source == "ocr" or self.content.quality is not TextQuality.GOOD or not self.settings.formulas:
            return
        from docparse.layout.formula import find_formulas

        figures = [r.box for r in self.regions if r.category is Category.PICTURE and r.score > SURE]
        upright = [w for w in self.words if w.angle == 0 and not any(box.holds(*w.box.center) for box in figures)]
        found = find_formulas(upright, self.regions, self.rulings, self.content.box, _body_size(upright))
        taken = {id(upright[i]) for formula in found for i in formula.words}
        self.words = [word for word in self.words if id(word) not in taken]
        self.formulas = [
            Block(
                category=Category.FORMULA,
                box=formula.box.rounded(),
                spans=self._formula_spans(formula.latex, [upright[i] for i in formula.words]),
                confidence=round(formula.confidence, 3),
                source=self.source,
            )
            for formula in found
        ]

    def _formula_spans(self, latex: str | None, words: Sequence[Word]) -> Spans:
        """LaTeX; else nothing, as a picture of the formula says it better, or its words if there are no pictures."""
        if latex is not None:
            return (Span(latex, math=True),)
        return (Span(" ".join(word.text for word in words)),) if self.settings.images == "none" else ()

    def blocks(self) -> tuple[Block, ...]:
        """All blocks of the page, furniture included, in reading order."""
        page = self.content.box
        noisy = self._noisy
        lines = lines_of([word for word in self.words if word.angle == 0], NOISY_SPACING if noisy else EXACT_SPACING)
        if noisy:
            lines = snapped([steadied(line) for line in lines], 0.2 if self.source == "ocr" else 0.35)
        turned = [Line((word,)) for word in self.words if word.angle]
        boxes = [table.box for table in self.tables]
        pictures = find_pictures(self.regions, self.content.images, boxes, lines, page)
        labels: list[list[Line]] = [[] for _ in pictures]
        running = []
        for line in lines:
            picture = swallowed(line, pictures)
            (running if picture is None else labels[picture]).append(line)
        groups = groups_of(running, self.regions, self.rulings, NOISY if noisy else EXACT)
        groups = parted(groups, [formula.box for formula in self.formulas]) + [Group([line]) for line in turned]
        style = page_style(groups, page, noisy=noisy)
        floats = boxes + pictures
        furniture = find_furniture(groups, floats, page, style.body, self.rulings)
        body = [self._text(g, style, floats) for i, g in enumerate(groups) if i not in furniture]
        body += (
            self.tables
            + [formula for formula in self.formulas if not any(formula.box.inside(box) > 0.7 for box in pictures)]
            + [self._picture(box, label) for box, label in zip(pictures, labels, strict=True)]
        )
        edges = [self._furniture(groups[i], category) for i, category in furniture.items()]
        rtl = sum(line.rtl for line in lines) > len(lines) / 2
        order = reading_order([block.box for block in body], em=style.body, rtl=rtl)
        ordered = [body[i] for i in order]
        top = [b for b in edges if b.category is Category.PAGE_HEADER]
        bottom = [b for b in edges if b.category is Category.PAGE_FOOTER]
        self._blocks = self._with_images([*_sorted(top), *ordered, *_sorted(bottom)])
        return self._blocks

    def crops(self, image_of: Callable[[PageContent], PageImage]) -> dict[str, bytes]:
        """PNG bytes of every picture and unreadable formula, by the name its block carries."""
        assets = {}
        for block in self._blocks:
            if block.image:
                assets[block.image] = png(image_of(self.content).crop(block.box.padded(CROP_MARGIN)))
        return assets

    def _text(self, group: Group, style: PageStyle, floats: Sequence[Box]) -> Block:
        category = categorise(group, style, floats, self.rulings)
        if category is Category.FORMULA and not self._noisy:
            category = Category.TEXT  # displayed formulas are no longer among the lines
        block = self._block(group, category, self._spans(group.lines))
        if category is Category.LIST_ITEM:
            marker = list_marker(group)
            block = msgspec.structs.replace(block, marker=marker, spans=_without_marker(block.spans, marker))
        return block

    def _furniture(self, group: Group, category: Category) -> Block:
        return self._block(group, category, self._spans(group.lines))

    def _block(self, group: Group, category: Category, spans: Spans) -> Block:
        return Block(
            category=category,
            box=group.box.rounded(),
            spans=spans,
            font_size=round(group.size, 2),
            bold=group.share("bold") > 0.9,
            confidence=round(group.confidence, 3),
            source=self.source,
        )

    def _picture(self, box: Box, labels: list[Line]) -> Block:
        return Block(category=Category.PICTURE, box=box.rounded(), spans=self._spans(labels), source="layout")

    def _with_images(self, blocks: list[Block]) -> tuple[Block, ...]:
        """Give every block that needs a crop the name of its image file."""
        if self.settings.images == "none":
            return tuple(blocks)
        counts: dict[str, int] = {}
        named = []
        for block in blocks:
            kind = {Category.PICTURE: "figure", Category.FORMULA: "formula"}.get(block.category)
            if kind and not (kind == "formula" and block.spans and all(span.math for span in block.spans)):
                counts[kind] = counts.get(kind, 0) + 1
                name = f"page-{self.content.number:04d}-{kind}-{counts[kind]}.png"
                block = msgspec.structs.replace(block, image=name)
            named.append(block)
        return tuple(named)


def _body_size(words: Sequence[Word]) -> float:
    """The size of most characters, in points."""
    weights: dict[float, int] = {}
    for word in words:
        weights[word.size] = weights.get(word.size, 0) + len(word.text)
    return max(weights, key=lambda size: weights[size], default=10.0)


def _sorted(blocks: Sequence[Block]) -> list[Block]:
    return sorted(blocks, key=lambda b: (b.box.y0, b.box.x0))


def _without_marker(spans: Spans, marker: str) -> Spans:
    first = spans[0]
    rest = msgspec.structs.replace(first, text=first.text.removeprefix(marker).lstrip())
    return (rest, *spans[1:]) if rest.text else spans[1:]


def png(pixels: np.ndarray) -> bytes:
    """PNG bytes of uint8 RGB pixels."""
    import io

    from PIL import Image

    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, "PNG", optimize=False)
    return buffer.getvalue()
