"""Tall brackets in the pixels of a page: what stands between two of them is a matrix, and no table."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np

from docparse.pdf.content import PageImage
from docparse.types import Box

TALL, TALLEST = 1.5, 30.0  # em: height of a bracket around more than one row
THIN, WIDE = 0.15, 1.0  # em: strokes are thinner, and no bracket is wider
INKED = 0.6  # share of its box that a bracket fills at most
EVEN = 0.15  # em by which the ends of two brackets of one matrix differ at most
WIDEST = 45.0  # em: of a matrix


def bracketed(image: PageImage, size: float) -> list[Box]:
    """Return the boxes of what stands between two tall brackets, with these, in points, in type of `size` points."""
    em = size * image.scale
    opening, closing = _brackets(cv2.cvtColor(image.pixels, cv2.COLOR_RGB2GRAY), em)
    return [
        Box(*(value / image.scale for value in (left.x0, left.y0, right.x1, right.y1)))
        for left in opening
        if (right := min(_partners(left, closing, em), key=lambda box: box.x0, default=None))
    ]


def _brackets(gray: np.ndarray, em: float) -> tuple[list[Box], list[Box]]:
    """The opening and the closing brackets: halfway up, ink is at the left of the box of the first alone."""
    _, dark = cv2.threshold(gray, 0, 1, cv2.THRESH_BINARY_INV | cv2.THRESH_OTSU)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(dark, connectivity=8)
    width, height, area = stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT], stats[:, cv2.CC_STAT_AREA]
    fit = (height > TALL * em) & (height < TALLEST * em) & (width > THIN * em) & (width < WIDE * em)
    fit &= area < INKED * width * height
    sides: tuple[list[Box], list[Box]] = ([], [])
    for i in np.flatnonzero(fit).tolist():
        x, y, w, h = stats[i, :4].tolist()
        columns = np.flatnonzero(labels[y + h // 2, x : x + w] == i)
        if len(columns) and columns[-1] - columns[0] < 0.5 * w:
            sides[int(columns.mean() > 0.5 * w)].append(Box(x, y, x + w, y + h))
    return sides


def _partners(left: Box, closing: list[Box], em: float) -> Iterator[Box]:
    for right in closing:
        if max(abs(left.y0 - right.y0), abs(left.y1 - right.y1)) < EVEN * em and 0 < right.x0 - left.x1 < WIDEST * em:
            yield right
