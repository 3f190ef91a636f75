"""Which rows of pages are running headers and footers, as the pages of one document tell of each other: what repeats at
one place, or counts them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from docparse.guard import Guard
from docparse.layout.engines import Engines
from docparse.layout.kinds.edges import Edge, EdgeRow
from docparse.layout.kinds.furniture import page_edges
from docparse.layout.text.groups import Group
from docparse.layout.text.wording import PAGE_NUMBER
from docparse.pdf.document import DocumentFile
from docparse.settings import Settings
from docparse.types import Box
from training.forests import grouped

ROWS = 3  # from an edge inwards, that may be examples
ALIKE = 3.0  # points by which a line that repeats moves up and down
STILL = 1.5  # the same where only the place repeats, not the words
ZONE = 0.15  # share of the page height in which rows behind the outermost one may be furniture
LONG = 160  # characters: a row with a page's number is shorter
LARGE = 1.25  # times the size of the text: titles of chapters stand at one place, too
OFTEN = 0.6  # of the pages, on which a row stands at one place


@dataclass(frozen=True)
class Sheet:
    """A page as `find_furniture` gets it."""

    number: int
    groups: Sequence[Group]
    others: Sequence[Box]
    page: Box
    body: float
    strokes: np.ndarray

    @property
    def edges(self) -> list[Edge]:
        return page_edges(self.groups, self.others, self.page, self.body, self.strokes)


def sheets_of(document: DocumentFile, first: int, pages: int) -> list[Sheet]:
    """Return page 1 and `pages` others from `first` on, those whose text layer can be trusted."""
    engines = Engines(Settings(ocr="off"), 1)
    found = []
    for number in sorted({1, *range(first, min(first + pages, document.pages + 1))}):
        state = grouped(document.page(number, guard=Guard()), engines, furniture=False)
        if state.content.quality == "good" and state.groups:
            style = state.page_style
            found.append(Sheet(number, state.groups, state.floats, state.content.box, style.body, state.rulings))
    return found


def labels(sheets: Sequence[Sheet]) -> list[dict[bool, list[bool | None]]]:
    """Return for each page and edge (is it the foot?) whether its rows are furniture, from the edge inwards up to the
    first that is not; None where the other pages do not say."""
    edges = [{edge.foot: edge for edge in sheet.edges} for sheet in sheets]
    found = []
    for sheet, own in zip(sheets, edges, strict=True):
        page = {}
        for foot, edge in own.items():
            peers = [(other.number - sheet.number, each[foot]) for other, each in zip(sheets, edges, strict=True)]
            peers = [(step, peer) for step, peer in peers if step]
            page[foot] = []
            for index in range(min(ROWS, len(edge.rows))):
                page[foot].append(_is_running(edge, index, peers))
                if not page[foot][-1]:
                    break
        found.append(page)
    return found


def _is_running(edge: Edge, index: int, peers: Sequence[tuple[int, Edge]]) -> bool | None:
    """Whether a row repeats, counts its page, or stands always at one place."""
    row = edge.rows[index]
    if index and not _is_near(edge, row):
        return False
    short, slide = row.lines <= 2 and len(row.text) < LONG, edge.page.width > edge.page.height
    number = PAGE_NUMBER.fullmatch(row.text) is not None
    alike = _pages(peers, 4, lambda other: _says_alike(row, other) and _is_level(edge, row, other, ALIKE))
    there = _pages(peers, 3, lambda other: _is_set_alike(row, other) and _is_level(edge, row, other, STILL))
    counted = sum(bool(_counts(row, step) & _counts_of(peer)) for step, peer in peers)
    if (alike >= 2 and row.lines <= 3) or (short and counted >= (3 if number else 4)):
        title_of_slide = alike >= 2 and slide and row.size > edge.body and not number
        return None if title_of_slide else _unless_title(edge, index)
    if number:
        return True if there >= 4 else None
    flows = short and not slide and edge.foot and sum(map(str.isalpha, row.text)) > 5  # pages as long as their text
    if flows and _pages(peers, 2, lambda other: words_of(row.text) == words_of(other.text)) >= 3:
        return True
    placed = row.lines == 1 and there >= max(4, OFTEN * len(peers)) and not slide and row.size < 1.3 * edge.body
    if placed and _is_apart(edge, index):
        return _unless_title(edge, index)
    return None if counted >= 2 or alike == 1 or (row.lines == 1 and there >= 2) else False


def _is_near(edge: Edge, row: EdgeRow) -> bool:
    reach = ZONE * edge.page.height
    return row.box.y0 > edge.page.y1 - reach if edge.foot else row.box.y1 < edge.page.y0 + reach


def _pages(peers: Sequence[tuple[int, Edge]], depth: int, fits: Callable[[EdgeRow], bool]) -> int:
    """On how many other pages one of the outermost rows fits."""
    return sum(any(map(fits, peer.rows[:depth])) for _, peer in peers)


def _unless_title(edge: Edge, index: int) -> bool | None:
    """Titles repeat, too: of chapters, of tables that go on, and of their parts."""
    row = edge.rows[index]
    digits = any(map(str.isdigit, row.text)) or PAGE_NUMBER.fullmatch(row.text) is not None
    chapter = not edge.foot and len(row.groups) == 1 and digits and row.size > LARGE * edge.body
    measures = edge.measures(index, outer=index)
    table = not edge.foot and not digits and measures["over a float"] and measures["gap"] < 3
    return None if chapter or table or row.text.rstrip().endswith((":", "：")) else True


def words_of(text: str) -> str:
    """Return what it says, but for its numbers, spaces and signs."""
    return re.sub(r"[\W\d_]+", "", text).lower()


def _says_alike(row: EdgeRow, other: EdgeRow) -> bool:
    """The same words, or a part of it the same."""
    parts = [{words_of(group.text) for group in each.groups} - {""} for each in (row, other)]
    return words_of(row.text) == words_of(other.text) or any(len(part) > 2 for part in parts[0] & parts[1])


def _is_level(edge: Edge, row: EdgeRow, other: EdgeRow, room: float) -> bool:
    return abs(row.box.y1 - other.box.y1) < room if edge.foot else abs(row.box.y0 - other.box.y0) < room


def _is_set_alike(row: EdgeRow, other: EdgeRow) -> bool:
    first, second = row.groups[0].lines[0].main, other.groups[0].lines[0].main
    return other.lines == 1 and abs(row.size - other.size) < 0.1 and first.font == second.font


def _is_apart(edge: Edge, index: int) -> bool:
    measures = edge.measures(index, outer=index)
    unlike = not measures["alike"] or abs(measures["next size"] - measures["size"]) > 0.02
    return measures["gap"] > (1 if unlike else 2)


def _counts(row: EdgeRow, step: int = 0) -> set[int]:
    """What the number of the page may be, `step` pages on."""
    return {number + step for number in row.page_numbers(alone=False)} if len(row.text) < LONG else set()


def _counts_of(edge: Edge) -> set[int]:
    return {count for row in edge.rows[:2] for count in _counts(row)}
