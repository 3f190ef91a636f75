"""Cells that are painted: coloured or outlined boxes that lie edge to edge in rows and columns, without any stroke."""

from __future__ import annotations

import numpy as np

TOUCH = 1.0  # points between the edges of neighbouring cells, as they are rounded


def cell_edges(panels: np.ndarray, rulings: np.ndarray) -> np.ndarray:
    """Return float32 [n, 4]: the edges of painted cells as strokes, none where they tile no whole rectangle.

    `panels` and `rulings` are float32 [m, 4] in points. Cards stand apart, shaded rows have no neighbour beside them,
    and cells coloured within a table that has rules (a heat map) lie near a stroke.
    """
    if len(panels) < 4:
        return np.zeros((0, 4), np.float32)
    x0, y0, x1, y1 = panels.T
    beside = _near(y0, y0) & _near(y1, y1) & (_near(x0, x1) | _near(x1, x0))
    under = _near(x0, x0) & _near(x1, x1) & (_near(y0, y1) | _near(y1, y0))
    cells = panels[beside.any(axis=1) & under.any(axis=1)]
    if len(cells) < 4 or not _tile(cells) or _ruled(cells, rulings):
        return np.zeros((0, 4), np.float32)
    sides = [cells[:, [0, 1, 2, 1]], cells[:, [0, 3, 2, 3]], cells[:, [0, 1, 0, 3]], cells[:, [2, 1, 2, 3]]]
    return np.concatenate(sides).astype(np.float32)


def _near(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """bool [m, m]"""
    return np.abs(first[:, None] - second) <= TOUCH


def _tile(cells: np.ndarray) -> bool:
    """Whether the cells leave no hole in the rectangle around them, but for their rounded edges."""
    whole = np.prod(cells[:, 2:].max(axis=0) - cells[:, :2].min(axis=0))
    covered = np.prod(cells[:, 2:] - cells[:, :2] + TOUCH, axis=1).sum()
    return bool(covered >= whole)


def _ruled(cells: np.ndarray, rulings: np.ndarray) -> bool:
    """Whether a stroke runs over, right above or right below the cells."""
    (left, top), (right, bottom) = cells[:, :2].min(axis=0), cells[:, 2:].max(axis=0)
    row = float(np.median(cells[:, 3] - cells[:, 1]))
    level = (rulings[:, 1] > top - row) & (rulings[:, 1] < bottom + row)
    return bool(np.any(level & (rulings[:, 2] > left) & (rulings[:, 0] < right)))
