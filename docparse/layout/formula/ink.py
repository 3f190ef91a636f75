"""The ink of a page image: its connected pieces, and the picture of each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from docparse.layout.chained import grouped
from docparse.layout.formula.symbols import unstyled
from docparse.layout.geometry import corners_of
from docparse.layout.ocr.symbols import Chances
from docparse.pdf.content import PageImage, capped_scale
from docparse.types import Box, corners

FAINT = 0.3  # of the contrast between ink and paper: hairlines of a scan are no darker
SPECK = 4  # pixels: smaller ink is dirt
FINE = 32  # pixels to the em: with 22, of 10 points at 150 dpi, i is read as ι and j as J; 45 did no better
POINT, ALONE = 0.2, 0.5  # em: dots are smaller, and those of an ellipsis nearer to each other
STOP = 1.5  # em: authors set a full stop that far behind its formula
GROWN = 0.04  # em by which strokes grow to meet across a gap of the print


def enlarged(image: PageImage, size: float) -> PageImage:
    """Return the image, twice as fine where type of `size` points is so small in its pixels that dots are specks."""
    height, width = (side / image.scale for side in image.pixels.shape[:2])
    scale, _ = capped_scale(width, height, 2 * 72 * image.scale)
    if size * image.scale >= FINE or scale <= image.scale:
        return image
    pixels = cv2.resize(image.pixels, (round(width * scale), round(height * scale)), interpolation=cv2.INTER_CUBIC)
    return PageImage(pixels, scale)


@dataclass(frozen=True)
class InkShape:
    """Ink that is one symbol or a piece of it. `box` is in pixels, `labels` are those of its connected pieces."""

    labels: tuple[int, ...]
    box: Box
    chances: Chances = ()

    @property
    def char(self) -> str:
        return self.chances[0][0]

    @property
    def sure(self) -> float:
        return self.chances[0][1]

    @property
    def known(self) -> float:
        """Return how sure it is which letter this is, whatever its style and size."""
        letter = unstyled(self.char).casefold()
        return sum(chance for char, chance in self.chances if unstyled(char).casefold() == letter)


class PageInk:
    """The connected pieces of dark ink of a page image, uint8 [height, width].

    `wanted` is given boxes in pixels, float [n, 4], and says which of them are looked at, bool [n].
    """

    def __init__(self, gray: np.ndarray, wanted: Callable[[np.ndarray], np.ndarray]) -> None:
        level, dark = cv2.threshold(gray, 0, 255, cv2.THRESH_BINARY_INV | cv2.THRESH_OTSU)
        paper = float(np.median(gray))
        full = float(np.percentile(gray[dark > 0], 20)) if dark.any() else level
        edge = paper - FAINT * (paper - full)
        self.dark = (gray < edge).astype(np.uint8)
        _, self.labels, stats, _ = cv2.connectedComponentsWithStats(self.dark, connectivity=8)
        self.gray = gray
        boxes = stats[:, :4].astype(np.float64)
        boxes[:, 2:] += boxes[:, :2]
        kept = wanted(boxes) & (stats[:, cv2.CC_STAT_AREA] > SPECK)
        kept[0] = False  # the paper
        self.shapes = [InkShape((i,), Box(*boxes[i].tolist())) for i in np.flatnonzero(kept).tolist()]

    def picture(self, shape: InkShape) -> np.ndarray:
        """Return the ink of a shape alone: float32, 1 where it is as dark as its darker pixels are."""
        height, width = self.gray.shape
        x0, y0 = max(0, int(shape.box.x0) - 2), max(0, int(shape.box.y0) - 2)
        x1, y1 = min(width, int(shape.box.x1) + 2), min(height, int(shape.box.y1) + 2)
        labels, gray = self.labels[y0:y1, x0:x1], self.gray[y0:y1, x0:x1]
        columns, rows = np.arange(x0, x1), np.arange(y0, y1)[:, None]
        own = np.isin(labels, shape.labels) & (columns >= shape.box.x0) & (columns < shape.box.x1)
        own &= (rows >= shape.box.y0) & (rows < shape.box.y1)
        near = cv2.dilate(own.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
        full = float(np.percentile(gray[own], 10)) if own.any() else 0.0
        ink = np.clip((255 - gray.astype(np.float32)) / max(1.0, 255 - full), 0, 1)
        ink[~near | ((labels > 0) & ~own)] = 0
        return ink

    def own(self, shape: InkShape) -> np.ndarray:
        """Return bool [height, width] of the box: pixels of the shape."""
        x0, y0, x1, y1 = (int(v) for v in corners(shape.box))
        return np.isin(self.labels[y0:y1, x0:x1], shape.labels)

    def clusters(self, shapes: Sequence[InkShape], em: float) -> list[list[InkShape]]:
        """Return the shapes, from left to right, that meet when their strokes grow a little."""
        side = 2 * max(1, round(GROWN * em)) + 1
        _, grown = cv2.connectedComponents(cv2.dilate(self.dark, np.ones((side, side), np.uint8)), connectivity=8)

        def label(shape: InkShape) -> int:
            x0, y0, x1, y1 = (int(v) for v in corners(shape.box))
            return int(grown[y0:y1, x0:x1][self.own(shape)].max(initial=0))

        met = grouped((label(shape), shape) for shape in sorted(shapes, key=lambda s: s.box.x0))
        return [cluster for meeting, cluster in met.items() if meeting]

    def cut(self, shape: InkShape, x: int) -> list[InkShape]:
        """Return the parts of a shape before and from column `x` of its box on."""
        own, parts = self.own(shape), []
        for start, end in ((0, x), (x, own.shape[1])):
            rows = np.flatnonzero(own[:, start:end].any(axis=1))
            box = shape.box
            y0, y1 = box.y0 + int(rows[0]), box.y0 + int(rows[-1]) + 1
            parts.append(replace(shape, box=Box(box.x0 + start, y0, box.x0 + end, y1)))
        return parts


def without_dirt(shapes: Sequence[InkShape], em: float) -> list[InkShape]:
    """Return the shapes without dots that have nothing beside them: dirt. A full stop may follow at some distance."""
    boxes = corners_of(shape.box for shape in shapes)
    small = (boxes[:, 2:] - boxes[:, :2]).max(axis=1) < POINT * em

    def is_alone(box: np.ndarray) -> bool:
        apart = np.maximum(boxes[:, :2] - box[2:], box[:2] - boxes[:, 2:])
        before = ~small & (apart[:, 1] < 0) & (boxes[:, 0] < box[0]) & (apart[:, 0] < STOP * em)
        return np.count_nonzero(apart.max(axis=1) < ALONE * em) == 1 and not before.any()

    return [shape for shape, box, dot in zip(shapes, boxes, small, strict=True) if not (dot and is_alone(box))]
