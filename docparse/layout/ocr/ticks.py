"""Boxes to tick on a page image: small squares with four straight sides, however faint, empty or with a sign inside.

OCR takes them for letters, and a word that one stands at for one in larger type, so it reads the page without them.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from docparse.layout.geometry import corners_of
from docparse.layout.ocr.light import contrast
from docparse.layout.text.marks import EMPTY, TICKED
from docparse.pdf.content import PageImage
from docparse.types import Box

LEAST_BOX, LARGEST_BOX = 5.0, 16.0  # points: of forms in small print, and of those to be filled in by hand
FAINT_LINE = 24  # of 255 by which lines of browsers, light grey and thinner than a pixel, differ from paper at least
EVEN, EDGE = 0.85, 0.85  # shorter over longer side; share of a side that is drawn: corners may be round
RIM = 0.15  # of a side that the line along the next one takes
FOOT, BETWEEN = 0.25, 0.15  # of the lower side at each end, where 口 has feet; share of the rest that is drawn at most
BLANK, FULL = 0.05, 0.9  # share of the inner half that is drawn of an empty box, and of a filled square, which is none
SIGN = 0.4  # times as dark as its sides is a sign in a box at least: the grain of paper is lighter
CROSSED = 0.6  # share of each diagonal of the inner half that is drawn of a crossed box
RIMS, WITHIN = 3, 0.2  # pixels, and share of a side, from the sides of a box to the sign in it
# Share drawn of the upper left and the lower right corner of a check mark at most, which are white, and of the upper
# right one at least; of letters and figures, 4 and J have the first at 0.04, too, but then the second at 0.26 or more.
NO_CHECK, CHECK = (0.1, 0.2), 0.4
APART = 0.4  # of its side: white before a box, which follows a space; characters of Chinese have less
ALIKE = 0.1  # of their sides by which boxes of one form differ at most
AROUND = 3  # pixels around a box where its paper is seen


def boxes_of_form(image: PageImage) -> list[Box]:
    """Return the boxes to tick of a page, in points, that are empty or ticked and of which two or more are alike, at
    least one of them empty: blots on letters have four sides, too."""
    far = contrast(image)
    boxes = [each for each in boxes_to_tick(far, image.scale) if _is_apart(each[0], far, image.scale)]
    found = [(box, text) for box, text in boxes if text == EMPTY or _is_ticked(box, far, image.scale)]
    sides = np.array([(box.width, box.height) for box, _ in found]).reshape(-1, 2)
    empty = np.array([text == EMPTY for _, text in found], bool)
    same = [(abs(sides - own) < ALIKE * own).all(axis=1) for own in sides]
    return [box for (box, _), own in zip(found, same, strict=True) if own.sum() > 1 and empty[own].any()]


def without(boxes: Sequence[Box], image: PageImage) -> PageImage:
    """Return the page with its paper in place of some boxes, in points."""
    if not boxes:
        return image
    pixels = image.pixels.copy()
    for x0, y0, x1, y1 in _pixels(boxes, image.scale):
        around = pixels[max(0, y0 - AROUND) : y1 + AROUND, max(0, x0 - AROUND) : x1 + AROUND]
        rim = np.concatenate([around[[0, -1]].reshape(-1, 3), around[:, [0, -1]].reshape(-1, 3)])
        pixels[max(0, y0 - 1) : y1 + 1, max(0, x0 - 1) : x1 + 1] = np.median(rim, axis=0)
    return PageImage(pixels, image.scale)


def _pixels(boxes: Sequence[Box], scale: float) -> list[list[int]]:
    found: list[list[int]] = np.rint(corners_of(boxes) * scale).astype(int).tolist()
    return found


def _is_apart(box: Box, far: np.ndarray, scale: float) -> bool:
    x0, y0, x1, y1 = _pixels([box], scale)[0]
    before = far[y0:y1, max(0, x0 - round(APART * (x1 - x0))) : max(0, x0 - 1)]
    return not (before > FAINT_LINE).any()


def _is_ticked(box: Box, far: np.ndarray, scale: float) -> bool:
    """Return whether a box is crossed from corner to corner, or has a check mark in it: characters with four sides, and
    most letters and figures in boxes, have other strokes."""
    x0, y0, x1, y1 = _pixels([box], scale)[0]
    down, along = (y1 - y0) // 4, (x1 - x0) // 4
    half = _as_square(far[y0 + down : y1 - down, x0 + along : x1 - along])
    if min(np.diag(half).mean(), np.diag(half[:, ::-1]).mean()) > CROSSED:
        return True
    down, along = (max(RIMS, round(WITHIN * side)) for side in (y1 - y0, x1 - x0))
    inner = far[y0 + down : y1 - down, x0 + along : x1 - along]
    y, x = np.nonzero(inner > FAINT_LINE)
    if not len(y):
        return False
    sign = _as_square(inner[y.min() : y.max() + 1, x.min() : x.max() + 1])
    return bool(sign[:5, :5].mean() < NO_CHECK[0] and sign[7:, 7:].mean() < NO_CHECK[1] and sign[:4, 8:].mean() > CHECK)


def _as_square(seen: np.ndarray) -> np.ndarray:
    """Return which share of each twelfth by twelfth of a picture is drawn, float [12, 12]."""
    return cv2.resize((seen > FAINT_LINE).astype(np.float32), (12, 12), interpolation=cv2.INTER_AREA)


def boxes_to_tick(far: np.ndarray, scale: float) -> list[tuple[Box, str]]:
    """Return the boxes to tick of a page in points, each with "☐" or "☑"; `far` is uint8 [height, width], how far
    its pixels are from their paper, `scale` of them a point."""
    ink = (far > FAINT_LINE).astype(np.uint8)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    _, _, wide, high, _ = stats.T
    shorter, longer = np.minimum(wide, high), np.maximum(wide, high)
    sized = (shorter >= LEAST_BOX * scale) & (longer <= LARGEST_BOX * scale)
    found = []
    for i in np.flatnonzero(sized & (shorter >= EVEN * longer)).tolist():
        x, y, width, height = stats[i, :4].tolist()
        drawn, seen = labels[y : y + height, x : x + width] == i, far[y : y + height, x : x + width]
        if _has_sides(drawn) and not _has_feet(np.where(drawn, seen, 0)):
            least = max(FAINT_LINE, SIGN * float(np.median(seen[drawn])))
            inner = (seen[height // 4 : height - height // 4, width // 4 : width - width // 4] > least).mean()
            if inner < FULL:
                box = Box(x / scale, y / scale, (x + width) / scale, (y + height) / scale)
                found.append((box, EMPTY if inner < BLANK else TICKED))
    return found


def _has_sides(drawn: np.ndarray) -> bool:
    """Return whether a shape, bool [height, width], reaches along all four sides of its box."""
    rim = max(2, round(RIM * min(drawn.shape)))
    sides = (drawn[:rim].any(axis=0), drawn[-rim:].any(axis=0), drawn[:, :rim].any(axis=1), drawn[:, -rim:].any(axis=1))
    return all(side.mean() > EDGE for side in sides)


def _has_feet(seen: np.ndarray) -> bool:
    """Return whether a shape, uint8 [height, width], reaches down to the lower side of its box at both ends alone, as
    口, 日 and 田 do."""
    end = max(1, round(FOOT * seen.shape[1]))
    for row in seen[:-3:-1]:  # one foot may be longer
        foot, between = min(row[:end].max(), row[-end:].max()), row[end:-end]
        if (between > FAINT_LINE).mean() >= BETWEEN:
            return False
        if foot > FAINT_LINE and between.mean() < foot / 2:
            return True
    return False
