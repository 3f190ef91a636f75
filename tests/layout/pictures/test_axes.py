"""Axes with ticks, and the plots along them."""

import pytest
from typeset import line, lines, rules

from docparse.layout.pictures.axes import plots_by_axes
from docparse.layout.pictures.find import labels_apart
from docparse.types import Box

FRAME = [(100, 100, 300, 100), (100, 250, 300, 250), (100, 100, 100, 250), (300, 100, 300, 250)]
ACROSS = [(120 + 40 * k, 250, 120 + 40 * k, 256) for k in range(4)]
UP = [(94, 120 + 30 * k, 100, 120 + 30 * k) for k in range(4)]
BESIDE = [(x0 + 220, y0, x1 + 220, y1) for x0, y0, x1, y1 in FRAME]
STROKES = {
    "a frame with ticks under it": ([*FRAME, *ACROSS], [Box(100, 100, 300, 250)]),
    "two axes": ([FRAME[1], FRAME[2], *ACROSS, *UP], [Box(100, 100, 300, 250)]),
    "two axes that do not meet": (
        [(110, 260, 290, 260), (90, 100, 90, 245), *((x, 260, x, 266) for x in (120, 160, 200))],
        []),
    "two axes that do not meet, both with ticks": (
        [(110, 260, 290, 260), (90, 100, 90, 245), *((x, 260, x, 266) for x in (120, 160, 200)),
         *((84, y, 90, y) for y in (110, 150, 190))],
        [Box(90, 100, 290, 260)]),
    "panels beside each other, one with ticks": ([*FRAME, *ACROSS, *BESIDE], [Box(100, 100, 520, 250)]),
    "a frame": (FRAME, []),
    "a frame with two ticks": ([*FRAME, *ACROSS[:2]], []),
    "strokes that are no ticks, as long as any": (
        [*FRAME, *((120 + 40 * k, 250, 120 + 40 * k, 253 + 2 * k) for k in range(4))], []),
    "rows of cells": ([*FRAME, *ACROSS, (100, 256, 300, 256)], []),
    "columns that are drawn row by row": ([*FRAME, *ACROSS, *((x0, y1, x1, y1 + 6) for x0, _, x1, y1 in ACROSS)], []),
    "the boxes for the letters of a name": (
        [(100, 230, 300, 230), (100, 250, 300, 250), (100, 230, 100, 250), (300, 230, 300, 250),
         *((x, 244, x, 250) for x in range(120, 300, 20))],
        []),
}  # fmt: skip


@pytest.mark.parametrize("strokes, plots", STROKES.values(), ids=STROKES)
def test_what_stands_along_an_axis_with_ticks_is_a_plot(strokes, plots):
    assert plots_by_axes(rules(*strokes)) == plots


@pytest.mark.parametrize(
    "text, plots", [("the tide of the day comes in over it", []), ("a model", [Box(100, 100, 300, 250)])]
)
def test_a_frame_with_ticks_that_running_text_fills_is_no_plot(text, plots):
    assert plots_by_axes(rules(*FRAME, *UP), lines([text] * 6, 105, 130)) == plots


def test_strokes_as_close_as_hatching_are_no_ticks():
    close = [(100 + k / 8, 250, 100 + k / 8, 256) for k in range(1600)]
    assert plots_by_axes(rules(*FRAME, *close)) == []


@pytest.mark.parametrize("charts, labels", [([Box(80, 90, 310, 300)], 2), ([], 0)])
def test_what_is_printed_at_axes_is_a_label_in_type_of_any_size(charts, labels):
    page = [line("the text of a page is in smaller type than these labels are", 60, 60, 10)]
    page += [line("System size", 150, 290, 18), line("-3 -2 -1 0 1 2 3", 100, 268, 18)]
    assert len(labels_apart(page, [Box(80, 90, 310, 300)], charts)[1][0]) == labels
