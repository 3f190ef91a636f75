"""The middle of long lines on a page image."""

from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from docparse.layout.ocr.detector import LineFinder


@pytest.mark.parametrize("speck", [(2, 7), (2, 12), (1, 1)])
def test_a_speck_is_no_long_line(speck):
    seen = np.zeros((40, 100), np.uint8)
    seen[10:13, 10:90] = 1
    seen[30 : 30 + speck[0], 50 : 50 + speck[1]] = 1
    contours = cv2.findContours(seen, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)[0]
    finder = SimpleNamespace(_map=lambda pixels: SimpleNamespace(contours=contours, scale_x=1.0, scale_y=1.0))
    [middle] = LineFinder.spines(finder, seen, 5)
    np.testing.assert_allclose(middle[:, 1], 11)
