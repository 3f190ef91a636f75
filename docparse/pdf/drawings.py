"""Drawings: where paths with curves and slanting lines lie close together, as in plots, diagrams and logos."""

from __future__ import annotations

import numpy as np

from docparse.pdf.paths import Shapes
from docparse.pdf.space import PageSpace

NEAR = 6.0  # points between the parts of one drawing: less than a line of text
SHEET = 0.5  # share of the page that one path covers: a backdrop, part of no drawing
SLIGHT = 0.25  # share of a drawing that its curves span at least: a table with a tick in one cell is none


def drawings(shapes: Shapes, space: PageSpace) -> np.ndarray:
    """Return float32 [n, 4] in page space: the boxes of the page's drawings, clipped to the page."""
    if not any(shapes.curves):
        return np.zeros((0, 4), np.float32)
    import cv2

    width, height = space.size
    boxes = np.clip(np.nan_to_num(space.boxes(np.array(shapes.parts, np.float64))), 0, [width, height, width, height])
    curves = np.array(shapes.curves)
    areas = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    kept = areas < SHEET * width * height
    boxes, curves = boxes[kept], curves[kept]
    scale = 2 / NEAR  # cells: parts that are apart by less touch once each has grown by half of it
    cells = np.zeros((int(height * scale) + 2, int(width * scale) + 2), np.uint8)
    for x0, y0, x1, y1 in np.floor(boxes * scale).astype(int):
        cells[y0 : y1 + 2, x0 : x1 + 2] = 1
    _, labels = cv2.connectedComponents(cells, connectivity=8)
    corners = np.floor(boxes[:, :2] * scale).astype(int)
    of = labels[corners[:, 1], corners[:, 0]]
    found = [_extent(boxes[of == label], boxes[(of == label) & curves]) for label in np.unique(of[curves])]
    return np.array([box for box in found if box is not None], np.float32).reshape(-1, 4)


def _extent(parts: np.ndarray, curves: np.ndarray) -> np.ndarray | None:
    whole, drawn = _union(parts), _union(curves)
    area, core = ((box[2] - box[0]) * (box[3] - box[1]) for box in (whole, drawn))
    return whole if core >= SLIGHT * area > 0 else None


def _union(boxes: np.ndarray) -> np.ndarray:
    return np.concatenate([boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)])
