"""Rendered pages and engines shared by the tests of the engines."""

import numpy as np
import pytest

from docparse.pdf.content import PageImage

PROSE = """
= Measuring the Tides
The height of the water changes twice a day in most harbours, and once a day in some of them.
Sailors have kept tables of these changes for centuries, long before anyone could explain why they happen.

== Instruments
A simple gauge is a pole with marks. A better one floats inside a tube, so that waves do not disturb the reading,
and draws a line on paper that is pulled along by a clock. Forty years of such paper survive in our archive.
"""


@pytest.fixture(scope="session")
def draw(typst_pdf):
    """`draw(source, dpi=144)` -> image of the first page of a Typst document."""
    import pypdfium2

    def render(source, dpi=144):
        with pypdfium2.PdfDocument(typst_pdf(source, "engines")) as document:
            pixels = document[0].render(scale=dpi / 72).to_numpy()[:, :, 2::-1]
        return PageImage(np.ascontiguousarray(pixels), dpi / 72)

    return render


@pytest.fixture(scope="session")
def prose(draw):
    return draw(f"#set page(width: 420pt, height: 420pt, margin: 40pt)\n{PROSE}")


@pytest.fixture(scope="session")
def ocr():
    from docparse.layout.ocr.engine import OcrEngine

    return OcrEngine(threads=1)


@pytest.fixture(scope="session")
def leaning():
    """`leaning(image, degrees)` -> its pixels, turned clockwise around its middle."""
    import cv2

    def turn(image, degrees):
        height, width = image.pixels.shape[:2]
        matrix = cv2.getRotationMatrix2D((width / 2, height / 2), -degrees, 1.0)  # OpenCV counts counter-clockwise
        return cv2.warpAffine(image.pixels, matrix, (width, height), borderValue=(255, 255, 255))

    return turn
