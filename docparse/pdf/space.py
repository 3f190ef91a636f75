"""Page space: from PDF user space (origin bottom left, unrotated) to the upright page (origin top left)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike


@dataclass(frozen=True, slots=True)
class PageSpace:
    """The visible box of a page in user space and the clockwise turn (0, 90, 180, 270) that makes it upright."""

    left: float
    bottom: float
    right: float
    top: float
    rotation: int

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the upright page."""
        width, height = self.right - self.left, self.top - self.bottom
        return (height, width) if self.rotation in (90, 270) else (width, height)

    @property
    def matrix(self) -> np.ndarray:
        """float64 [3, 2]: row vectors (x, y, 1) of user space times this are page space."""
        left, bottom, right, top = self.left, self.bottom, self.right, self.top
        rows = {
            0: [[1, 0], [0, -1], [-left, top]],
            90: [[0, 1], [1, 0], [-bottom, -left]],
            180: [[-1, 0], [0, 1], [right, -bottom]],
            270: [[0, -1], [-1, 0], [top, right]],
        }
        return np.array(rows[self.rotation], np.float64)

    def points(self, points: np.ndarray) -> np.ndarray:
        """[..., 2] in user space -> [..., 2] in page space."""
        (a, b), (c, d), (e, f) = self.matrix.tolist()
        x, y = points[..., 0], points[..., 1]  # by hand: matmul is slow on many small matrices
        return np.stack([a * x + c * y + e, b * x + d * y + f], axis=-1)

    def boxes(self, boxes: ArrayLike) -> np.ndarray:
        """[n, 4] boxes given by two opposite corners in user space -> [n, 4] x0, y0, x1, y1 in page space."""
        corners = self.points(np.asarray(boxes, np.float64).reshape(-1, 2, 2))
        one, other = corners[:, 0], corners[:, 1]  # numpy is slow to reduce an axis of two
        return np.concatenate([np.minimum(one, other), np.maximum(one, other)], axis=1)

    def on_page(self, boxes: ArrayLike) -> np.ndarray:
        """The same, clipped to the page."""
        return np.clip(np.nan_to_num(self.boxes(boxes)), 0, [*self.size, *self.size])
