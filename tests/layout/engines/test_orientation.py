"""Which way up a page is and how far it leans."""

import cv2
import numpy as np
import pytest

from docparse.layout.ocr.orientation import OrientationDetector, deskew_angle
from docparse.pdf.content import PageImage


@pytest.fixture
def detector(ocr):
    return OrientationDetector(ocr)


@pytest.mark.parametrize("turned", [0, 90, 180, pytest.param(270, marks=pytest.mark.thorough)])
def test_a_turned_page_gets_the_rotation_that_makes_it_upright(prose, detector, turned):
    sideways = np.ascontiguousarray(np.rot90(prose.pixels, -turned // 90))  # clockwise
    assert (turned + detector.angle(PageImage(sideways, prose.scale))) % 360 == 0


@pytest.mark.parametrize("shape", [(500, 400, 3), (2, 9000, 3), (9000, 1, 3)], ids=["blank", "wide", "high"])
def test_a_blank_page_and_a_ribbon_of_one_are_left_as_they_are(detector, shape):
    pixels = np.full(shape, 250, np.uint8)
    assert detector.angle(PageImage(pixels, 1.0)) == 0
    assert deskew_angle(pixels) == 0.0


def test_a_page_that_reads_worse_turned_is_left_as_it_is(prose, detector, monkeypatch):
    """The classifier alone does not turn a page."""
    monkeypatch.setattr(detector, "probabilities", lambda image: np.array([0.02, 0.02, 0.94, 0.02]))
    assert detector.angle(prose) == 0


@pytest.mark.parametrize("lean, coarse", [(-4.0, 1), (-1.2, 1), (0.0, 1), (0.4, 1), (3.1, 1), (-0.7, 3), (0.3, 3)])
def test_the_lean_of_a_scan_is_measured(prose, leaning, lean, coarse):
    """The steps of a coarse scan, enlarged, are not taken for level lines."""
    pixels = leaning(prose, lean)
    if coarse > 1:
        height, width = pixels.shape[:2]
        pixels = cv2.resize(pixels, (width // coarse, height // coarse), interpolation=cv2.INTER_AREA)
        pixels = cv2.resize(pixels, (width, height), interpolation=cv2.INTER_CUBIC)
    assert deskew_angle(pixels) == pytest.approx(lean, abs=0.12)
