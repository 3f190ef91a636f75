"""Charts: bars on one line, and the labels and axes around a plot."""

from itertools import pairwise

import pytest
from typeset import line, lines, row, rules, word, words_in

from docparse.layout.pictures.charts import bar_charts, with_labels
from docparse.layout.text.lines import Line
from docparse.layout.text.words import Word
from docparse.types import Box

LENGTHS = [40, 75, 20, 110, 60]
FIGURE = Box(100, 100, 400, 300)


@pytest.mark.parametrize(
    "bars, chart",
    [
        ([(100 + 30 * k, 300 - n, 118 + 30 * k, 300) for k, n in enumerate(LENGTHS)], Box(100, 190, 238, 300)),
        ([(100, 100 + 30 * k, 100 + n, 118 + 30 * k) for k, n in enumerate(LENGTHS)], Box(100, 100, 210, 238)),
    ],
    ids=["upright", "lying"],
)
def test_bars_of_several_lengths_on_one_line_are_a_chart(bars, chart):
    labels = [word for x0, y0, _, _ in bars for word in row("12.5", x0, y0 - 5)]
    assert bar_charts(rules(*bars), rules(), []) == bar_charts(rules(*bars), rules(), labels) == [chart]


def test_highlighted_lines_and_cells_are_no_chart():
    sentences = ["a line of a text", "a longer line of the same text", "short", "and one of several words", "the end"]
    texts = [line(text, 60, 103 + 14 * k) for k, text in enumerate(sentences)]
    marked = [(60, 94 + 14 * k, each.box.x1, 106 + 14 * k) for k, each in enumerate(texts)]
    assert bar_charts(rules(*marked), rules(), words_in(*texts)) == []
    cells = [(60, 100 + 20 * k, 60 + w, 120 + 20 * k) for k, w in enumerate(LENGTHS)]
    beside = [(60 + w, 100 + 20 * k, 300, 120 + 20 * k) for k, w in enumerate(LENGTHS)]
    assert bar_charts(rules(*cells, *beside), rules(), []) == []
    striped = [(60, 100 + 40 * k, 400 - 60 * k, 118 + 40 * k) for k in range(4)]
    texts = [line(text, x, 112 + 40 * k) for k in range(4) for x, text in ((64, "Motor"), (140, "hot"))]
    assert bar_charts(rules(*striped), rules(), words_in(*texts)) == []  # the cells of a table
    heads = [(60, 100 + 60 * k, 60 + w, 120 + 60 * k) for k, w in enumerate(LENGTHS[:3])]
    assert bar_charts(rules(*heads, *heads), rules(), []) == []  # painted twice


@pytest.mark.parametrize("unit, chart", [(60, False), (7, True)], ids=["one for all rows", "lengths of their own"])
def test_cells_in_every_second_row_are_no_bars_and_stacked_bars_are(unit, chart):
    merged = [(2, 2, 2), (4, 2), (2, 4), (6,), (2, 2, 2)] if unit == 60 else [(3, 5, 9), (6, 2), (8, 1), (11,), (4, 9)]
    painted = []
    for k, parts in enumerate(merged):
        ends = [100 + unit * sum(parts[:i]) for i in range(len(parts) + 1)]
        painted += [(a, 100 + 24 * k, b, 112 + 24 * k) for a, b in pairwise(ends)]
    assert bool(bar_charts(rules(*painted), rules(), [])) == chart


def test_the_labels_and_the_titles_of_axes_are_part_of_their_chart():
    across = [line(str(1997 + 2 * k), 100 + 60 * k, 309, 7) for k in range(5)]
    down = [line(f"{k / 10}", 86, 106 + 40 * k, 7) for k in range(5)]
    down.append(Line((word("−", 83, 298, 7), *row("0.4", 88, 298, 7))))
    across.append(Line((word("−", 84, 305, 7), *row("6", 90, 305, 7))))  # of the other axis
    turned = Word(text="Gini", box=Box(74, 180, 82, 220), baseline=80, size=7, angle=270)
    labels = [*words_in(*across, *down, line("Year of the count", 220, 320, 7)), turned]
    caption = line("Figure 3 The curves of seven countries, by year", 100, 348)
    [chart] = with_labels([FIGURE], [*labels, *caption.words])
    assert all(chart.holds(*word.box.center) for word in labels)
    assert chart.y1 < caption.box.y0


def test_the_years_beside_the_rail_of_a_timeline_are_text():
    rail = Box(100, 100, 110, 300)
    years = [line(str(1861 + 9 * k), 75, 106 + 40 * k) for k in range(5)]
    assert with_labels([rail], words_in(*years)) == [rail]


def test_lines_of_text_around_a_drawing_are_no_labels():
    around = [*lines(["and so they went on"] * 10, 405, 108), *lines(["a word"] * 10, 65, 108)]
    assert with_labels([FIGURE], words_in(*around, line("The heading of a section", 180, 313))) == [FIGURE]


def test_the_names_of_lying_bars_end_at_them_and_labels_stand_in_rows():
    bars = Box(200, 100, 400, 300)
    names = ["in a stateful scenario", "elsewhere", "next to my application", "as a gateway", "nowhere"]
    wide = [line(text, 0, 0, 8).box.width for text in names]
    ending = [line(text, 197 - wide[k], 110 + 12 * k, 8) for k, text in enumerate(names)]
    months = [line(text, 200 + 60 * k, 309, 8) for k, text in enumerate(["Jan", "Apr", "Jul", "Oct"])]
    years = [line(text, 200 + 60 * k, 319, 8) for k, text in enumerate(["2024", "2024", "2024", "2025"])]
    labels = words_in(*ending, *months, *years)
    [chart] = with_labels([bars], labels)
    assert all(chart.holds(*word.box.center) for word in labels)


def test_chinese_lines_beside_a_small_drawing_are_no_labels():
    code = Box(100, 100, 160, 160)
    beside = [line("发票信息与其他说明及备注内容", 166, 110), line("通行费用及税额合计金额大写", 166, 140)]
    assert with_labels([code], words_in(*beside)) == [code]
    assert with_labels([code], words_in(line("发票", 166, 110), line("通行", 166, 140))) != [code]
