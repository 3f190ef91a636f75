"""Scales: numbers that grow evenly, and the chart that is drawn beside them."""

import pytest
from typeset import line, word, words_in

from docparse.layout.pictures.scales import charts_by_scales
from docparse.types import Box

CURVE = [Box(110, 150, 200, 260), Box(210, 120, 280, 200)]
LEVELS = ["40%", "30%", "20%", "10%", "0%"]


def scale(texts, x=80, y=110, step=50):
    return [line(text, x, y + step * k, 8) for k, text in enumerate(texts)]


def test_what_is_drawn_beside_a_scale_is_a_chart_and_the_rules_of_the_table_beside_it_are_not():
    grid = [Box(102, 107 + 50 * k, 290, 107.5 + 50 * k) for k in range(5)]
    table = [Box(292, 120, 420, 120.5), Box(292, 280, 420, 280.5)]
    [chart] = charts_by_scales(words_in(*scale(LEVELS)), [*CURVE, *grid, *table])
    assert chart.x0 == 80 and chart.x1 == 290 and chart.y0 < 108 and chart.y1 > 306


def test_a_scale_under_lying_bars_and_one_on_the_right_tell_of_charts_too():
    bars = [Box(100, 100 + 30 * k, 150 + 20 * k, 118 + 30 * k) for k in range(4)]
    [chart] = charts_by_scales(words_in(*(line(str(50 * k), 100 + 60 * k, 225, 8) for k in range(4))), bars)
    assert chart.y0 == 100 and chart.x1 > 270
    assert len(charts_by_scales(words_in(*scale(LEVELS, x=300)), CURVE)) == 1


def test_answers_to_choose_from_in_cells_are_no_scale():
    answers = words_in(*(line(str(k), 100 + 60 * k, 225, 8) for k in range(4)))
    bars = [Box(100, 100 + 30 * k, 150 + 20 * k, 118 + 30 * k) for k in range(4)]
    cells = [Box(85 + 60 * k, 90, 85.5 + 60 * k, 240) for k in range(5)]
    assert charts_by_scales(answers, [*bars, *cells]) == []


@pytest.mark.parametrize("texts", [["2024", "2023", "2022", "2019", "2010"], ["1.", "2.", "3.", "4.", "5."]])
def test_numbers_that_grow_unevenly_or_downwards_are_no_scale(texts):
    assert charts_by_scales(words_in(*scale(texts)), CURVE) == []


def test_the_years_of_a_table_are_no_scale():
    cells = [Box(100 + 60 * k, 100, 160 + 60 * k, 300) for k in range(3)]
    values = [word("12,345,678", 105 + 60 * k, 110 + 20 * j, 12) for k in range(3) for j in range(10)]
    years = [line(str(2024 - k), 70, 110 + 20 * k, 12) for k in range(10)]
    assert charts_by_scales([*words_in(*years), *values], cells) == []
    assert charts_by_scales(words_in(*years), [Box(100, 100, 100.5, 300), Box(160, 100, 160.5, 300)]) == []


def test_boxes_within_characters_are_no_bridge_from_a_chart_to_the_table_over_it():
    chart = [Box(75, 300, 210, 400), Box(75, 398, 210, 398.5)]
    ticks = [line(str(k), 80 + 30 * k, 410, 8) for k in range(5)]
    text = [word("画出图中各点", 80, y, 12, width=72) for y in (272, 284, 296)]
    letters = [Box(82, y - 6, 88, y) for y in (272, 284, 296)]
    table = [Box(75 + 30 * k, 200, 105 + 30 * k, 260) for k in range(5)]
    [found] = charts_by_scales([*words_in(*ticks), *text], [*chart, *letters, *table])
    assert found.y0 == 300


def test_the_same_numbers_right_under_one_another_are_the_rows_of_a_questionnaire():
    bars = [Box(100, 100 + 30 * k, 150 + 20 * k, 118 + 30 * k) for k in range(4)]
    rows = [line(str(50 * k), 100 + 60 * k, 225 + 18 * j, 8) for j in range(3) for k in range(4)]
    assert len(charts_by_scales(words_in(*rows[:4]), bars)) == 1
    assert charts_by_scales(words_in(*rows), bars) == []
