"""Lines on a page image: headlines that are seen whole only from farther away, and the middle of long ones."""

from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from docparse.layout.ocr.detector import LineBox, LineFinder, with_headlines


def box(x0, y0, x1, y1):
    return LineBox((x0 + x1) / 2, (y0 + y1) / 2, x1 - x0, y1 - y0, 0.0)


HEADLINE, TEXT = box(0, 0, 600, 80), box(0, 90, 200, 110)


@pytest.mark.parametrize(
    "pieces, kept",
    [
        ([box(0, 10, 290, 55), box(310, 5, 600, 65)], [HEADLINE]),
        ([box(20, 0, 590, 78)], [box(20, 0, 590, 78)]),
        ([box(0, 0, 600, 35), box(0, 42, 600, 80)], [box(0, 0, 600, 35), box(0, 42, 600, 80)]),
        ([], []),
    ],
    ids=["parts of it were seen", "it was seen whole", "two lines of text", "nothing is there"],
)
def test_a_headline_takes_the_place_of_its_parts(pieces, kept):
    assert with_headlines([TEXT, *pieces], [HEADLINE]) == [TEXT, *kept]


@pytest.mark.parametrize("speck", [(2, 7), (2, 12), (1, 1)])
def test_a_speck_is_no_long_line(speck):
    seen = np.zeros((40, 100), np.uint8)
    seen[10:13, 10:90] = 1
    seen[30 : 30 + speck[0], 50 : 50 + speck[1]] = 1
    contours = cv2.findContours(seen, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)[0]
    finder = SimpleNamespace(find=lambda pixels: [], map=SimpleNamespace(contours=contours, scale_x=1.0, scale_y=1.0))
    [middle] = LineFinder.spines(finder, seen, 5)
    np.testing.assert_allclose(middle[:, 1], 11)
