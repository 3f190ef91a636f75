"""What may hide text that is painted, filled boxes and images behind or before it and clip paths around it; and whether
the pixels of the page show anything in its place."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from docparse.pdf.content import PageImage
from docparse.pdf.graphics import Painted
from docparse.pdf.objects import IDENTITY, UNKNOWN
from docparse.pdf.pathobjects import left_by_clips
from docparse.pdf.space import PageSpace
from docparse.pdf.textlayer import RawText

OPAQUE = 250  # alpha from which nothing is seen through a fill
SMALLEST = 2.0  # points a fill must measure each way to hide text
NOWHERE = (np.inf, np.inf, -np.inf, -np.inf)  # the box of what clip paths that do not meet leave: no point is in it
MAX_FILLS = 2_000  # of a page, the first: a page with more is a drawing
CELL, MAX_CELLS = 2.0, 512  # points a cell of the map of fills measures, cells of a side
FAINT = 8  # levels of 255 between neighbouring pixels: less is not seen on a clean page
NOISE = 3.0  # times the contrast of empty paper: so much is a mark
SAME = 5  # levels of 255 between colours that nobody tells apart


@dataclass(frozen=True, slots=True)
class Ground:
    """The topmost opaque fill or image at each point of a page: `top` int [rows, columns] holds its index, 0 for paper.

    `color` int32 [k, 3] is white for paper and `UNKNOWN` for images and patterns, `order` int64 [k] the paint position.
    """

    top: np.ndarray
    scale: np.ndarray
    color: np.ndarray
    order: np.ndarray

    def at(self, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return colour ([n, 3]) and paint position ([n]) at points of the page."""
        rows, columns = self.top.shape
        row = np.clip(y * self.scale[1], 0, rows - 1).astype(np.int64)
        column = np.clip(x * self.scale[0], 0, columns - 1).astype(np.int64)
        index = self.top[row, column]
        return self.color[index], self.order[index]


def read_ground(painted: Painted, space: PageSpace) -> Ground:
    """Return what is painted besides text, shapes by the boxes around them."""
    white, unknown = (255, 255, 255), (UNKNOWN, UNKNOWN, UNKNOWN)
    fills = [(p.box, p.fill[:3], p.order) for p in painted.paths if p.box and p.fill and p.fill[3] >= OPAQUE]
    found = [*fills, *((image.box, unknown, image.order) for image in painted.images if not image.clear)]
    color = np.array([white, *(color for _, color, _ in found)], np.int32)
    order = np.array([0, *(position for _, _, position in found)], np.int64)
    width, height = (max(side, 1.0) for side in space.size)
    columns, rows = (min(MAX_CELLS, max(1, round(side / CELL))) for side in (width, height))
    ground = Ground(np.zeros((rows, columns), np.int16), np.array([columns / width, rows / height]), color, order)
    placed = np.nan_to_num(space.boxes([box for box, _, _ in found]))
    large = (placed[:, 2:] - placed[:, :2]).min(axis=1, initial=np.inf) >= SMALLEST
    cells = np.clip(np.round(placed * np.tile(ground.scale, 2)), 0, [columns, rows, columns, rows]).astype(int)
    for index in np.argsort(order[1:], kind="stable")[:MAX_FILLS].tolist():
        if large[index]:
            x0, y0, x1, y1 = cells[index]
            ground.top[y0:y1, x0:x1] = index + 1
    return ground


def clip_boxes(raw: RawText, painted: Painted, space: PageSpace) -> np.ndarray:
    """Return float64 [m, 4] in page space: what clip paths leave of each text object at most."""
    left = left_by_clips(raw.objects, [painted.outer.get(handle, IDENTITY) for handle in raw.handle.tolist()])
    empty = (left[:, :2] > left[:, 2:]).any(axis=1)
    clipped = np.isfinite(left).all(axis=1)
    left[clipped] = space.boxes(left[clipped])
    left[empty] = NOWHERE  # its corners in order would be a box
    return left


class Pixels:
    """The pixels of a page; boxes are float64 [k, 4] (x0, y0, x1, y1) in points."""

    def __init__(self, image: PageImage) -> None:
        self._pixels, self._scale = image.pixels, image.scale

    def has_ink(self, boxes: np.ndarray) -> np.ndarray:
        """Return bool [k]: whether anything stands out in each box; True for one without pixels."""
        return ~(self._shares(_ink(self._pixels), boxes) == 0)

    def share_of(self, color: np.ndarray, boxes: np.ndarray) -> np.ndarray:
        """Return float [k]: the share of the pixels that have `color` (red, green, blue), as far as an eye can tell."""
        import cv2

        alike = cv2.inRange(self._pixels, tuple((color - SAME).tolist()), tuple((color + SAME).tolist())) > 0
        return np.nan_to_num(self._shares(alike, boxes))

    def share_under(self, others: np.ndarray, boxes: np.ndarray) -> np.ndarray:
        """Return float [k]: the share of each box that lies under `others`, boxes too."""
        under = np.zeros(self._pixels.shape[:2], bool)
        for x0, y0, x1, y1 in _corners(others * self._scale, under.shape).tolist():
            under[y0:y1, x0:x1] = True
        return np.nan_to_num(self._shares(under, boxes))

    def _shares(self, mask: np.ndarray, boxes: np.ndarray) -> np.ndarray:
        """float [k]: the share of each box that `mask` (bool [height, width]) marks, nan for one without pixels."""
        import cv2

        x0, y0, x1, y1 = _corners(boxes * self._scale, mask.shape).T
        sums = cv2.integral(mask.view(np.uint8))
        count = sums[y1, x1] - sums[y0, x1] - sums[y1, x0] + sums[y0, x0]
        area = (x1 - x0) * (y1 - y0)
        return np.where(area > 0, count / np.maximum(area, 1), np.nan)


def _corners(boxes: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """int64 [k, 4]: the whole pixels that boxes touch, clipped to the page."""
    height, width = shape
    whole = np.concatenate([np.floor(boxes[:, :2]), np.ceil(boxes[:, 2:])], axis=1)
    return np.clip(np.nan_to_num(whole), 0, [width, height, width, height]).astype(np.int64)


def _ink(pixels: np.ndarray) -> np.ndarray:
    """bool [height, width]: pixels that differ from a neighbour by more than the noise of the paper."""
    import cv2

    channels = cv2.split(cv2.morphologyEx(pixels, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)))
    contrast = np.maximum.reduce(channels)
    noise = float(np.percentile(contrast[::2, ::2], 25)) if contrast.size else 0.0
    return contrast >= max(FAINT, NOISE * noise)
