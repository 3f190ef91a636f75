"""Rulings of a scanned page: long thin strokes found by morphology."""

from __future__ import annotations

import numpy as np

from docparse.pdf.content import PageImage


def rulings_from_image(image: PageImage, shortest: float = 24.0) -> np.ndarray:
    """Horizontal and vertical strokes of an image, float32 [n, 4] (x0, y0, x1, y1) in points.

    `shortest` is the least length in points. A slant of up to about one degree is tolerated: strokes are opened in
    stretches and stretches of one stroke joined again.
    """
    import cv2

    gray = cv2.cvtColor(image.pixels, cv2.COLOR_RGB2GRAY)
    ink = cv2.adaptiveThreshold(gray, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, 31, 12)
    found = []
    for horizontal in (True, False):
        mask = ink if horizontal else np.ascontiguousarray(ink.T)
        for x, y, width, height in _strokes(cv2, mask, image.scale, shortest):
            line = (x, y + height / 2, x + width, y + height / 2)
            found.append(line if horizontal else (line[1], line[0], line[3], line[2]))
    return np.array(found, np.float32).reshape(-1, 4) / image.scale


def _strokes(cv2, mask: np.ndarray, scale: float, shortest: float) -> list[tuple[int, int, int, int]]:
    """Boxes (x, y, width, height) in pixels of the horizontal strokes of a binary image."""
    piece = max(9, int(0.5 * shortest * scale))
    opened = cv2.morphologyEx(mask, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_RECT, (piece, 1)))
    closed = cv2.morphologyEx(opened, cv2.MORPH_CLOSE, cv2.getStructuringElement(cv2.MORPH_RECT, (piece // 2, 3)))
    count, _, stats, _ = cv2.connectedComponentsWithStats(closed, connectivity=8)
    boxes = []
    for x, y, width, height, area in stats[1:count].tolist():
        thickness = area / max(width, 1)
        slack = 3.0 * scale + 0.02 * width
        if width >= shortest * scale and thickness <= 2.5 * scale and height <= slack:
            boxes.append((x, y, width, height))
    return boxes
