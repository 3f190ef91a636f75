"""Do the pixels of a page show anything where a piece of text is said to stand? Asked about many boxes at once."""

from __future__ import annotations

import numpy as np

from docparse.pdf.content import PageImage

FAINT = 8  # levels of 255 between neighbouring pixels: less is not seen on a clean page
NOISE = 3.0  # times the contrast of empty paper: so much is a mark
SAME = 5  # levels of 255 between colours that nobody tells apart


class Pixels:
    """The pixels of a page; boxes are float64 [k, 4] (x0, y0, x1, y1) in points."""

    def __init__(self, image: PageImage) -> None:
        self._pixels, self._scale = image.pixels, image.scale
        self._ink = _Shares(_ink(image.pixels))

    def has_ink(self, boxes: np.ndarray) -> np.ndarray:
        """Return bool [k]: whether anything stands out in each box; True for one without pixels."""
        share = self._ink.within(boxes * self._scale)
        return ~(share == 0)

    def share_of(self, color: np.ndarray, boxes: np.ndarray) -> np.ndarray:
        """Return float [k]: the share of the pixels that have `color` (red, green, blue), as far as an eye can tell."""
        alike = (np.abs(self._pixels.astype(np.int16) - color) <= SAME).all(axis=2)
        return np.nan_to_num(_Shares(alike).within(boxes * self._scale))

    def share_under(self, others: np.ndarray, boxes: np.ndarray) -> np.ndarray:
        """Return float [k]: the share of each box that lies under `others`, boxes too."""
        under = np.zeros(self._pixels.shape[:2], bool)
        for x0, y0, x1, y1 in _corners(others * self._scale, under.shape).tolist():
            under[y0:y1, x0:x1] = True
        return np.nan_to_num(_Shares(under).within(boxes * self._scale))


class _Shares:
    """How much of a box has a property, by a summed area table."""

    def __init__(self, mask: np.ndarray) -> None:
        self.table = np.zeros((mask.shape[0] + 1, mask.shape[1] + 1), np.int64)
        np.cumsum(mask, axis=0, out=self.table[1:, 1:])
        np.cumsum(self.table[1:, 1:], axis=1, out=self.table[1:, 1:])

    def within(self, boxes: np.ndarray) -> np.ndarray:
        """Return float [k], nan for a box that holds no pixel."""
        height, width = self.table.shape
        x0, y0, x1, y1 = _corners(boxes, (height - 1, width - 1)).T
        count = self.table[y1, x1] - self.table[y0, x1] - self.table[y1, x0] + self.table[y0, x0]
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

    contrast = cv2.morphologyEx(pixels, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)).max(axis=2)
    noise = float(np.percentile(contrast[::2, ::2], 25)) if contrast.size else 0.0
    return contrast >= max(FAINT, NOISE * noise)
