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
    correction = detector.angle(PageImage(sideways, prose.scale))
    assert (turned + correction) % 360 == 0


def test_a_blank_page_is_left_as_it_is(detector):
    assert detector.angle(PageImage(np.full((500, 400, 3), 250, np.uint8), 1.0)) == 0


@pytest.mark.parametrize("shape", [(2, 9000, 3), (9000, 1, 3)])
def test_a_ribbon_of_a_page_is_left_as_it_is(detector, shape):
    pixels = np.full(shape, 250, np.uint8)
    assert detector.angle(PageImage(pixels, 1.0)) == 0
    assert deskew_angle(pixels) == 0.0


def test_a_page_that_reads_worse_turned_is_left_as_it_is(prose, detector, monkeypatch):
    """The classifier alone does not turn a page."""
    monkeypatch.setattr(detector, "probabilities", lambda image: np.array([0.02, 0.02, 0.94, 0.02]))
    assert detector.angle(prose) == 0


@pytest.mark.parametrize("lean", [-4.0, -1.2, 0.0, 0.4, 3.1])
def test_the_lean_of_a_scan_is_measured(prose, lean):
    height, width = prose.pixels.shape[:2]
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), -lean, 1.0)  # OpenCV counts counter-clockwise
    pixels = cv2.warpAffine(prose.pixels, turn, (width, height), borderValue=(255, 255, 255))
    assert deskew_angle(pixels) == pytest.approx(lean, abs=0.12)


@pytest.mark.parametrize("lean", [-0.7, 0.3])
def test_the_steps_of_a_coarse_scan_are_not_taken_for_level_lines(prose, lean):
    height, width = prose.pixels.shape[:2]
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), -lean, 1.0)
    pixels = cv2.warpAffine(prose.pixels, turn, (width, height), borderValue=(255, 255, 255))
    coarse = cv2.resize(pixels, (width // 3, height // 3), interpolation=cv2.INTER_AREA)
    enlarged = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
    assert deskew_angle(enlarged) == pytest.approx(lean, abs=0.12)


def test_a_blank_page_does_not_lean():
    assert deskew_angle(np.full((400, 300, 3), 255, np.uint8)) == 0.0
