"""Drawings and photos in the pixels of a page: what is neither type, nor a straight stroke, nor evenly filled.

Edges are what the eye follows. Those of letters lie in the words that OCR has read, those of tables, frames and bars
are level or upright; what is left over a wide area are curves, slanting strokes, dots and the grain of photos.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from docparse.layout.chained import without
from docparse.layout.geometry import boxes_of
from docparse.layout.pictures.find import SMALLEST, joined
from docparse.layout.text.words import Word
from docparse.pdf.content import PageImage
from docparse.types import Box, corners, union

DPI = 100  # where a hairline is still seen
EDGE = 24  # of 255: an edge is stronger; the noise of JPEG and the shading of slides are weaker
NOISE = 2.0  # times the edges that most of the page has: those of the grain of old paper are weaker
STRONG = 64  # of 255: some of its edges are stronger, or it is a watermark
NODE = 10.0  # points: the circles of a diagram are larger, what OCR did not read is lower
STRAIGHT = 20.0  # points: level and upright edges so long are strokes; those of letters, dots and curves are shorter
GRAIN = 7  # pixels: edges as thick as that are the grain of a photo, and no stroke
AROUND = 0.25  # em around a word that its letters may reach
JOIN = 5.0  # points between the marks of one drawing
PRINTED = 0.18  # share of a drawing that its labels fill at most: a diagram of boxes with text in them is text
TOUCH = 6.0  # points from a drawing to the axis that it stands on
HOPS = 2  # from a curve over the lines of its grid to the axes
BESIDE = 0.3  # share of a stroke that lies beside the drawing it is an axis of
SEAM = 1.0  # points between what stands on either side of one axis
RIM_OF_PAGE = 0.02  # of its width and height: the table under a photographed page reaches to the edge of the photo
BENT = 0.5  # of its box at most is covered by what bends: a photo that is cut with the paper fills its own
HOLLOW = 0.05  # of what bends around the type at most lies on it: little blots that touch it
SLIM = 0.3  # of the page's width or height: what shows of the table; photos in a margin may be larger
BLEED = 0.8  # of the width or height of the type: pictures that are cut with the paper fill a side of it
LARGER = 3.0  # times the width and height of a curve that its axes have at most


def drawn_from_image(image: PageImage, words: Sequence[Word], rulings: np.ndarray) -> list[Box]:
    """Return the boxes of the drawings and photos of a page, in points, with the axes that they stand on and what is
    drawn small beside them. `words` is all that was read on it, `rulings` (float32 [n, 4]) the strokes that were
    found."""
    page = Box(0.0, 0.0, image.pixels.shape[1] / image.scale, image.pixels.shape[0] / image.scale)
    type_area = union(word.box for word in words) if words else page
    seen = _marks(image, words, type_area)
    marks = [mark for mark in seen if sum(word.box.intersection(mark) for word in words) < PRINTED * mark.area]
    strokes = boxes_of(rulings)
    small = [mark for mark in marks if min(mark.width, mark.height) <= SMALLEST]
    large = [mark for mark in marks if min(mark.width, mark.height) > SMALLEST]
    whole = [_with_axes(mark, [*strokes, *small]) for mark in large]
    found = joined(whole, lambda box: (box.y0, box.x0), lambda other, box: other.padded(SEAM).intersection(box) > 0)
    return without(found, list(_around_the_sheet(found, type_area, page)))


def _around_the_sheet(found: Sequence[Box], type_area: Box, page: Box) -> Iterator[Box]:
    """Yield what lies at the edge of a scan, beside all type: edges of paper, shadows, the table under it."""
    slim = (box for box in found if min(box.width / page.width, box.height / page.height) < SLIM)
    for box in slim:
        beside = box.overlap_x(type_area) <= 0 and box.height < BLEED * type_area.height
        over = box.overlap_y(type_area) <= 0 and box.width < BLEED * type_area.width
        if (beside or over) and _reaches_rim(box, page):
            yield box


def _reaches_rim(box: Box, page: Box) -> bool:
    near, far = RIM_OF_PAGE, 1 - RIM_OF_PAGE
    return box.inside(Box(near * page.width, near * page.height, far * page.width, far * page.height)) < 1


def _marks(image: PageImage, words: Sequence[Word], type_area: Box) -> list[Box]:
    """Return the boxes of what is left when words and strokes are taken from the edges of an image; not of what bends
    around the `type_area` at the rim, as the table under a photographed sheet does."""
    import cv2

    scale = DPI / 72
    size = scale / image.scale
    pixels = cv2.resize(image.pixels, None, fx=size, fy=size, interpolation=cv2.INTER_AREA)
    edges = cv2.morphologyEx(pixels, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)).max(axis=2)
    mask = (edges > max(EDGE, NOISE * float(np.median(edges)))).astype(np.uint8)
    long = round(STRAIGHT * scale)
    level = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((1, long), np.uint8))
    upright = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((long, 1), np.uint8))
    grain = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((GRAIN, GRAIN), np.uint8))
    strokes = cv2.subtract(cv2.max(level, upright), grain)
    mask = cv2.subtract(mask, cv2.dilate(strokes, np.ones((3, 3), np.uint8)))
    for word in words:
        x0, y0, x1, y1 = (max(0, round(edge * scale)) for edge in corners(word.box.padded(AROUND * word.size)))
        mask[y0:y1, x0:x1] = 0
    return _pieces(mask, np.where(edges > STRONG, mask, 0), scale, type_area)


def _pieces(mask: np.ndarray, strong: np.ndarray, scale: float, type_area: Box) -> list[Box]:
    """Return the boxes of the pieces of a mask, in points, that hold something `strong` and do not bend around the type
    at the rim."""
    import cv2

    joint = round(JOIN * scale)
    wider = cv2.copyMakeBorder(mask, joint, joint, joint, joint, cv2.BORDER_CONSTANT, value=0)
    wider = cv2.morphologyEx(wider, cv2.MORPH_CLOSE, np.ones((joint, joint), np.uint8))
    labels, stats = cv2.connectedComponentsWithStats(wider, connectivity=8)[1:3]
    x0, y0, x1, y1 = (scale * edge for edge in corners(type_area))
    page, printed = Box(0, 0, mask.shape[1], mask.shape[0]), Box(x0, y0, x1, y1)
    over = np.bincount(_part(labels[joint:-joint, joint:-joint], printed).ravel(), minlength=len(stats))
    area = stats[:, cv2.CC_STAT_AREA]
    bends = (over < HOLLOW * area) & (area < BENT * stats[:, cv2.CC_STAT_WIDTH] * stats[:, cv2.CC_STAT_HEIGHT])
    found = []
    for (x, y, wide, high), free in zip(stats[1:, :4].tolist(), bends[1:].tolist(), strict=True):
        box = Box(x - joint, y - joint, x + wide - joint, y + high - joint)
        around = free and box.meets(printed) and _reaches_rim(box, page)
        if _part(strong, box).any() and not around:
            found.append(Box(box.x0 / scale, box.y0 / scale, box.x1 / scale, box.y1 / scale))
    return [box for box in found if min(box.width, box.height) > NODE]


def _part(pixels: np.ndarray, box: Box) -> np.ndarray:
    x0, y0, x1, y1 = (max(0, int(edge)) for edge in corners(box))
    return pixels[y0:y1, x0:x1]


def _with_axes(mark: Box, strokes: Sequence[Box]) -> Box:
    """Return a drawing with the `strokes` that cross or touch it, as the lines of a grid do, and the axes at their
    ends; the pieces of a drawing may be among them."""
    whole = mark
    for _ in range(HOPS):
        near = (stroke for stroke in strokes if stroke.meets(whole.padded(TOUCH)))
        whole = union([whole, *(stroke for stroke in near if _fits(stroke, mark, whole))])
    return whole


def _fits(stroke: Box, mark: Box, whole: Box) -> bool:
    """Return whether a stroke is not much larger than a mark, and runs beside what was found of the drawing: the rule
    of a table begins where the line of a grid ends."""
    beside = max(stroke.overlap_x(whole) / max(stroke.width, 1.0), stroke.overlap_y(whole) / max(stroke.height, 1.0))
    return stroke.width < LARGER * mark.width and stroke.height < LARGER * mark.height and beside > BESIDE
