"""Elements with a label and a box: what DeepSeek-OCR, Chandra, granite-docling and MinerU have in common."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from docparse.models.dialects.elements import read_element
from docparse.models.dialects.reader import BlockReader
from docparse.models.family import Frame, Reading
from docparse.types import Block, Box, Category, union

_NAME = re.compile(r"[a-z_]+[0-9]?")
_NUMBER = re.compile(r"\d+")
_WORDS = {  # words of a label, the first that is in it counts
    "caption": Category.CAPTION,
    "footnote": Category.FOOTNOTE,
    "page_number": Category.PAGE_FOOTER,
    "page_footer": Category.PAGE_FOOTER,
    "footer": Category.PAGE_FOOTER,
    "section_header": Category.SECTION_HEADER,
    "sub_title": Category.SECTION_HEADER,
    "page_header": Category.PAGE_HEADER,
    "header": Category.PAGE_HEADER,
    "title": Category.TITLE,
    "list": Category.LIST_ITEM,
    "equation": Category.FORMULA,
    "formula": Category.FORMULA,
    "table_of_contents": Category.TEXT,
    "table": Category.TABLE,
    "otsl": Category.TABLE,
    "image": Category.PICTURE,
    "picture": Category.PICTURE,
    "figure": Category.PICTURE,
    "diagram": Category.PICTURE,
    "chart": Category.PICTURE,
    "code": Category.CODE,
    "algorithm": Category.CODE,
    "text": Category.TEXT,
}


def category_of(label: str) -> Category | None:
    """What a label says, None for one that nobody knows."""
    name = label.strip().lower().replace("-", "_")
    if not _NAME.fullmatch(name):
        return None
    return next((category for word, category in _WORDS.items() if word in name), None)


def label_of(category: Category, labels: Mapping[Category, str]) -> str:
    """The label that a model has for a category: its own name in lower case where `labels` has none."""
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
        """Each match of `begin` and where the next one starts; words before the first are read as Markdown."""
        found = list(begin.finditer(self.text))
        ends = [*(match.start() for match in found), len(self.text) if end is None else end]
        if self.text[: ends[0]].strip():
            self.problems.append(f"words before the first {what}: read as Markdown")
            self.take(BlockReader(self.text[: ends[0]], self.frame.box).read(), 0, ends[0])
        self.boxed = bool(found) or not self.text.strip()
        yield from zip(found, ends[1:], strict=True)

    def take(self, reading: Reading, begin: int, end: int) -> None:
        """Keep the blocks of `reading`, which together reach from `begin` to `end`."""
        starts = [begin, *(start for start, _ in reading.extents[1:])]
        for block, start, stop in zip(reading.blocks, starts, [*starts[1:], end], strict=False):
            self.blocks.append(block)
            self.extents.append((start, stop))
        self.problems += reading.problems

    def inside(self, start: int, end: int, category: Category, box: Box, *, items_in_text: bool = False) -> Reading:
        """The blocks of `text[start:end]`; extents are positions in `text`."""
        inner = read_element(self.text[start:end], category, box, items_in_text=items_in_text)
        return replace(inner, extents=tuple((start + first, start + last) for first, last in inner.extents))

    def box(self, numbers: str) -> Box | None:
        """The box of four numbers, or of several such boxes together; None where there is none."""
        values = [int(value) for value in _NUMBER.findall(numbers)]
        boxes = [values[i : i + 4] for i in range(0, len(values) - 3, 4)]
        grid = Frame(self.frame.box, self.grid, self.grid)
        return union(grid.to_page(*box) for box in boxes) if boxes else None

    def read(self) -> Reading:
        """All that was kept."""
        return Reading(tuple(self.blocks), tuple(self.extents), self.boxed, tuple(self.problems))


def on_grid(box: Box, frame: Frame, grid: int) -> list[int]:
    """A box in whole steps of a grid over the picture."""
    return [min(grid, max(0, round(value))) for value in Frame(frame.box, grid, grid).to_pixels(box)]
