"""Figures by their captions: what is drawn between a caption and the nearest text is one figure, its labels included.

As in pdffigures2 (Clark and Divvala, 2016): a caption says that there is a figure, the text around says how far it
reaches, and what is drawn in between says where it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mode

import numpy as np

from docparse.layout.chained import without
from docparse.layout.geometry import boxes_of, corners_of
from docparse.layout.pictures.find import BOLD, DISPLAY, SENTENCE, SMALLEST, goes_on, is_prose
from docparse.layout.text.lines import Line
from docparse.layout.text.wording import ABOUT, CAPTION, FIGURE, NOTE, count_words
from docparse.types import Box, union

SMALL, LARGE = 0.9, 1.05  # times the size of captions: single lines in type below are titles of charts, above headings
LEADING = 0.7  # em between two lines of a paragraph, at most
APART = 3.0  # em between the parts of a figure that stand over one another, and from them to the caption
REACH = 1.2  # em from what is drawn to a label
HOPS = 3  # tick label, title of the axis, letter of the plot
TOUCH = 3.0  # points between two strokes of a figure
MANY = 1000  # strokes of one figure, of which any two are compared
WIDE = 0.9  # share of a caption that a rule of its figure covers
PRINTED, BARE = 0.35, 0.15  # share of a figure that its labels fill at most; of one of straight strokes alone
NUMBERED = re.compile(r"\d{1,2}(\.\d{1,2}){0,3}\.? +[^\W\d_]{2}")  # a section's number and a word: no "0.5 1.0", "5 s"


def captioned_figures(
    lines: Sequence[Line], turned: Sequence[Line], drawn: Sequence[Box], panels: np.ndarray, rulings: np.ndarray
) -> list[Box]:
    """Return the boxes of the figures over and under their captions, in points. `drawn` are pictures and drawings;
    `panels` and `rulings` (float32 [n, 4]) make a figure of their own where little is printed between them. `turned`
    are the lines that run up or down."""
    captions = [line for line in lines if FIGURE.match(line.text) and not ABOUT.match(line.text)]
    if not captions:
        return []
    parts = [*drawn, *boxes_of(panels), *boxes_of(rulings)]
    page = _Page(lines, turned, captions, parts, len(drawn))
    found = (page.figure(*zone) for caption in captions for zone in page.zones(caption))
    return [box for box in found if box is not None and min(box.width, box.height) > SMALLEST]


@dataclass(frozen=True)
class _Page:
    lines: Sequence[Line]
    turned: Sequence[Line]
    captions: Sequence[Line]
    parts: Sequence[Box]  # what is drawn
    drawn: int  # the first so many of them are pictures and drawings

    def zones(self, caption: Line) -> list[tuple[Box, float]]:
        """Return the room over and under a caption, up to the nearest text or a rule as that at the caption, each with
        the size of the caption's type, below 0 for the room under it."""
        own = self._rules_at(caption)
        left, right = self._column(caption, own)
        box = caption.box
        column = Box(left, -1e4, right, 1e4)
        foot = self._foot(caption)
        walls = [line.box for line in self._walls(column, caption.size) if line is not caption]
        top = max((wall.y1 for wall in walls if wall.center[1] < box.y0), default=-1e4)
        end = min((wall.y0 for wall in walls if wall.center[1] > foot), default=1e4)
        alike = [rule.y0 for rule in self._rules() if any(_ends_alike(rule, other) for other in own)]
        over = max((y for y in alike if top < y < box.y0 - SMALLEST), default=top)
        under = min((y for y in alike if foot + SMALLEST < y < end), default=end)
        return [(Box(left, over, right, box.y0), caption.size), (Box(left, foot, right, under), -caption.size)]

    def _foot(self, caption: Line) -> float:
        """Return where the last line of a caption ends, of which `caption` is the first."""
        last = caption
        for line in sorted(self.lines, key=lambda line: line.box.y0):
            if line.box.y0 > last.box.y0 and goes_on(line, last, LEADING):
                last = line
        return last.box.y1

    def _column(self, caption: Line, rules: Sequence[Box]) -> tuple[float, float]:
        """Return where the column of the caption begins and ends: that of the nearest text it stands over or under,
        all text of the page where it stands between two columns. Where there are `rules` at the caption, it is as wide
        as these. It is cut at captions beside it."""
        box = caption.box
        text = [line for line in self.lines if line.size < DISPLAY * caption.size and line is not caption]
        prose = [line.box for line in text if count_words(line.text) >= SENTENCE]
        around = [other for other in prose if other.x0 < box.center[0] < other.x1]
        nearest = sorted(around, key=lambda other: abs(other.center[1] - box.center[1]))[:1]
        whole = union([box, *(rules or nearest or prose)])
        beside = [other.box for other in self.captions if other.box.overlap_y(box) > 0 and other is not caption]
        left = max([whole.x0, *((other.x1 + box.x0) / 2 for other in beside if other.x1 < box.x0)])
        return left, min([whole.x1, *((box.x1 + other.x0) / 2 for other in beside if other.x0 > box.x1)])

    def _rules(self) -> list[Box]:
        """Return the level strokes."""
        return [part for part in self.parts[self.drawn :] if part.height < 1]

    def _rules_at(self, caption: Line) -> list[Box]:
        """Return the rules right over and under a caption, which are as wide as its figure; an underline is not."""
        box, near = caption.box, caption.box.padded(caption.size)
        rules = [rule for rule in self._rules() if rule.overlap_x(box) > WIDE * box.width]
        return [rule for rule in rules if near.y0 < rule.y0 <= box.y0 or box.y1 <= rule.y0 < near.y1]

    def _walls(self, column: Box, size: float) -> list[Line]:
        """Return the lines of text in a column: captions, long lines, what goes on from them, but no chart titles."""
        own = [line for line in self.lines if line.box.overlap_x(column) > 0]
        long = [line for line in own if is_prose(line, column)]
        small = [line for line in long if line.size <= SMALL * size]
        prose = [line for line in long if line not in small or any(goes_on(line, other, LEADING) for other in long)]
        walls = new = [*(line for line in own if CAPTION.match(line.text) or NOTE.match(line.text)), *prose]
        while new:
            new = [line for line in without(own, walls) if any(goes_on(line, wall, LEADING) for wall in new)]
            walls = [*walls, *new]
        return walls

    def figure(self, zone: Box, size: float) -> Box | None:
        """Return the box of what is drawn in the zone, next to the caption at its foot (`size` above 0) or head."""
        inside = [i for i, part in enumerate(self.parts) if _lies_in(part, zone)]
        joined = _joined(corners_of(self.parts[i] for i in inside))
        inside = [i for i, is_joined in zip(inside, joined, strict=True) if is_joined]
        labels = self._labels([self.parts[i] for i in inside], zone, size)
        labels += [line for line in self.turned if _lies_in(line.box, zone)]
        boxes = [*(self.parts[i] for i in inside), *(label.box for label in labels)]
        edge = _last_edge(boxes, zone, size)
        kept = [i for i in inside if _is_within(self.parts[i], edge, size)]
        if not kept:
            return None
        core = union(self.parts[i] for i in kept)
        whole = core
        for _ in range(HOPS):
            near = (label.box for label in labels if label.box.padded(REACH * label.size).meets(whole))
            whole = union([whole, *near])
        printed = sum(line.box.intersection(core) for line in self.lines) / max(core.area, 1.0)
        return whole if printed < (PRINTED if kept[0] < self.drawn else BARE) else None

    def _labels(self, drawn: Sequence[Box], zone: Box, size: float) -> list[Line]:
        """Return the lines of a zone that may be labels: those in small type, what stands between the far end of what
        is `drawn` and the caption, where no heading can be, and lines in a font of these that is not the text's, but
        for those beyond that look like headings."""
        edges = [box.y0 if size > 0 else box.y1 for box in drawn]
        far = (min if size > 0 else max)(edges, default=zone.y1 if size > 0 else zone.y0)
        lines = [line for line in self.lines if line not in self.captions and _lies_in(line.box, zone)]
        text = [line for line in self.lines if count_words(line.text) >= SENTENCE]
        prose = mode(line.main.font for line in text or self.captions)
        inner = [line for line in (*lines, *self.turned) if _is_within(line.box, far, size)]
        fonts = {line.main.font for line in inner} - {prose}

        def may_be_label(line: Line) -> bool:
            between = line in inner and not (line in text and line.main.font == prose)
            return line.size < LARGE * abs(size) or between or (line.main.font in fonts and not _may_head(line))

        return list(filter(may_be_label, lines))


def _may_head(line: Line) -> bool:
    """Return whether a line is bold or begins with the number of a section, as headings do."""
    return line.share("bold") >= BOLD or NUMBERED.match(line.text) is not None


def _joined(parts: np.ndarray) -> np.ndarray:
    """Return bool [n]: which boxes have a width and a height, or touch one that does not run the same way, as the
    strokes of axes do and rules under headers do not. Where there are very many, all of them."""
    if len(parts) > MANY:
        return np.ones(len(parts), bool)
    x0, y0, x1, y1 = parts.T
    apart = np.maximum(x0[:, None] - x1, x0 - x1[:, None]), np.maximum(y0[:, None] - y1, y0 - y1[:, None])
    level, upright = y1 - y0 < 1, x1 - x0 < 1
    parallel = (level[:, None] & level) | (upright[:, None] & upright)
    touching = (np.maximum(*apart) < TOUCH) & ~parallel
    return touching.any(axis=1) | ~(level | upright)


def _ends_alike(one: Box, other: Box) -> bool:
    return abs(one.x0 - other.x0) < TOUCH and abs(one.x1 - other.x1) < TOUCH


def _lies_in(box: Box, zone: Box) -> bool:
    middle = zone.y0 < box.center[1] < zone.y1
    return middle and box.overlap_x(zone) >= 0.5 * box.width and box.y1 - zone.y1 < 0.1 * box.height + 2


def _last_edge(boxes: Sequence[Box], zone: Box, size: float) -> float:
    """Return where the boxes that follow one another from the caption on, without a gap, come to an end."""
    up = size > 0
    edge = -zone.y1 if up else zone.y0
    for near, far in sorted((-box.y1, -box.y0) if up else (box.y0, box.y1) for box in boxes):
        edge = max(edge, far) if near < edge + APART * abs(size) else edge
    return -edge if up else edge


def _is_within(box: Box, edge: float, size: float) -> bool:
    return box.y0 >= edge if size > 0 else box.y1 <= edge
