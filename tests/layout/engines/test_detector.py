"""Lines on the map of a text detector."""

import numpy as np

from docparse.layout.ocr.detector import _boxes


def test_a_drop_cap_that_hangs_from_a_line_does_not_cost_the_line():
    """The region of both is filled by less than half."""
    probability = np.zeros((200, 400), np.float32)
    probability[50:60, 20:380] = 1
    probability[60:90, 20:30] = 0.4
    (line,) = _boxes(probability, 1.0, 1.0)
    assert line.width > 340 and line.height < 35
