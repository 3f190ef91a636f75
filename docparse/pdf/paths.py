"""Vector paths as what orders a page: straight thin strokes, and panels, boxes that are filled or outlined."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from docparse.pdf.marks import Mark, is_small
from docparse.pdf.objects import Rect
from docparse.pdf.pathobjects import BEZIER, LINE, MOVE, SHORT, THIN, Path, Segments
from docparse.pdf.space import PageSpace

MAX_SEGMENTS = 2_000  # of one path; grids drawn as one path stay below
MAX_ALL_SEGMENTS = 12_000  # of a page
MAX_HIDEABLE = 500  # shapes looked at for each image, so that many of both stay fast
ELONGATED = 2.0  # and at least so many times longer than thick
STRAIGHT = 0.5  # points a ruling may deviate from its axis
POLYLINE = 8  # lines in a row; longer ones that are mostly askew are curves of a plot
SHORTEST = 2.2  # points of a ruling after merging: the bar of a fraction in an exponent
DOT = SHORTEST / 2  # a path that is smaller is a dot of a leader or a piece of a curve
DASH, DASH_GAP, TOUCH = 12.0, 4.0, 1.0  # points: a dash's length, the gap between dashes, the gap between strokes
RECTANGLE = 6  # segments at most, the way back to the first corner included
CORNERS, PANEL = 128, 15.0  # segments of a double outline with round corners, points of the smallest such box
ROUNDED = 5  # points of a box with round corners, at least: a pill has four and is closed


@dataclass(slots=True)
class Shapes:
    """The shapes that paths show, all boxes as x0, y0, x1, y1 in user space.

    `lines` are stroked segments, `boxes` filled rectangles, `panels` the boxes of rectangles, filled or stroked, with
    square or round corners. `parts` are the bounds of every path, `curves` says of each whether it has curves or
    slanting lines that no box has. `marks` are small shapes of any kind. `truncated` says that the page draws more than
    was looked at.
    """

    lines: list[Rect] = field(default_factory=list)
    boxes: list[Rect] = field(default_factory=list)
    panels: list[Rect] = field(default_factory=list)
    parts: list[Rect] = field(default_factory=list)
    curves: list[bool] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    segments: int = 0
    truncated: bool = False

    def is_on_colour(self, box: Rect) -> bool:
        """Return whether a coloured box was painted under it."""
        return any(b[0] <= box[0] and b[1] <= box[1] and b[2] >= box[2] and b[3] >= box[3] for b in self.boxes[-50:])

    def is_in_mark(self, box: Rect) -> bool:
        """Return whether the last shape was a filled square and the middle of this one is in it."""
        x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        last = (mark.box for mark in self.marks[-1:] if mark.filled and mark.square)
        return any(x0 < x < x1 and y0 < y < y1 for x0, y0, x1, y1 in last)

    def hide_under(self, image: Rect) -> None:
        """Forget what lies under an opaque image painted after it."""
        left, bottom, right, top = image[0] - 1, image[1] - 1, image[2] + 1, image[3] + 1

        def is_under(shape: Rect) -> bool:
            xs, ys = shape[::2], shape[1::2]  # a line runs any way
            return left <= min(xs) and max(xs) <= right and bottom <= min(ys) and max(ys) <= top

        for shapes in (self.lines, self.boxes, self.panels):
            if len(shapes) <= MAX_HIDEABLE:
                shapes[:] = [shape for shape in shapes if not is_under(shape)]


def read_path(path: Path, shapes: Shapes) -> None:
    """Add what a path object shows to `shapes`."""
    count, box, drawing = path.count, path.box, path.count > MAX_SEGMENTS  # a line of a plot
    if not drawing and count > 1 and shapes.segments + count > MAX_ALL_SEGMENTS:
        shapes.truncated = True
        return
    if count < 2 or box is None:
        return
    low, high = sorted((box[2] - box[0], box[3] - box[1]))
    if not path.is_seen:
        filled = path.fill is not None
        if not drawing and is_small(box) and (shapes.is_on_colour(box) if filled else shapes.is_in_mark(box)):
            mark = _mark(path, box, filled=filled)  # white on a dark panel
            if filled or not mark.square:  # a frame within a square is part of its look
                shapes.marks.append(mark)
        return
    curves = True
    if not drawing:
        if high < DOT:
            return
        if is_small(box):
            shapes.marks.append(_mark(path, box, filled=path.filled))
        if not path.stroked and count <= 5 and low <= THIN:
            shapes.boxes.append(box)  # one thin bar: its box says all (that of a stroke would be too long)
            curves = False
        elif count <= SHORT or BEZIER not in path.first_kinds or (count <= CORNERS and low > PANEL):
            curves = _read_segments(path, box, shapes)  # a long path that begins with curves is a drawing, not a grid
    shapes.parts.append(box)
    shapes.curves.append(curves)


def _read_segments(path: Path, box: Rect, shapes: Shapes) -> bool:
    """Return whether there are curves or slanting lines that belong to no box; `box` is that of the path."""
    shapes.segments += path.count
    curves = False
    for points, curved in _subpaths(path.read(), closed=path.filled):
        if path.stroked:
            lines = [(*a, *b) for a, b in pairwise(points) if a and b]
            level = sum(map(_upright, lines))
            curves |= level < len(lines)
            if len(lines) <= POLYLINE or 2 * level >= len(lines):
                shapes.lines.extend(seen for line in lines if (seen := _seen(line, box)))
        rectangle = _rectangle(points)
        corners = _rounded(points) if rectangle is None and curved else rectangle
        if corners is None:
            curves |= curved or len(points) > CORNERS
        elif (panel := _cut(corners, box)) is not None:
            shapes.panels.append(panel)
            if rectangle is not None and path.filled and not curved:
                shapes.boxes.append(panel)
    return curves


def _seen(line: Rect, box: Rect) -> Rect | None:
    """Return what is seen of a line in the box of its path, which may be cut; one that slants as it is."""
    return _cut(line, box) if _upright(line) else line


def _cut(shape: Rect, box: Rect) -> Rect | None:
    """Return what of a rectangle or an upright line, given by two opposite corners, is in the box of its path."""
    left, bottom, right, top = box
    (x0, x1), (y0, y1) = sorted(shape[::2]), sorted(shape[1::2])
    if max(x0 - right, left - x1, y0 - top, bottom - y1) > STRAIGHT:
        return None
    return max(x0, left), max(y0, bottom), min(x1, right), min(y1, top)


def _mark(path: Path, box: Rect, *, filled: bool) -> Mark:
    """A small shape: a rectangle, its corners round or not, has lines all the way or lines and curves, where a circle
    has curves alone; two outlines filled together are a frame."""
    kinds = path.read().kinds[1:]
    outlines = 1 + kinds.count(MOVE)
    square = kinds.count(LINE) >= 3 and (path.count <= RECTANGLE * outlines or BEZIER in kinds)
    return Mark(box, filled and outlines != 2, square)


def _upright(line: Rect) -> bool:
    return min(abs(line[2] - line[0]), abs(line[3] - line[1])) <= STRAIGHT


def _subpaths(segments: Segments, *, closed: bool):
    """Yield (points, curved) for each subpath; None between two points stands for a curve."""
    points: list[tuple[float, float] | None] = []
    curved = False
    for kind, here, closes in zip(segments.kinds, segments.points, segments.closes, strict=True):
        if kind == MOVE:
            if len(points) > 1:
                yield _close(points, closed), curved
            points, curved = [here], False
            continue
        if kind == BEZIER:
            curved = True
            points.append(None)
        points.append(here)
        if closes:
            points.append(points[0])
    if len(points) > 1:
        yield _close(points, closed), curved


def _close(points: list, closed: bool) -> list:
    return [*points, points[0]] if closed and points[0] != points[-1] and len(points) > 2 else points


def _rectangle(points: list[tuple[float, float] | None]) -> Rect | None:
    """The box of a subpath whose corners are an upright rectangle, or a line that fill makes hair thin."""
    corners = [point for point in points if point is not None]
    if corners[0] in corners[1:] and len(corners) > 5 and _upright((*corners[1], *corners[4])):
        corners = corners[1:5]  # LibreOffice begins in the middle of a side
    if not 4 <= len(corners) <= 6 or None in points:
        return None
    xs, ys = sorted(x for x, _ in corners), sorted(y for _, y in corners)
    left, right, bottom, top = xs[0], xs[-1], ys[0], ys[-1]
    for x, y in corners:
        if min(x - left, right - x) > STRAIGHT or min(y - bottom, top - y) > STRAIGHT:
            return None
    return left, bottom, right, top


def _rounded(points: list[tuple[float, float] | None]) -> Rect | None:
    """The box of a subpath that runs along its four sides for most of the way and cuts the corners with curves."""
    corners = [point for point in points if point is not None]
    if len(corners) < ROUNDED:
        return None
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    left, right, bottom, top = min(xs), max(xs), min(ys), max(ys)
    along = 0.0
    for a, b in pairwise(points):
        if a is None or b is None:
            continue
        if min(max(a[0], b[0]) - left, right - min(a[0], b[0])) <= STRAIGHT:
            along += abs(b[1] - a[1])
        elif min(max(a[1], b[1]) - bottom, top - min(a[1], b[1])) <= STRAIGHT:
            along += abs(b[0] - a[0])
    return (left, bottom, right, top) if along > (right - left) + (top - bottom) else None


def rulings(shapes: Shapes, space: PageSpace) -> np.ndarray:
    """float32 [n, 4] in page space: centre lines of thin strokes and thin boxes, pieces and dashes joined.

    A horizontal ruling has y0 == y1, a vertical one x0 == x1; what lies outside the page is cut off.
    """
    lines, boxes = space.boxes(shapes.lines), space.boxes(shapes.boxes)
    sides = np.sort(np.stack([boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]]), axis=0)
    thin = boxes[(sides[0] <= THIN) & (sides[1] >= ELONGATED * sides[0])]
    straight = lines[np.minimum(lines[:, 2] - lines[:, 0], lines[:, 3] - lines[:, 1]) <= STRAIGHT]
    pieces = np.concatenate([straight, thin])
    pieces = pieces[np.isfinite(pieces).all(axis=1)]
    width, height = space.size
    inside = (pieces[:, 2] >= 0) & (pieces[:, 0] <= width) & (pieces[:, 3] >= 0) & (pieces[:, 1] <= height)
    pieces = np.clip(pieces[inside], 0, [width, height, width, height])
    wide = pieces[:, 2] - pieces[:, 0] >= pieces[:, 3] - pieces[:, 1]
    across = _joined(pieces[wide][:, [0, 2, 1, 3]])
    down = _joined(pieces[~wide][:, [1, 3, 0, 2]])
    found = [across[:, [0, 2, 1, 2]], down[:, [2, 0, 2, 1]]]
    return np.concatenate(found).astype(np.float32)


def _joined(pieces: np.ndarray) -> np.ndarray:
    """Join pieces (start, end, low, high) on one line, and dashes where there are more than two; returns float64
    [n, 3]: start, end, position."""
    if not len(pieces):
        return np.zeros((0, 3))
    position = (pieces[:, 2] + pieces[:, 3]) / 2
    order = np.argsort(position, kind="stable")
    line = np.zeros(len(order), np.int64)
    line[order] = np.cumsum(np.diff(position[order], prepend=position[order[0]]) > STRAIGHT)
    order = np.lexsort((pieces[:, 0], line))
    start, end, line, position = pieces[order, 0], pieces[order, 1], line[order], position[order]
    result: list[tuple[float, float, float]] = []
    dashes = [(start[0], end[0])]  # of one line so far
    last = end[0] - start[0]
    for k in range(1, len(order) + 1):
        length = end[k] - start[k] if k < len(order) else 0.0
        reach = DASH_GAP if length <= DASH and last <= DASH else TOUCH
        gap = start[k] - dashes[-1][1] if k < len(order) and line[k] == line[k - 1] else np.inf
        if gap <= TOUCH:
            dashes[-1] = (dashes[-1][0], max(dashes[-1][1], end[k]))
        elif gap <= reach:
            dashes.append((start[k], end[k]))
        else:  # two dashes are no line but two: the bars of fractions side by side
            ends = dashes if len(dashes) == 2 else [(dashes[0][0], dashes[-1][1])]
            result += [(first, final, position[k - 1]) for first, final in ends]
            dashes = [(start[k], end[k])] if k < len(order) else []
        last = length
    found = np.array(result)
    return found[found[:, 1] - found[:, 0] >= SHORTEST]


def panels(shapes: Shapes, space: PageSpace) -> np.ndarray:
    """float32 [n, 4] in page space: boxes, coloured or outlined, that are not rulings, clipped to the page."""
    boxes = space.on_page(shapes.panels)
    thick = np.minimum(boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]) > THIN
    return boxes[thick].astype(np.float32)
