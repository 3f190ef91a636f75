"""Where text lines are on a page image: PP-OCR's DB detector (Liao et al., 2020) and its post-processing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import cos, radians, sin

import cv2
import numpy as np

from docparse.layout.ocr.onnx import open_session, shipped_model

LONG = 8  # times as long as high is a line that tells how the paper lies
BAND = 3  # heights that a region is wide at least that may hold a line: no drop cap is as wide as a third of it
# PP-OCR's published values
INK_PROBABILITY = 0.3  # a pixel of the map belongs to text
LINE_PROBABILITY = 0.5  # mean of the map inside a line
UNCLIP = 1.6  # lines are learned shrunk; they grow back by area * UNCLIP / perimeter
# Detection runs on a page just large enough: the long side at which the smaller type is 10 pixels high, in this range.
# On one thread 960 costs 0.20 s, 1280 0.37 s, 1600 0.56 s; 960 for all loses up to 0.2 of the words of 6-point type.
LONG_SIDE = (960, 1600)
TYPE_HEIGHT = 10
DRAWN = 4.0  # line heights: no letter and no bracket of a formula of two rows is as long as strokes between cells


@dataclass(frozen=True, slots=True)
class LineBox:
    """A rotated rectangle in pixels: centre, extents along and across the line, and its tilt in degrees (-45..45]."""

    x: float
    y: float
    width: float
    height: float
    tilt: float

    def scaled(self, factor: float) -> LineBox:
        """Return the same line on an image `factor` times as fine."""
        return LineBox(self.x * factor, self.y * factor, self.width * factor, self.height * factor, self.tilt)

    @property
    def corners(self) -> np.ndarray:
        """float32 [4, 2]: where its corners are, x and y."""
        return cv2.boxPoints(((self.x, self.y), (self.width, self.height), self.tilt))

    def widened(self, margin: float) -> LineBox:
        """Return the box with `margin` pixels more along the longer extent, half of it at each end."""
        if self.width >= self.height:
            return LineBox(self.x, self.y, self.width + margin, self.height, self.tilt)
        return LineBox(self.x, self.y, self.width, self.height + margin, self.tilt)

    def turned(self, degrees: int) -> LineBox:
        """Return the same rectangle as a line that runs so many degrees, whole quarter turns, clockwise of it."""
        width, height = (self.height, self.width) if degrees % 180 else (self.width, self.height)
        return LineBox(self.x, self.y, width, height, self.tilt + degrees)

    def to_page(self) -> np.ndarray:
        """float64 [2, 3]: maps (along, across), measured from the line's top left corner, to pixels of the page."""
        c, s = cos(radians(self.tilt)), sin(radians(self.tilt))
        left, top = -self.width / 2, -self.height / 2
        return np.array([[c, -s, self.x + c * left - s * top], [s, c, self.y + s * left + c * top]])

    def within(self, shape: tuple[int, ...]) -> tuple[slice, slice]:
        """Return the rows and columns of whole pixels around it on an image of this shape, never none."""
        height, width = shape[:2]
        x0, y0 = np.clip(np.floor(self.corners.min(axis=0)).astype(int), 0, (width - 1, height - 1)).tolist()
        x1, y1 = np.clip(np.ceil(self.corners.max(axis=0)).astype(int) + 1, (x0 + 1, y0 + 1), (width, height)).tolist()
        return slice(y0, y1), slice(x0, x1)


class LineFinder:
    """Finds text lines; the model is read when the object is made. It remembers the picture that it saw last."""

    def __init__(self, threads: int = 1) -> None:
        self.session = open_session(shipped_model("rapidocr", "models", "PP-OCRv6_det_small.onnx"), threads)
        self.last: tuple[np.ndarray, _Map] | None = None

    def find(self, pixels: np.ndarray) -> list[LineBox]:
        """Return lines of uint8 RGB [height, width, 3] in pixels of that image, in no order."""
        return list(self._map(pixels).boxes)

    def spines(self, pixels: np.ndarray, points: int) -> list[np.ndarray]:
        """Return so many points along the middle of every long line, float [points, 2] in pixels of the image."""
        seen = self._map(pixels)
        found = (_spine(contour, points) for contour in seen.contours)
        return [spine * (seen.scale_x, seen.scale_y) for spine in found if spine is not None]

    def _map(self, pixels: np.ndarray) -> _Map:
        if self.last is None or pixels is not self.last[0]:
            self.last = (pixels, self._look(pixels))
        return self.last[1]

    def _look(self, pixels: np.ndarray) -> _Map:
        height, width = pixels.shape[:2]
        if min(height, width) < 3:
            return _Map(np.zeros((0, 0), np.float32), 1.0, 1.0)
        wanted = max(height, width) * TYPE_HEIGHT / (type_height(pixels) or float("inf"))
        long_side = min(max(height, width), float(np.clip(wanted, *LONG_SIDE)))
        ratio = long_side / max(height, width)
        size = [max(32, round(side * ratio / 32) * 32) for side in (width, height)]
        small = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA if ratio < 0.5 else cv2.INTER_LINEAR)
        blob = cv2.dnn.blobFromImage(small, 1 / 127.5, mean=(127.5, 127.5, 127.5), swapRB=True)
        (probability,) = self.session.run(None, {"x": blob})
        return _Map(probability[0, 0], width / size[0], height / size[1])


def dark_in_light(gray: np.ndarray) -> np.ndarray:
    """Return uint8 like `gray`: 1 for the ink of small type, which is darker than what is around it."""
    return cv2.adaptiveThreshold(gray, 1, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, 31, 15)


def strokes(ink: np.ndarray, length: float, *, down: bool) -> np.ndarray:
    """Return uint8 like `ink`: 1 on strokes of `length` pixels or more that run `down`, or are level, or nearly, as
    those of scans."""
    along, across = ((round(length), 1), (1, 3)) if down else ((1, round(length)), (3, 1))
    return cv2.morphologyEx(cv2.dilate(ink, np.ones(across, np.uint8)), cv2.MORPH_OPEN, np.ones(along, np.uint8))


def type_height(pixels: np.ndarray) -> float:
    """Height in pixels of the smaller letters on the page (lower quartile of the marks that may be letters), 0 if few.

    A mark is a connected piece of ink: mostly a lower-case letter, so this is about the x-height.
    """
    ink = dark_in_light(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY))
    _, _, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    width, height = stats[1:, cv2.CC_STAT_WIDTH], stats[1:, cv2.CC_STAT_HEIGHT]
    letters = (height >= 4) & (height < 80) & (width >= 2) & (width < 3 * height) & (height < 6 * width)
    return float(np.percentile(height[letters], 25)) if letters.sum() > 50 else 0.0


@dataclass(frozen=True)
class _Map:
    """The probability that each place belongs to text, float [height, width], and the pixels of the page in one of the
    map."""

    probability: np.ndarray
    scale_x: float
    scale_y: float

    @cached_property
    def contours(self) -> Sequence[np.ndarray]:
        if not self.probability.size:
            return ()
        mask = cv2.dilate((self.probability > INK_PROBABILITY).astype(np.uint8), np.ones((2, 2), np.uint8))
        return cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)[0]

    @cached_property
    def boxes(self) -> list[LineBox]:
        """The lines of the page, in its pixels."""
        rectangles = (found for contour in self.contours for found in _rectangles(self.probability, contour))
        return [_grown(rectangle, self.scale_x, self.scale_y) for rectangle in rectangles]


def _spine(contour: np.ndarray, points: int) -> np.ndarray | None:
    """The middle of a region at so many places along it, float [points, 2]; None where it is short."""
    x, y, width, height = cv2.boundingRect(contour)
    area = cv2.contourArea(contour) + cv2.arcLength(contour, True) / 2 + 1  # of pixels, not between their centres
    if width**2 < LONG * area:
        return None
    region = _region(contour)
    columns = np.linspace(0.03 * width, 0.97 * width, points).astype(int)
    inside = region[:, columns].astype(float)
    middle = (inside * np.arange(height)[:, None]).sum(axis=0) / inside.sum(axis=0)
    return np.stack([x + columns, y + middle], axis=1)


def _rectangles(probability: np.ndarray, contour: np.ndarray) -> list[cv2.typing.RotatedRect]:
    """The rectangle around a region that the map fills; else those around its bands, which a stroke may join."""
    if _is_filled(probability, whole := cv2.minAreaRect(contour)):
        return [whole]
    x, y, width, height = cv2.boundingRect(contour)
    if width < BAND * height:
        return []
    bands = cv2.morphologyEx(_region(contour), cv2.MORPH_OPEN, np.ones((1, round(width / BAND)), np.uint8))
    contours, _ = cv2.findContours(bands, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE, offset=(x, y))
    return [band for band in map(cv2.minAreaRect, contours) if _is_filled(probability, band)]


def _region(contour: np.ndarray) -> np.ndarray:
    """uint8 [height, width] of the box around a contour: 1 inside of it."""
    x, y, width, height = cv2.boundingRect(contour)
    region = np.zeros((height, width), np.uint8)
    return cv2.drawContours(region, [contour], 0, 1, cv2.FILLED, offset=(-x, -y))


def _is_filled(probability: np.ndarray, rectangle: cv2.typing.RotatedRect) -> bool:
    return min(rectangle[1]) >= 3 and _mean_inside(probability, cv2.boxPoints(rectangle)) >= LINE_PROBABILITY


def _mean_inside(probability: np.ndarray, corners: np.ndarray) -> float:
    x0, y0 = np.maximum(np.floor(corners.min(axis=0)), 0).astype(int)
    x1, y1 = np.ceil(corners.max(axis=0)).astype(int)
    part = probability[y0 : y1 + 1, x0 : x1 + 1]
    mask = np.zeros(part.shape, np.uint8)
    cv2.fillPoly(mask, [np.round(corners - (x0, y0)).astype(np.int32)], 1)
    return cv2.mean(part, mask)[0]


def _grown(rectangle, scale_x: float, scale_y: float) -> LineBox:
    """OpenCV's rectangle, as large as its line, with its width along the direction nearest to x."""
    (x, y), (w, h), angle = rectangle
    grow = 2 * (w * h * UNCLIP / (2 * (w + h)))
    angle = (angle + 90) % 180 - 90
    if angle > 45 or angle <= -45:
        w, h, angle = h, w, angle - 90 if angle > 45 else angle + 90
    # the map's two scales differ by less than 2 %, so a tilted rectangle stays one
    return LineBox(x * scale_x, y * scale_y, (w + grow) * scale_x, (h + grow) * scale_y, angle)
