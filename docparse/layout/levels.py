"""Heading levels: from section numbers where headings have them, else from sizes, without gaps in the hierarchy."""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from docparse.types import Block

ALIKE = 0.07  # sizes within this share of each other are one level
DEEPEST = 6
FIRST = 2  # level of the outermost headings; 1 is kept for the title
DECIMAL = re.compile(r"(\d+(?:\.\d+)*)\.?\s+\S")
ROMAN = re.compile(r"[IVX]+\.?\s+\S")
LETTER = re.compile(r"[A-Z]\.\s+\S")


class HeadingStyle(NamedTuple):
    """What ranks a heading: its size in points, its weight, and the depth its number says (0: no number)."""

    size: float
    bold: bool
    depth: int


def heading_style(block: Block) -> HeadingStyle:
    return HeadingStyle(round(2 * block.font_size) / 2, block.bold, number_depth(block.text))


def number_depth(text: str) -> int:
    """1 for "3 Results" and "IV. Results", 2 for "3.1 Data" and "A. Data", 0 where there is no number."""
    decimal = DECIMAL.match(text)
    if decimal:
        parts = decimal.group(1).split(".")
        return len(parts) if int(parts[0]) < 100 else 0  # years are no section numbers
    if ROMAN.match(text):
        return 1
    return 2 if LETTER.match(text) else 0


class HeadingLevels:
    """Ranks styles against each other, then walks the headings in order and gives levels."""

    def __init__(self, styles: Counter[HeadingStyle]) -> None:
        self._anchors = _anchors(styles)
        self._sizes = _clusters(style.size for style in styles if style.depth == 0)
        self._open: list[int] = []

    def title(self) -> int:
        self._open = []
        return 1

    def level(self, style: HeadingStyle) -> int:
        """The level of the next heading; never more than one deeper than the heading before."""
        rank = self._rank(style)
        while self._open and self._open[-1] >= rank:
            self._open.pop()
        self._open.append(rank)
        return min(DEEPEST, FIRST - 1 + len(self._open))

    def _rank(self, style: HeadingStyle) -> int:
        """Depth of the style in the whole document, from 0; only the order of ranks matters."""
        if style.depth:
            return style.depth
        for depth, (size, bold) in sorted(self._anchors.items()):
            if bold == style.bold and abs(size - style.size) <= ALIKE * size:
                return depth  # "References" among numbered sections
        if self._anchors:
            return 1 + max((d for d, (size, _) in self._anchors.items() if size > style.size), default=-1)
        return 1 + sum(size > (1 + ALIKE) * style.size for size in self._sizes)


def _anchors(styles: Counter[HeadingStyle]) -> dict[int, tuple[float, bool]]:
    """For each depth of numbers the size and weight that most headings of that depth have."""
    anchors: dict[int, tuple[float, bool]] = {}
    for style, _ in sorted(styles.items(), key=lambda item: (item[1], item[0])):
        if style.depth:
            anchors[style.depth] = (style.size, style.bold)
    return anchors


def _clusters(sizes) -> list[float]:
    """Sizes that differ clearly, largest first."""
    result: list[float] = []
    for size in sorted(set(sizes), reverse=True):
        if not result or size < (1 - ALIKE) * result[-1]:
            result.append(size)
    return result
