"""Lines as OCR reads them, for tests of what comes after the recogniser."""

import numpy as np

from docparse.layout.ocr.detector import LineBox
from docparse.layout.ocr.engine import _Line
from docparse.layout.ocr.recogniser import HEIGHT, Reading


def reading(text, confidence=1.0, centers=None, **more):
    """Return what was read on a line; its characters stand a pixel apart, or at the `centers`."""
    places = np.arange(len(text), dtype=float) if centers is None else np.asarray(centers, float)
    return Reading(text, places, np.full(len(text), confidence), np.zeros(len(text)), **more)


def read_line(said, picture=None, y=20.0, width=100):
    """Return a line with its picture, which is black if none is given."""
    picture = np.zeros((HEIGHT, width, 3), np.uint8) if picture is None else picture
    return _Line(said, picture, LineBox(width / 2, y, width, 20, 0.0), 0, 1.0, 5.0)
