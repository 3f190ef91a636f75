"""Figures by their captions: what is drawn between a caption and the nearest text."""

import pytest
from typeset import line, lines, rules

from docparse.layout.pictures.figures import captioned_figures
from docparse.types import Box, union

PROSE = lines(["a line of running text that fills most of the column"] * 4, 60, 108)
CAPTION = line("Figure 3: The error of two models over the number of samples", 60, 360)
NEAR = line(CAPTION.text, 60, 330)
AFTER = lines(["a line of running text that fills most of the column"] * 4, 60, 400)
PLOTS = [Box(80, 190, 180, 300), Box(200, 190, 300, 300)]
AXES = [(80, 300, 180, 300), (80, 190, 80, 300), (120, 290, 120, 300)]  # a frame and a bar


def figures(labels=(), turned=(), drawn=(), panels=(), strokes=(), caption=CAPTION, text=(*PROSE, *AFTER)):
    return captioned_figures([*text, *labels, caption], turned, drawn, rules(*panels), rules(*strokes))


def captioned(text, baseline=360):
    return line(text, 60, baseline)


ABOVE, CHINESE = (
    captioned("Figure 3: The error of two models over the samples", 175),
    captioned("图表 3： 两个模型的误差", 175),
)
LABELS = [*(line(str(k), 90 + 40 * k, 310, 7) for k in range(5)), line("Samples", 170, 320, 7),
          line("(a) one   (b) two", 110, 332)]  # fmt: skip
AXIS, TITLE = line("Error", 65, 250, 7), line("The number of samples " * 3, 70, 311, 6.5)
RULE = (58, 178, 330, 178)
LISTING = [line("if x < y: return x", 85, 200 + 12 * k) for k in range(8)]
FIGURES = {  # what stands around the caption, and the figures
    "plots under a heading, with their labels": (
        {"labels": [*LABELS, line("4. A section", 60, 180, 11)], "turned": [AXIS], "drawn": PLOTS},
        [union([*PLOTS, AXIS.box, *(label.box for label in LABELS)])]),
    "under its caption": ({"drawn": PLOTS, "caption": ABOVE}, [union(PLOTS)]),
    "a sentence that names a figure": (
        {"drawn": PLOTS, "caption": captioned("Figure 3 shows the error of two models over the samples")}, []),
    "the caption of a table": (
        {"drawn": PLOTS, "caption": captioned("Table 3: The error of two models over the number of samples")}, []),
    "no caption": ({"drawn": PLOTS, "caption": captioned("A line of the text that names no figure at all")}, []),
    "strokes alone": ({"strokes": [*AXES, (60, 50, 330, 50)], "caption": NEAR}, [Box(80, 190, 180, 300)]),
    "strokes around a listing": ({"labels": LISTING, "strokes": AXES, "caption": NEAR}, []),
    "rules over nothing": ({"strokes": [(60, 170, 300, 170), (60, 300, 300, 300)], "caption": NEAR}, []),
    "a chart with a title in small type": (
        {"labels": [TITLE], "drawn": PLOTS, "caption": NEAR}, [union([*PLOTS, TITLE.box])]),
    "Chinese, which may name chart and table in one": ({"drawn": PLOTS, "caption": CHINESE}, [union(PLOTS)]),
    "a rule at the caption that is wider than the text": (
        {"drawn": PLOTS, "caption": captioned("图表 3： 误差", 175), "strokes": [RULE],
         "text": lines(["短文字一行一行一行"] * 3, 60, 400)}, [union(PLOTS)]),
    "an underlined caption": (
        {"drawn": PLOTS, "caption": line("Figure 3", 120, 330), "strokes": [(120, 331.5, 157, 331.5)]}, [union(PLOTS)]),
    "two low rows of cells": (
        {"strokes": [*((60, y, 330, y) for y in (290, 304, 318)), *((x, 290, x, 318) for x in (60, 150, 240, 330))],
         "caption": NEAR}, []),
    "a note on the source under it": (
        {"labels": [line("资料来源：局", 80, 308)], "drawn": PLOTS, "caption": CHINESE}, [union(PLOTS)]),
}  # fmt: skip


@pytest.mark.parametrize("page, found", FIGURES.values(), ids=FIGURES)
def test_what_is_drawn_at_a_caption_is_one_figure_with_its_labels(page, found):
    assert figures(**page) == found


def test_a_figure_stands_under_the_last_line_of_its_caption():
    caption = lines([ABOVE.text, "and what else there is to say of it, in a line or two more"], 60, 151)
    found = captioned_figures([*PROSE[:2], *caption, *AFTER], [], PLOTS, rules(), rules())
    assert found == [union(PLOTS)]


def in_type(text, x, baseline, size, font):
    return line(text, x, baseline, size, font=font)


@pytest.mark.parametrize("font, is_label", [("Helvetica", True), ("Roman", False), ("Bold", False)])
def test_titles_in_large_type_are_labels_in_the_type_of_the_labels(font, is_label):
    text = lines([PROSE[0].text] * 4, 60, 108, font="Roman")
    ticks = [in_type(str(k), 90 + 40 * k, 310, 7, "Helvetica") for k in range(5)]
    title = in_type("One model", 150, 184, 12, font)
    caption = line(CAPTION.text, 60, 345, font="Roman")
    found = captioned_figures([*text, title, *ticks, caption], [], PLOTS, rules(), rules())
    assert [box.y0 < 180 for box in found] == [is_label]


@pytest.mark.parametrize(
    "text, bold, is_label",
    [
        ("Main results", True, False),
        ("4.1 Main results", False, False),
        ("4. Results", False, False),
        ("0.5 1.0 1.5", False, True),
        ("Main results", False, True),
    ],
)
def test_a_heading_in_the_type_of_the_labels_is_none(text, bold, is_label):
    prose = lines([PROSE[0].text] * 4, 60, 108, font="Times")
    label = line("Encoder", 100, 250, 9, font="Times-Bold", bold=bold)
    head = line(text, 120, 184, 10.9, font="Times-Bold", bold=bold)
    caption = line(CAPTION.text, 60, 330, font="Times")
    [found] = captioned_figures([*prose, head, label, caption], [], PLOTS, rules(), rules())
    assert (found.y0 < 180) == is_label


def test_what_stands_between_a_figure_and_its_caption_is_no_heading():
    name = line("the surface of it", 150, 314, 13)
    assert figures(labels=[name], drawn=PLOTS, caption=NEAR) == [union([*PLOTS, name.box])]


def test_a_frame_parts_a_figure_from_the_column_beside_it():
    title = line("a title that stands over both of the columns and is wide", 60, 140, 14, right=560)
    beside = lines(["a line of text", "and one more"] * 4, 60, 200)
    frame = rules((320, 150, 560, 150), (320, 150, 320, 320), (560, 150, 560, 320), (320, 320, 560, 320))
    caption = line("Figure 1: a model", 400, 160)
    found = captioned_figures([title, *beside, caption], [], [Box(330, 180, 550, 310)], rules(), frame)
    assert found and all(box.x0 >= 320 for box in found)


def test_a_title_over_both_columns_does_not_say_how_wide_the_column_of_a_figure_is():
    title = line("a title that stands over both of the columns and is wide", 60, 140, 18, right=560)
    beside = lines(["a line of text", "and one more"] * 4, 60, 200, right=322)
    under = lines(["a line of text that is as wide as the column is"] * 3, 320, 360, right=560)
    caption, photo = line("Figure 1: a model", 400, 160), Box(330, 180, 550, 310)
    assert captioned_figures([title, *beside, *under, caption], [], [photo], rules(), rules()) == [photo]


@pytest.mark.parametrize("strokes", [(), [(60, 338, 330, 338)]], ids=["no rule", "a rule under both"])
def test_what_belongs_to_another_caption_is_another_figure(strokes):
    left, right = line("Figure 1: one model", 90, 330), line("Figure 2: the other", 205, 330)
    whole = lines(["a line of running text that fills most of the column"] * 3, 60, 370)
    assert captioned_figures([*PROSE, left, right, *whole], [], PLOTS, rules(), rules(*strokes)) == PLOTS
