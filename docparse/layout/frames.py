"""Frames: boxes that are drawn or tinted on a page, whose contents are read together: cards, sidebars, notes, forms."""

from __future__ import annotations

import numpy as np

from docparse.types import Box

SMALLEST = 12.0  # points: a line of text with a little air
TOUCH = 2.0  # points between the ends of strokes that meet in a corner
MAX_STROKES = 400  # across and down; a page with more is a drawing or a table


def frames_of(panels: np.ndarray, rulings: np.ndarray) -> list[Box]:
    """Return the frames of a page, in points, each once; `panels` and `rulings` are float32 [n, 4]."""
    found = [Box(*map(float, panel)) for panel in panels] + _closed(rulings)
    large = [box for box in found if min(box.width, box.height) > SMALLEST]
    result: list[Box] = []
    for box in sorted(large, key=lambda box: (box.area, box.y0, box.x0)):
        if not any(box.inside(other) > 0.98 and box.area < 1.02 * other.area for other in result[-8:]):
            result.append(box)
    return result


def _closed(rulings: np.ndarray) -> list[Box]:
    """Boxes whose four sides are strokes of their own, each as long as its side."""
    flat = rulings[rulings[:, 1] == rulings[:, 3]]
    upright = rulings[rulings[:, 0] == rulings[:, 2]]
    if not 0 < len(flat) <= MAX_STROKES or not 0 < len(upright) <= MAX_STROKES:
        return []
    found = []
    for left in upright:
        same = (np.abs(upright[:, [1, 3]] - left[[1, 3]]) < TOUCH).all(axis=1) & (upright[:, 0] > left[0] + SMALLEST)
        for right in upright[same]:
            ends = (np.abs(flat[:, [0, 2]] - (left[0], right[0])) < TOUCH).all(axis=1)
            top, bottom = (ends & (np.abs(flat[:, 1] - y) < TOUCH) for y in (left[1], left[3]))
            if top.any() and bottom.any():
                found.append(Box(*map(float, (left[0], left[1], right[0], right[3]))))
    return found
