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


@pytest.mark.parametrize("lines, angle", [(7, 90), (20, 0)])
def test_scraps_that_read_well_do_not_hold_a_page_on_its_side(detector, monkeypatch, lines, angle):
    """Unless there are as many of them as lines of the turned page."""
    monkeypatch.setattr(detector, "probabilities", lambda image: np.array([0.3, 0.2, 0.45, 0.05]))
    read = {(60, 80, 3): (0.93, lines), (80, 60, 3): (0.96, 40)}
    monkeypatch.setattr(detector, "_legibility", lambda pixels: read[pixels.shape])
    assert detector.angle(PageImage(np.zeros((60, 80, 3), np.uint8), 1.0)) == angle


@pytest.mark.parametrize("lean, coarse", [(-4.0, 1), (-1.2, 1), (0.0, 1), (0.4, 1), (3.1, 1), (-0.7, 3), (0.3, 3)])
def test_the_lean_of_a_scan_is_measured(prose, leaning, lean, coarse):
    """The steps of a coarse scan, enlarged, are not taken for level lines."""
    pixels = leaning(prose, lean)
    if coarse > 1:
        height, width = pixels.shape[:2]
        pixels = cv2.resize(pixels, (width // coarse, height // coarse), interpolation=cv2.INTER_AREA)
        pixels = cv2.resize(pixels, (width, height), interpolation=cv2.INTER_CUBIC)
    assert deskew_angle(pixels) == pytest.approx(lean, abs=0.12)
