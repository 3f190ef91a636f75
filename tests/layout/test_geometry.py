"""Boxes among each other, and as arrays."""

import numpy as np

from docparse.layout.chained import without
from docparse.layout.geometry import boxes_of, corners_of, level_strokes
from docparse.types import Box


def test_boxes_become_an_array_and_come_back():
    boxes = [Box(0.0, 1.0, 2.0, 3.0), Box(4.0, 5.0, 6.0, 7.0)]
    assert boxes_of(corners_of(boxes)) == boxes
    assert corners_of([]).shape == (0, 4)


def test_a_stroke_that_leans_by_a_point_is_level_and_an_upright_one_is_not():
    level, upright = (10, 20, 90, 21), (10, 20, 10, 90)
    assert level_strokes(np.array([level, upright], np.float32)).tolist() == [list(level)]


def test_white_between_boxes_is_below_0_where_they_overlap():
    left, right = Box(0, 0, 10, 10), Box(14, 6, 20, 30)
    assert (left.gap_x(right), right.gap_x(left)) == (4, 4)
    assert left.gap_y(right) == -4


def test_a_low_box_is_level_with_a_high_one_that_most_of_it_stands_beside():
    high = Box(0, 0, 10, 100)
    assert high.is_level(Box(20, 96, 30, 102))
    assert not high.is_level(Box(20, 98, 30, 104))
    assert high.is_level(Box(20, 98, 30, 104), share=0.3)


def test_the_same_things_are_left_out_and_equal_ones_are_not():
    one, other = Box(0, 0, 1, 1), Box(0, 0, 1, 1)
    assert [each is other for each in without([one, other], [one])] == [True]
