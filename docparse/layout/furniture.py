"""Furniture: running headers, footers, page numbers and stamps, which are not part of the text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from docparse.layout.classify import list_marker
from docparse.layout.groups import Group
from docparse.types import Box, Category, union

ZONE = 0.12  # share of the page height in which a header or footer may stand
SURE = 0.55  # score from which the detector's word is enough
LONGEST = 160  # characters: furniture rows are short

PAGE_NUMBER = re.compile(
    r"\W*(?:p(?:age|g|\.)?\s*)?(?:\d{1,5}|[ivxlc]{1,7}|[A-Z]-?\d{1,3})(?:\s*(?:/|of|von|de)\s*\d{1,5})?\W*",
    re.IGNORECASE,
)
STAMP = re.compile(
    r"downloaded (?:from|by|on)|download date|all rights reserved|copyright|©|\(c\) \d{4}|https?://|www\.|\bdoi\b|issn|"
    r"\bvol(?:ume|\.)?\s*\d|\bno\.\s*\d|published (?:by|online|in)|creative commons|terms of use|for personal use|"
    r"accepted manuscript|preprint|arxiv:\d|confidential|\bpage \d|open access|freely available",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Edge:
    """One horizontal edge of the page: its rows from the edge inwards. `content` is the box of all that is printed."""

    category: Category
    rows: list[list[Group]]
    page: Box
    content: Box
    body_size: float

    def depth(self, row: Sequence[Group]) -> float:
        """How far the row reaches into the printed area, as a share of its height."""
        box = union(group.box for group in row)
        inner = box.y1 - self.content.y0 if self.category is Category.PAGE_HEADER else self.content.y1 - box.y0
        return inner / max(0.4 * self.page.height, self.content.height)

    def gap(self, index: int) -> float:
        """White space, in points, between a row and the next one inwards."""
        if index + 1 >= len(self.rows):
            return float("inf")
        row, inner = (union(group.box for group in r) for r in self.rows[index : index + 2])
        return inner.y0 - row.y1 if self.category is Category.PAGE_HEADER else row.y0 - inner.y1


def find_furniture(
    groups: Sequence[Group], others: Sequence[Box], page: Box, body_size: float, rulings: np.ndarray
) -> dict[int, Category]:
    """Which groups (by position) are running headers or footers. `others` are tables and pictures, never furniture."""
    found: dict[int, Category] = {}
    upright = [g for g in groups if g.lines[0].main.angle == 0]
    content = union([*(g.box for g in groups), *others]) if groups else page
    positions = {id(group): i for i, group in enumerate(groups)}
    for category in (Category.PAGE_HEADER, Category.PAGE_FOOTER):
        rows = _rows(upright, downward=category is Category.PAGE_HEADER)
        edge = Edge(category, rows, page, content, body_size)
        for index, row in enumerate(rows[:4]):
            if _beyond(row, others, edge) or not _is_furniture(edge, index, rulings):
                break
            found |= {positions[id(group)]: category for group in row}
    for i, group in enumerate(groups):
        box = group.box
        if group.lines[0].main.angle and (box.x1 < 0.1 * page.width or box.x0 > 0.9 * page.width):
            found[i] = Category.PAGE_HEADER  # a stamp along the margin
    return found


def _rows(groups: Sequence[Group], *, downward: bool) -> list[list[Group]]:
    """Groups side by side form one row; rows from the top (or the bottom) inwards."""
    rows: list[list[Group]] = []
    for group in sorted(groups, key=lambda g: g.box.y0 if downward else -g.box.y1):
        box = group.box
        for row in rows[-1:]:
            extent = union(g.box for g in row)
            if extent.overlap_y(box) > 0.5 * min(extent.height, box.height):
                row.append(group)
                break
        else:
            rows.append([group])
    return rows


def _beyond(row: Sequence[Group], others: Sequence[Box], edge: Edge) -> bool:
    """True where a table or picture lies further out than the row: then the row is content."""
    box = union(group.box for group in row)
    if edge.category is Category.PAGE_HEADER:
        return any(other.y1 < box.y0 and other.height > 0.1 * edge.page.height for other in others)
    return any(other.y0 > box.y1 and other.height > 0.1 * edge.page.height for other in others)


def _is_furniture(edge: Edge, index: int, rulings: np.ndarray) -> bool:
    """Judged from the outside in: the detector's word, a page number, a stamp, a line that stands apart."""
    row = edge.rows[index]
    text = " ".join(group.text for group in row)
    lines = max(len(group.lines) for group in row)
    if edge.depth(row) > 2 * ZONE or lines > 6 or len(text) > 2 * LONGEST or list_marker(row[0]):
        return False
    named = [group.region is not None and group.region.category is edge.category for group in row]
    if all(named) and min(group.region.score for group in row if group.region) > SURE:
        return True
    size = max(group.size for group in row)
    apart = edge.gap(index) > 0.9 * size or size < 0.85 * edge.body_size
    if STAMP.search(text) and apart and edge.depth(row) < 1.5 * ZONE and (lines <= 3 or size < 0.95 * edge.body_size):
        return True
    if len(text) > LONGEST or edge.depth(row) > ZONE:
        return False
    if PAGE_NUMBER.fullmatch(text) and (apart or index == 0):
        return True
    if any(PAGE_NUMBER.fullmatch(group.text) for group in row) and (len(row) > 1 or size < 1.25 * edge.body_size):
        return True
    if any(named):
        return True
    return (
        index == 0 and size < 1.25 * edge.body_size and len(edge.rows) > 2 and _stands_apart(edge, row, text, rulings)
    )


def _stands_apart(edge: Edge, row: Sequence[Group], text: str, rulings: np.ndarray) -> bool:
    """A short outermost line, cut off from the text by white space or a stroke, and not a sentence or heading."""
    size = max(group.size for group in row)
    if any(group.region and group.region.category not in (Category.TEXT, edge.category) for group in row):
        return False
    if sum(len(group.lines) for group in row) > 2 or text.rstrip().endswith((".", ":", ";", "?")):
        return False
    if edge.category is Category.PAGE_HEADER and all(group.share("bold") > 0.9 for group in row) and len(row) == 1:
        return False
    gap = edge.gap(0)
    box = union(group.box for group in row)
    inner = (box.y1, box.y1 + gap) if edge.category is Category.PAGE_HEADER else (box.y0 - gap, box.y0)
    stroke = len(rulings) and np.any(
        (np.abs(rulings[:, 1] - rulings[:, 3]) < 1) & (rulings[:, 1] >= inner[0] - 1) & (rulings[:, 1] <= inner[1] + 1)
        & (rulings[:, 2] - rulings[:, 0] > 0.25 * edge.page.width)
    )  # fmt: skip
    return bool(stroke) or gap > 1.2 * size
