"""Furniture: running headers, footers, page numbers and stamps, which are not part of the text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from docparse.layout.chained import chained
from docparse.layout.kinds.running_heads import is_head
from docparse.layout.text.groups import Group
from docparse.layout.text.items import raised_mark
from docparse.layout.text.wording import CAPTION, NOTE, PAGE_NUMBER, YEAR
from docparse.pdf.content import NO_STROKES
from docparse.pdf.slants import HUGE
from docparse.types import Box, Category, union

ZONE = 0.12  # share of the page height in which a header or footer may stand
RUNNING = 2  # lines of a running head or foot: more are a paragraph beside a number
ABREAST = 4  # pieces that stand side by side in a running line: left, middle, right, and a number
LONGEST = 160  # characters: furniture rows are short
MARGIN = 0.13  # share of the page height in which a line may be furniture that nothing but its place speaks for
TOP, CLEAR = 0.08, 1.8  # share of the page height over a line, and em to the text, that are no part of it
COVER = 12  # lines: a page with fewer, and large type, is a cover or a title page
FILLED = 0.7  # share of the page height: a footer stands below that
LARGE, SMALL = 1.15, 0.93  # times the body size: titles are larger, furniture is often smaller
TITLE = 1.5  # times the body size: a line so large is no furniture, whatever stands beside it
SUNK = 8.0  # times the body size of white over a title, at least, on covers
ASIDE = 0.1  # share of the page width in which text that runs up or down the page is a stamp
WIDE, ENDS = 0.7, 3.0  # of the print's width: a stroke so wide may set running heads off; points between equal ends

ENDINGS = (".", ":", ";", "?", ",", "!")  # of sentences
FOLIO = re.compile(r"^\d{1,4}\s+[^\W\d]|[^\W\d]\s+\d{1,4}$|^\d{1,4}\s*[•·|]|[•·|]\s*\d{1,4}$")
NUMBERED = re.compile(r"^(?:page )?(\d{1,4})\s+[^\W\d]|[^\W\d]\s+(\d{1,4})$", re.IGNORECASE)
STAMP = re.compile(
    r"downloaded (?:from|by|on)|download date|all rights reserved|\bcopyright (?:©|\d{4}|by\b)|©|\(c\) \d{4}|"
    r"https?://|www\.|\bdoi\b|issn|"
    r"\bvol(?:ume|\.)?\s*\d|\bno\.\s*\d|published (?:by|online|in)|creative commons|terms of use|for personal use|"
    r"accepted manuscript|preprint|arxiv:\d|confidential|\bpage \d|open access|freely available",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Row:
    """Groups side by side."""

    groups: Sequence[Group]

    @cached_property
    def box(self) -> Box:
        return union(group.box for group in self.groups)

    @cached_property
    def text(self) -> str:
        return " ".join(group.text for group in self.groups)

    @property
    def lines(self) -> int:
        return max(len(group.lines) for group in self.groups)

    @cached_property
    def size(self) -> float:
        return max(group.size for group in self.groups)

    @cached_property
    def numbers(self) -> list[Group]:
        """Return the groups that may be the number of a page."""
        return [group for group in self.groups if PAGE_NUMBER.fullmatch(group.text)]


@dataclass(frozen=True)
class Edge:
    """One horizontal edge of the page: its rows from the edge inwards. `content` is the box of all that is printed."""

    foot: bool
    rows: list[Row]
    page: Box
    content: Box
    body_size: float
    largest: float  # size of paragraphs: on a page of references some are larger than most text
    bare: bool  # its outermost line belongs to a title, or so little is printed that nothing runs on
    later: bool  # its other edge has the number of a page that is not the first
    stroke: float | None  # y of a stroke that sets running lines off from the text

    def depth(self, row: Row) -> float:
        """Return how far the row reaches into the printed area, as a share of its height."""
        inner = self.content.y1 - row.box.y0 if self.foot else row.box.y1 - self.content.y0
        return inner / max(0.4 * self.page.height, self.content.height)

    def gap(self, index: int) -> float:
        """White space, in points, between a row and the next one inwards."""
        if index + 1 >= len(self.rows):
            return float("inf")
        row, inner = self.rows[index].box, self.rows[index + 1].box
        return row.y0 - inner.y1 if self.foot else inner.y0 - row.y1

    @property
    def is_apart(self) -> bool:
        """Return whether the gap behind the first row is wider than those between the next paragraphs."""
        inner = sorted(self.gap(k) for k in range(1, min(7, len(self.rows) - 1)))
        usual = inner[len(inner) // 2] if inner else 0.0
        return self.gap(0) > max(1.25 * usual, 0.3 * self.body_size)

    def is_beyond(self, row: Row) -> bool:
        """Return whether a stroke runs between the row and the text."""
        middle = row.box.center[1]
        return self.stroke is not None and (middle > self.stroke if self.foot else middle < self.stroke)

    def in_margin(self, row: Row) -> bool:
        """Return whether the row lies where books print their running heads, measured on the sheet."""
        margin = MARGIN * self.page.height
        return row.box.y0 > self.page.y1 - margin if self.foot else row.box.y1 < self.page.y0 + margin


def find_furniture(
    groups: Sequence[Group], others: Sequence[Box], page: Box, body_size: float, strokes: np.ndarray = NO_STROKES
) -> dict[int, Category]:
    """Return which groups (by position) are running headers or footers. `others` are tables and pictures, never
    furniture; `strokes` are float [n, 4] in points."""
    found = {i: Category.PAGE_HEADER for i, group in enumerate(groups) if _is_stamped(group, page, body_size)}
    upright = [group for group in groups if group.lines[0].main.angle == 0]
    content = union([*(group.box for group in groups), *others]) if groups else page
    titles = [group for group in groups if group.size >= TITLE * body_size]
    cover = titles and not others and sum(len(group.lines) for group in groups) < COVER
    largest = max([body_size, *(group.size for group in upright if len(group.lines) > RUNNING)])
    positions = {id(group): i for i, group in enumerate(groups)}
    above, below = _setting_off(strokes, others, page, content)
    named = any(title.box.y1 < (above or 0.0) for title in titles if title.lines[0].main.angle == 0)
    for foot in (True, False):  # the number at the foot may be large; one at the top may be a chapter's
        rows = _rows(upright, downward=not foot)
        large = {id(title) for title in titles if not (foot and PAGE_NUMBER.fullmatch(title.text))}
        modest = [[group for group in row if id(group) not in large] or row for row in rows]
        later = any(_is_later(groups[i].text) for i in found)
        sunk = not (foot or later) and _is_far_over_title(rows, body_size)
        bare = bool(cover and not (foot and any(group.is_item for group in groups))) or sunk
        bare |= bool(rows) and len(modest[0]) < len(rows[0])
        stroke = below if foot else None if named and not later else above  # or it is under the name of a paper
        plain = [[group for group in row if not (foot and _is_note(group))] or row for row in modest]
        edge = Edge(foot, list(map(Row, plain)), page, content, body_size, largest, bare, later, stroke)
        category = Category.PAGE_FOOTER if foot else Category.PAGE_HEADER
        for index, row in enumerate(edge.rows[:4]):
            if not _is_furniture(edge, index):
                break
            found |= {positions[id(group)]: category for group in row.groups}
    if len(found) == len(groups) and not others:  # nothing would be left of the page
        return {i: category for i, category in found.items() if PAGE_NUMBER.fullmatch(groups[i].text)}
    return found


def _is_far_over_title(rows: Sequence[Sequence[Group]], body_size: float) -> bool:
    """The name of who publishes it, high over the title on a cover: running heads stand over text."""
    if len(rows) < 2 or min(group.size for group in rows[1]) < TITLE * body_size:
        return False
    return min(g.box.y0 for g in rows[1]) - max(g.box.y1 for g in rows[0]) > SUNK * body_size


def _is_stamped(group: Group, page: Box, body_size: float) -> bool:
    """A stamp that runs up or down the edge of the page, or a watermark, in huge type, over it."""
    box, huge = group.box, group.size > HUGE * body_size
    along = box.x1 < ASIDE * page.width or box.x0 > (1 - ASIDE) * page.width
    return bool(group.lines[0].main.angle) and (along or huge)


def _setting_off(
    strokes: np.ndarray, others: Sequence[Box], page: Box, content: Box
) -> tuple[float | None, float | None]:
    """The y of wide strokes in the upper and in the lower margin that stand by no table, unless more of them part the
    text: they underline headings."""
    x0, y0, x1, y1 = strokes.T
    wide = strokes[(x1 - x0 > WIDE * content.width) & (y1 - y0 < x1 - x0)].tolist()
    free = [each for each in wide if not any(Box(*each).meets(other.padded(ENDS)) for other in others)]
    upper = [each for each in free if each[1] < page.y0 + MARGIN * page.height]
    lower = [each for each in free if each[1] > page.y1 - MARGIN * page.height]
    inner = [each for each in free if each not in upper and each not in lower]

    def alone(ends: list[list[float]]) -> list[float]:
        return [a[1] for a in ends if not any(max(abs(a[0] - b[0]), abs(a[2] - b[2])) < ENDS for b in inner)]

    return max(alone(upper), default=None), min(alone(lower), default=None)


def _rows(groups: Sequence[Group], *, downward: bool) -> list[list[Group]]:
    """Groups beside the outermost one form a row with it; rows from the top (or the bottom) inwards."""

    def beside(row: list[Group], group: Group) -> bool:
        outermost = row[0].box
        return outermost.overlap_y(group.box) > 0.5 * min(outermost.height, group.box.height)

    return chained(sorted(groups, key=lambda g: g.box.y0 if downward else -g.box.y1), beside)


def _is_furniture(edge: Edge, index: int) -> bool:
    """Judged from the outside in: a page number, a stamp, a line that stands apart."""
    row = edge.rows[index]
    number = PAGE_NUMBER.fullmatch(row.text)
    if edge.foot and not number and row.box.y1 < edge.page.y0 + FILLED * edge.page.height:
        return False  # the end of the text, with white under it
    if edge.depth(row) > 2 * ZONE or len(row.text) > 2 * LONGEST or (edge.bare and YEAR.fullmatch(row.text)):
        return False
    beside = not edge.foot and len(row.groups) > 1  # "§ 12.4" and the title of a code: no note
    named = any(CAPTION.match(group.text) or (NOTE.match(group.text) and not beside) for group in row.groups)
    noted = any(group.is_entry or (edge.foot and _is_note(group)) for group in row.groups)
    marked = (group.marker for group in row.groups[: None if edge.foot else 1])  # beside a name at the top a section's
    if named or noted or (any(marker and not marker.doubtful for marker in marked) and not number):
        return False
    outermost = index == 0 and not edge.bare
    return (
        _is_stamp(edge, index)
        or _has_page_number(edge, index)
        or (outermost and (_is_folio(edge, row) or _is_over_sentence(edge, row)))
        or (outermost and len(edge.rows) > 2 and _stands_apart(edge, row))
        or _is_set_off(edge, row)
    )


def _is_note(group: Group) -> bool:
    """A footnote under its raised number."""
    return raised_mark(group.lines[0]).isdecimal()


def _is_set_off(edge: Edge, row: Row) -> bool:
    """A short row beyond a stroke, in no larger type than the text; at the foot it may be larger, and high on later
    pages, which may have little but the small type of a table, twice as large, if no paragraph is beyond the stroke."""
    high = edge.later and row.box.y1 < edge.page.y0 + TOP * edge.page.height
    high = high and all(each is row or each.lines == 1 for each in filter(edge.is_beyond, edge.rows))
    most = (2 if high else TITLE if edge.foot else LARGE) * edge.body_size
    return edge.is_beyond(row) and row.lines <= RUNNING and row.size <= most and len(row.text) <= LONGEST


def _is_over_sentence(edge: Edge, row: Row) -> bool:
    """The outermost line of a page whose text goes on under it in the middle of a sentence."""
    if edge.foot or len(edge.rows) < 2 or row.lines > 1:
        return False
    across = sorted(row.groups, key=lambda group: group.box.x0)
    text = min(edge.rows[1].groups, key=lambda group: group.box.x0).lines
    return is_head([group.lines[0] for group in across], text)


def _is_stamp(edge: Edge, index: int) -> bool:
    """The words of publishers: download notes, addresses, volume and issue; also right over a running head."""
    row = edge.rows[index]
    numbered = index + 1 < len(edge.rows) and edge.rows[index + 1].numbers
    apart = edge.gap(index) > 0.9 * row.size or row.size < 0.85 * edge.body_size or numbered
    short = row.lines == 1 and row.size <= LARGE * edge.body_size  # paragraphs speak of addresses and numbers, too
    placed = row.size < 0.95 * edge.body_size or (short and edge.in_margin(row))
    return bool(apart and placed and edge.depth(row) < 1.5 * ZONE and STAMP.search(row.text))


def _has_page_number(edge: Edge, index: int) -> bool:
    """One number; a page has it once, so a scale along the edge is none."""
    row = edge.rows[index]
    if row.size >= TITLE * edge.body_size and not edge.foot:  # the number of a chapter
        return False
    if len(row.text) > LONGEST or edge.depth(row) > ZONE or any(outer.numbers for outer in edge.rows[:index]):
        return False
    if PAGE_NUMBER.fullmatch(row.text):
        return edge.gap(index) > 0.9 * row.size or index == 0
    most = 2 * TITLE * edge.body_size if edge.foot else 1.25 * edge.largest
    few = len(row.numbers) == 1 and len(row.groups) <= ABREAST and row.lines <= RUNNING
    return few and row.numbers[0].size <= most


def _is_folio(edge: Edge, row: Row) -> bool:
    """The outermost line of a page, in the margin and apart: a title that begins or ends with the page's number."""
    plain = row.lines == 1 and len(row.text) < LONGEST / 3 and not row.text.rstrip().endswith(ENDINGS)
    modest = row.size <= 1.05 * edge.body_size and all(group.share("bold") < 0.9 for group in row.groups)
    return bool(FOLIO.search(row.text)) and plain and modest and edge.in_margin(row) and edge.is_apart


def _stands_apart(edge: Edge, row: Row) -> bool:
    """A short outermost line in the margin, cut off from the text by white space, and no sentence."""
    text, size, first, several = row.text, row.size, row.groups[0], len(row.groups) > 1
    if row.lines > RUNNING or len(row.groups) >= ABREAST or text.rstrip().endswith(ENDINGS):
        return False
    unlike = len(text) > LONGEST or not any(map(str.isalpha, text))
    if unlike or size > LARGE * edge.body_size or edge.depth(row) > ZONE:
        return False
    outer = edge.later and _ends_at_right(edge, row)
    if outer and several:  # a title at either side, also where the sheet is cut larger than the book
        return edge.gap(0) > size
    small = size < SMALL * edge.body_size
    bold = not several and first.share("bold") > 0.9 and not outer and not (small and edge.foot)
    lonely = edge.foot and edge.gap(0) > 3 * size
    distinct = small or lonely or several or outer or first.share("italic") > 0.9 or _is_over_text(edge, row)
    return distinct and not bold and edge.in_margin(row) and edge.gap(0) > 1.2 * size


def _is_over_text(edge: Edge, row: Row) -> bool:
    """Return whether a line at the left, high on a later page, is clear of text that goes on from the page before."""
    box = row.groups[0].box
    high = box.y1 < edge.page.y0 + TOP * edge.page.height and edge.gap(0) > CLEAR * row.size
    return edge.later and not edge.foot and high and box.x0 < edge.content.x0 + row.size and row.text[0].isupper()


def _is_later(text: str) -> bool:
    """Return whether this is, or begins or ends with, the number of a page that is not the first."""
    if PAGE_NUMBER.fullmatch(text):
        return re.findall(r"\d+|[ivxlc]+", text, re.IGNORECASE)[0] not in "1i"
    found = NUMBERED.search(text)
    number = (found[1] or found[2]) if found else ""
    return bool(number) and not YEAR.fullmatch(number) and int(number) > 1


def _ends_at_right(edge: Edge, row: Row) -> bool:
    """Return whether the last piece of a row stands at the right edge of all that is printed, clear of its middle, and
    what is before it, if anything, begins at the left edge."""
    pieces = sorted((group.box for group in row.groups), key=lambda box: box.x0)
    left = len(pieces) == 1 or pieces[0].x0 < edge.content.x0 + row.size
    return left and pieces[-1].x0 > edge.content.center[0] and pieces[-1].x1 > edge.content.x1 - row.size
