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
