"""Pictures: where the figures of a page are, from the layout detector and from the PDF's own images."""

from __future__ import annotations

from collections.abc import Sequence

from docparse.layout.lines import Line
from docparse.layout.region import Region
from docparse.types import Box, Category

SMALLEST = 30.0  # points: logos' dots and bullets drawn as images are not figures
PAGE_SHARE = 0.7  # an image larger than this is the page itself
SURE = 0.5


def find_pictures(
    regions: Sequence[Region], images: Sequence[Box], tables: Sequence[Box], lines: Sequence[Line], page: Box
) -> list[Box]:
    """Boxes of figures, none inside another, none over a table, none that is the paper under printed text."""
    detected = [r.box for r in regions if r.category is Category.PICTURE and r.score > SURE]
    placed = [box & page for box in images]
    candidates = [
        box
        for box in detected + placed
        if min(box.width, box.height) > SMALLEST
        and box.area < PAGE_SHARE * page.area
        and not any(box.inside(table) > 0.5 or table.inside(box) > 0.5 for table in tables)
        and not _is_background(box, lines)
    ]
    return _merged(candidates)


def _is_background(box: Box, lines: Sequence[Line]) -> bool:
    """Several lines of prose are printed over it: a scan, a tinted panel."""
    prose = [line for line in lines if _is_prose(line, box) and line.box.inside(box) > 0.7]
    return len(prose) >= 4 or sum(line.box.area for line in prose) > 0.4 * box.area


def _is_prose(line: Line, picture: Box) -> bool:
    return len(line.words) >= 6 and line.box.width > 0.6 * picture.width


def _merged(boxes: list[Box]) -> list[Box]:
    """Boxes that overlap are one figure: tiles of one image, an image and its detected region."""
    result: list[Box] = []
    for box in sorted(boxes, key=lambda b: -b.area):
        for i, other in enumerate(result):
            if box.inside(other.padded(4)) > 0.4:
                result[i] = other | box
                break
        else:
            result.append(box)
    return result if len(result) == len(boxes) else _merged(result)


def swallowed(line: Line, pictures: Sequence[Box]) -> int | None:
    """The picture whose label the line is. A line of prose over a picture stays in the text, so nothing is lost."""
    for i, picture in enumerate(pictures):
        if line.box.inside(picture) > 0.7:
            return None if _is_prose(line, picture) else i
    return None
