"""Boxes in page space: where things stand on a page, in points from its top left corner, y pointing down."""

from __future__ import annotations

from operator import attrgetter

import msgspec


class Box(msgspec.Struct, frozen=True, array_like=True):
    """An axis-aligned rectangle in page space, `[x0, y0, x1, y1]` in points."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def width(self) -> float:
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        return self.y1 - self.y0

    @property
    def area(self) -> float:
        return max(0.0, self.width) * max(0.0, self.height)

    @property
    def center(self) -> tuple[float, float]:
        return (self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2

    def __or__(self, other: Box) -> Box:
        """The smallest box that holds both."""
        return Box(min(self.x0, other.x0), min(self.y0, other.y0), max(self.x1, other.x1), max(self.y1, other.y1))

    def __and__(self, other: Box) -> Box:
        """The common part; its area is 0 where the boxes are disjoint."""
        return Box(max(self.x0, other.x0), max(self.y0, other.y0), min(self.x1, other.x1), min(self.y1, other.y1))

    def intersection(self, other: Box) -> float:
        """Common area in square points."""
        if self.x0 >= other.x1 or other.x0 >= self.x1 or self.y0 >= other.y1 or other.y0 >= self.y1:
            return 0.0  # as nearly all are
        width = min(self.x1, other.x1) - max(self.x0, other.x0)
        height = min(self.y1, other.y1) - max(self.y0, other.y0)
        return width * height if width > 0 and height > 0 else 0.0

    def inside(self, other: Box) -> float:
        """Share of this box's area that lies in `other`, 0..1."""
        common = self.intersection(other)
        return common / self.area if common > 0 else 0.0

    def overlap_x(self, other: Box) -> float:
        """Length of the common horizontal extent, 0 where there is none."""
        return max(0.0, min(self.x1, other.x1) - max(self.x0, other.x0))

    def overlap_y(self, other: Box) -> float:
        """Length of the common vertical extent, 0 where there is none."""
        return max(0.0, min(self.y1, other.y1) - max(self.y0, other.y0))

    def gap_x(self, other: Box) -> float:
        """Length of the white between the boxes from left to right, below 0 where they overlap."""
        return max(self.x0 - other.x1, other.x0 - self.x1)

    def gap_y(self, other: Box) -> float:
        """Length of the white between the boxes from top to bottom, below 0 where they overlap."""
        return max(self.y0 - other.y1, other.y0 - self.y1)

    def is_level(self, other: Box, share: float = 0.5) -> bool:
        """Return whether more than a `share` of the lower box's height is level with the other one: they stand in one
        row."""
        return self.overlap_y(other) > share * min(self.height, other.height)

    def meets(self, other: Box) -> bool:
        """Return whether the boxes have a point in common, be it of their edges."""
        return self.x0 <= other.x1 and other.x0 <= self.x1 and self.y0 <= other.y1 and other.y0 <= self.y1

    def padded(self, margin: float) -> Box:
        return Box(self.x0 - margin, self.y0 - margin, self.x1 + margin, self.y1 + margin)

    def moved(self, dx: float, dy: float) -> Box:
        return Box(self.x0 + dx, self.y0 + dy, self.x1 + dx, self.y1 + dy)

    def holds(self, x: float, y: float) -> bool:
        return self.x0 <= x <= self.x1 and self.y0 <= y <= self.y1

    def turned(self, angle: int, page: Box) -> Box:
        """Return where the box lies when the `page` that it is on, which begins at 0, is turned clockwise by quarter
        turns."""
        if angle == 90:
            return Box(page.y1 - self.y1, self.x0, page.y1 - self.y0, self.x1)
        if angle == 180:
            return Box(page.x1 - self.x1, page.y1 - self.y1, page.x1 - self.x0, page.y1 - self.y0)
        return Box(self.y0, page.x1 - self.x1, self.y1, page.x1 - self.x0)

    def rounded(self, digits: int = 2) -> Box:
        return Box(*(round(float(v), digits) for v in (self.x0, self.y0, self.x1, self.y1)))


corners = attrgetter("x0", "y0", "x1", "y1")


def union(boxes) -> Box:
    """Return the smallest box that holds all of a non-empty iterable of boxes."""
    x0, y0, x1, y1 = zip(*map(corners, boxes), strict=True)
    return Box(min(x0), min(y0), max(x1), max(y1))
