"""Figures by their captions: what is drawn between a caption and the nearest text."""

import pytest
from typeset import line, lines, rules

from docparse.layout.figures import captioned_figures
from docparse.types import Box, union

PROSE = lines(["a line of running text that fills most of the column"] * 4, 60, 108)
CAPTION = line("Figure 3: The error of two models over the number of samples", 60, 360)
NEAR = line(CAPTION.text, 60, 330)
AFTER = lines(["a line of running text that fills most of the column"] * 4, 60, 400)
PLOTS = [Box(80, 190, 180, 300), Box(200, 190, 300, 300)]
AXES = [(80, 300, 180, 300), (80, 190, 80, 300), (120, 290, 120, 300)]  # a frame and a bar


def figures(labels=(), turned=(), drawn=(), panels=(), strokes=(), caption=CAPTION, text=(*PROSE, *AFTER)):
    return captioned_figures([*text, *labels, caption], turned, drawn, rules(*panels), rules(*strokes))


def test_the_plots_between_a_text_and_a_caption_are_one_figure_with_their_labels():
    ticks = [line(str(k), 90 + 40 * k, 310, 7) for k in range(5)]
    title, heading = line("Samples", 170, 320, 7), line("4. A section", 60, 180, 11)
    axis, letters = line("Error", 65, 250, 7), line("(a) one   (b) two", 110, 332)
    [figure] = figures([*ticks, title, heading, letters], [axis], PLOTS)
    assert figure == union([*PLOTS, axis.box, *(tick.box for tick in ticks), title.box, letters.box])


def test_a_figure_may_stand_under_its_caption():
    caption = line("Figure 3: The error of two models over the samples", 60, 175)
    assert figures(drawn=PLOTS, caption=caption) == [union(PLOTS)]


@pytest.mark.parametrize(
    "caption",
    [
        "Figure 3 shows the error of two models over the samples",
        "Table 3: The error of two models over the number of samples",
        "A line of the text that names no figure at all",
    ],
)
def test_without_a_caption_there_is_no_figure(caption):
    assert figures(drawn=PLOTS, caption=line(caption, 60, 360)) == []


def test_strokes_alone_are_a_figure_where_little_is_printed_between_them():
    assert figures(strokes=[*AXES, (60, 50, 330, 50)], caption=NEAR) == [Box(80, 190, 180, 300)]
    listing = [line("if x < y: return x", 85, 200 + 12 * k) for k in range(8)]
    assert figures(listing, strokes=AXES, caption=NEAR) == []
    assert figures(strokes=[(60, 170, 300, 170), (60, 300, 300, 300)], caption=NEAR) == []  # rules over nothing


def test_the_title_of_a_chart_in_small_type_does_not_end_the_figure():
    title = line("The number of samples on which the two models were trained before", 70, 311, 6.5)
    assert figures([title], drawn=PLOTS, caption=NEAR) == [union([*PLOTS, title.box])]


def test_what_belongs_to_another_caption_is_another_figure():
    left, right = line("Figure 1: one model", 90, 330), line("Figure 2: the other", 205, 330)
    whole = lines(["a line of running text that fills most of the column"] * 3, 60, 370)
    found = captioned_figures([*PROSE, left, right, *whole], [], PLOTS, rules(), rules())
    assert found == PLOTS


def test_a_chinese_caption_may_name_chart_and_table_in_one():
    caption = line("图表 3： 两个模型的误差", 60, 175)
    assert figures(drawn=PLOTS, caption=caption) == [union(PLOTS)]


def test_between_the_rules_at_a_caption_and_at_the_end_of_its_figure_all_labels_belong_to_the_drawing():
    caption = line("图表 3： 两个模型的误差", 60, 175)
    axis = line("samples", 290, 330)  # far from what is drawn, and beside it
    ends = [(58, 178, 330, 178), (58, 350, 330, 350)]
    assert figures([axis], drawn=PLOTS, caption=caption, strokes=ends) == [union([*PLOTS, axis.box])]
    assert figures([axis], drawn=PLOTS, caption=caption, strokes=ends[:1]) == [union(PLOTS)]


def test_a_figure_is_as_wide_as_the_rule_at_its_caption():
    caption = line("图表 3： 误差", 60, 175)
    text = lines(["短文字一行一行一行"] * 3, 60, 400)
    assert figures(drawn=PLOTS, caption=caption, strokes=[(58, 178, 330, 178)], text=text) == [union(PLOTS)]


def test_a_note_on_the_source_ends_the_figure_over_it():
    caption, source = line("图表 3： 两个模型的误差", 60, 175), line("资料来源：局", 80, 308)
    assert figures([source], drawn=PLOTS, caption=caption) == [union(PLOTS)]
