"""Boxes as arrays and arrays as boxes: [n, 4], of each its left, upper, right and lower edge in points."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from docparse.types import Box, corners

LEANING = 1.2  # points by which the ends of a level stroke differ at most


def corners_of(boxes: Iterable[Box]) -> np.ndarray:
    """Return the boxes as float64 [n, 4]."""
    return np.array(list(map(corners, boxes)), float).reshape(-1, 4)


def boxes_of(rows: np.ndarray) -> list[Box]:
    """Return the rows of an array [n, 4] as boxes."""
    return [Box(*row) for row in rows.tolist()]


def level_strokes(strokes: np.ndarray) -> np.ndarray:
    """Return those of the strokes, float [n, 4], that are level, as the bars of fractions are."""
    return strokes[np.abs(strokes[:, 1] - strokes[:, 3]) < LEANING]
