"""The rows of text at an edge of the page, from the edge inwards, and what is measured of each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import median

import numpy as np

from docparse.layout.chained import chained
from docparse.layout.text.groups import Group
from docparse.layout.text.wording import PAGE_NUMBER, YEAR, page_of
from docparse.types import Box, union

WIDE = 0.6  # of the print's width: a stroke so wide may set running heads off
FLAT = 2.0  # points: the ends of a stroke that runs across differ by less
NEXT = 3  # gaps further in that show how far apart paragraphs stand
FAR = 20.0  # em, at most, in which distances are told
UNKNOWN = 0.5  # the share of capitals where there are no letters

ENDINGS = (".", ":", ";", "?", ",", "!", "。", "：", "；", "，")  # of sentences
DOTTED = re.compile(rf"^[•·]\s?(?!{YEAR.pattern}\D)(\d{{1,4}})\s?[•·](?!\w)")  # the number of a page, between dots
STAMP = re.compile(
    r"downloaded (?:from|by|on)|download date|all rights reserved|\bcopyright (?:©|\d{4}|by\b)|©|\(c\) \d{4}|"
    r"https?://|www\.|\bdoi\b|issn|"
    r"\bvol(?:ume|\.)?\s*\d|\bno\.\s*\d|published (?:by|online|in)|creative commons|terms of use|for personal use|"
    r"accepted manuscript|preprint|arxiv:\d|confidential|\bpage \d|open access|freely available",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class EdgeRow:
    """Groups side by side, from left to right."""

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

    def page_numbers(self, *, alone: bool) -> list[int]:
        """Return what the number of the page may be: a part of the row, no year if it has to stand `alone`, else its
        first or last word too; Roman ones too."""
        words = self.text.split()
        beside = [] if alone else [*words[:1], *words[-1:]]
        parts = (group.text for group in self.numbers if not (alone and YEAR.fullmatch(group.text)))
        said = [*parts, *DOTTED.findall(self.text), *filter(is_page_number, beside)]
        return [number for text in said if (number := number_in(text))]

    def share(self, style: str) -> float:
        """Share of characters, 0..1, whose word has the flag `style`."""
        styled = sum(group.share(style) * group.characters for group in self.groups)
        return styled / sum(max(1, group.characters) for group in self.groups)


@dataclass(frozen=True)
class Edge:
    """One horizontal edge of the page. `content` is the box of all that is printed, `others` are tables and pictures,
    `strokes` are float [n, 4] in points, `lines` counts those of all text, `later` is 1 where a number at either edge
    says that this is not the first page, -1 where it says that it is, else 0; `numbered` says that the last row at the
    foot is a number alone."""

    foot: bool
    rows: Sequence[EdgeRow]
    page: Box
    content: Box
    others: Sequence[Box]
    strokes: np.ndarray
    body: float
    lines: int
    later: int
    numbered: bool

    def inner(self, index: int) -> EdgeRow | None:
        """Return the next row inwards, if any."""
        return self.rows[index + 1] if index + 1 < len(self.rows) else None

    def measures(self, index: int, outer: int) -> dict[str, float]:
        """Return what is known of a row, by name, as numbers; `outer` rows beyond it are furniture."""
        row, inner = self.rows[index], self.inner(index)
        return {
            "foot": self.foot,
            "outer": outer,
            "later": self.later,
            "landscape": self.page.width > self.page.height,
            "lines of the page": min(100, self.lines),
            **self._place(row),
            **self._room(index, row),
            **self._look(row),
            **self._words(row),
            **self._after(row, inner),
        }

    def _place(self, row: EdgeRow) -> dict[str, float]:
        """Return where it stands on the sheet and in the print."""
        box, page, content = row.box, self.page, self.content
        outside, inside = (page.y1 - box.y1, page.y1 - box.y0) if self.foot else (box.y0 - page.y0, box.y1 - page.y0)
        reach = content.y1 - box.y0 if self.foot else box.y1 - content.y0

        def em(length: float) -> float:
            return min(FAR, length / self.body)

        return {
            "outside": outside / page.height,
            "inside": inside / page.height,
            "depth": reach / page.height,
            "left": em(box.x0 - content.x0),
            "right": em(content.x1 - box.x1),
            "off centre": em(abs(box.center[0] - content.center[0])),
            "width": box.width / max(1.0, content.width),
        }

    def _room(self, index: int, row: EdgeRow) -> dict[str, float]:
        """The white space and the strokes between it and what is next to it inwards."""
        box, inner = row.box, self.inner(index)
        size = max(4.0, row.size)
        nearest = self._free(box)
        gap = self._gap(box, inner.box) if inner else nearest
        further = [self._free(next_.box) for next_ in self.rows[index + 1 : index + 1 + NEXT]]
        usual = max(median(further or [0.5 * self.body]), 0.2 * self.body)
        stroke = self._stroke(box, inner.box if inner else None)
        return {
            "gap": min(FAR, nearest / size),
            "gap of the page": nearest / self.page.height,
            "apart": min(FAR, nearest / usual),
            "gap of the column": min(FAR, self._free(box, column=True) / size),
            "over a float": nearest < gap,
            "stroke": min(FAR, stroke / size),
        }

    def _look(self, row: EdgeRow) -> dict[str, float]:
        return {
            "size": min(4.0, row.size / self.body),
            "bold": row.share("bold"),
            "italic": row.share("italic"),
            "tinted": row.share("tinted"),
            "lines": min(4, row.lines),
            "pieces": len(row.groups),
        }

    def _words(self, row: EdgeRow) -> dict[str, float]:
        text = row.text.strip()
        words, letters = text.split(), [char for char in text if char.isalpha()]
        return {
            "characters": min(250, len(text)),
            "capitals": sum(map(str.isupper, letters)) / len(letters) if letters else UNKNOWN,
            "letters": len(letters) / max(1, len(text)),
            "digits": sum(map(str.isdigit, text)) / max(1, len(text)),
            "numbers": len(row.numbers),
            "number": PAGE_NUMBER.fullmatch(text) is not None,
            "first": is_page_number(words[0]) if words else False,
            "last": is_page_number(words[-1]) if words else False,
            "stamp": STAMP.search(text) is not None,
            "ends": text.endswith(ENDINGS),
            "small": text[:1].islower(),
            "marked": any(group.marker is not None for group in row.groups),
        }

    def _after(self, row: EdgeRow, inner: EdgeRow | None) -> dict[str, float]:
        """Return what the text next to it looks like."""
        if inner is None:
            return dict.fromkeys(("alike", "next size", "next bold", "next lines", "next small", "next marked"), -1.0)
        first = min(inner.groups, key=lambda group: group.box.x0)
        return {
            "alike": first.lines[0].main.font == row.groups[0].lines[0].main.font,
            "next size": min(4.0, inner.size / self.body),
            "next bold": first.share("bold"),
            "next lines": min(6, inner.lines),
            "next small": first.text[:1].islower(),
            "next marked": first.marker is not None,
        }

    def _gap(self, box: Box, other: Box) -> float:
        """White space, in points, between a box and one further in."""
        return box.y0 - other.y1 if self.foot else other.y0 - box.y1

    def _free(self, box: Box, *, column: bool = False) -> float:
        """White space, in points, between a box and the next text, table or picture inwards, in its `column` or
        anywhere; as high as the page over none."""
        others = (other for other in self._printed if not column or other.overlap_x(box) > 0)
        gaps = (self._gap(box, other) for other in others)
        return min((gap for gap in gaps if gap > -FLAT), default=self.page.height)

    @cached_property
    def _printed(self) -> list[Box]:
        return [*(group.box for row in self.rows for group in row.groups), *self.others]

    def _stroke(self, box: Box, inner: Box | None) -> float:
        """Return how far, in points, a wide stroke is from a box that it sets off; infinite if none does."""
        y = self._wide[:, 1]
        away = box.y0 - y if self.foot else y - box.y1
        end = float("inf") if inner is None else self._gap(box, inner) + FLAT
        between = np.flatnonzero((away > -0.5 * box.height) & (away < end))
        nearest = between[np.argsort(np.abs(away[between]))].tolist()
        free = (abs(float(away[k])) for k in nearest if not self._begins_frame(*self._wide[k]))
        return next(free, float("inf"))

    @cached_property
    def _wide(self) -> np.ndarray:
        """Return float [n, 4]: the wide strokes that run across."""
        x0, y0, x1, y1 = self.strokes.T
        return self.strokes[(np.abs(y1 - y0) < FLAT) & (x1 - x0 > WIDE * self.content.width)]

    @cached_property
    def _sides(self) -> np.ndarray:
        """Return float [n, 2]: where upright strokes stand and where their outer ends are, sorted by these ends."""
        upright = self.strokes[np.abs(self.strokes[:, 2] - self.strokes[:, 0]) < FLAT]
        sides = upright[:, [0, 3 if self.foot else 1]]
        return sides[np.argsort(sides[:, 1])]

    def _begins_frame(self, x0: float, y0: float, x1: float, y1: float) -> bool:
        """Return whether strokes run inwards from both ends of one that runs across, as the sides of a frame do."""
        y = y1 if self.foot else y0
        first, last = np.searchsorted(self._sides[:, 1], (y - FLAT, y + FLAT))
        near = self._sides[first:last]
        level = near[np.abs(near[:, 1] - y) < FLAT, 0]
        return all((np.abs(level - x) < FLAT).any() for x in (x0, x1))


def edge_rows(groups: Sequence[Group], *, foot: bool) -> list[EdgeRow]:
    """Return groups in rows from an edge inwards; those beside the outermost one of a row form it."""
    ordered = sorted(groups, key=lambda g: -g.box.y1 if foot else g.box.y0)
    rows = chained(ordered, lambda row, group: row[0].box.is_level(group.box))
    return [EdgeRow(sorted(row, key=lambda g: g.box.x0)) for row in rows]


def is_page_number(text: str) -> bool:
    """Return whether it may be the number of a page: one letter may as well be a word, and a year is that of a date."""
    numbered = PAGE_NUMBER.fullmatch(text) is not None and not YEAR.fullmatch(text)
    return numbered and (len(text) > 1 or text.isdecimal())


def number_in(text: str) -> int:
    """Return the first number in it, as of "F-22" or "3 / 12", else a Roman one; 0 where it is none."""
    digits = re.search(r"\d+", text)
    return int(digits[0]) if digits else page_of(re.sub(r"\W", "", text).lower())
