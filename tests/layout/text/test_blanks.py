"""Strokes to write on: which of those that a page draws are blanks of its text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typeset import row, rules, word

from docparse.layout.text.blanks import with_blanks
from docparse.layout.text.line_finding import lines_of
from docparse.layout.text.words import BLANK

BELOW = 102.0  # a stroke just under the baseline at 100
PAGES = {  # words, strokes, and the lines that come of them
    "behind a colon": (row("Date:", 60), [(90, BELOW, 190, BELOW)], ["Date: ____"]),
    "some way behind a colon": ([word("姓名：", 60, width=30)], [(105, BELOW, 190, BELOW)], ["姓名： ____"]),
    "behind an equals sign": (row("so v=", 60), [(88, BELOW, 149, BELOW)], ["so v= ____"]),
    "before what OCR makes too wide": (
        [*row("is k", 60), word("；B", 150, width=16)], [(84, BELOW, 156, BELOW)], ["is k ____ ；B"]),
    "whose end OCR reads": (
        [word("学号：_", 60, width=36), word("_c", 150, width=12)], [(91, BELOW, 156, BELOW)], ["学号：____ c"]),
    "inside a sentence": (
        [*row("the root is", 60), *row("and no other", 180)], [(118, BELOW, 178, BELOW)],
        ["the root is ____ and no other"]),
    "beside Chinese": ([word("姓名", 60, width=20)], [(81, BELOW, 150, BELOW)], ["姓名____"]),
    "between Chinese words": (
        [word("越大", 60, width=20), word("越小。", 150, width=30)], [(80, BELOW, 149, BELOW)], ["越大____ 越小。"]),
    "behind words that are underlined too": (
        [word("考场", 60, width=20), word("三教", 85, width=20), word("室", 200, width=10)], [(84, BELOW, 199, BELOW)],
        ["考场 三教____ 室"]),
    "a blank that is filled in": (
        [*row("Name:", 60), *row("Jane", 120)], [(90, BELOW, 190, BELOW)], ["Name:", "Jane"]),
    "the rule of a heading": (row("Results", 60), [(60, BELOW, 400, BELOW)], ["Results"]),
    "a rule beside a heading": (row("Results", 60), [(100, BELOW, 400, BELOW)], ["Results"]),
    "the rule of another column beside a headline": (
        [word("置文件", 155, size=20, width=60, bold=True)], [(60, BELOW, 150, BELOW)], ["置文件"]),
    "the bar of a fraction": (
        [*row("where:", 60), word("a+b", 100, 95, width=30)], [(98, BELOW - 3, 132, BELOW - 3)], ["where: a+b"]),
    "the border of a cell": (
        row("Date:", 60), [(90, BELOW, 190, BELOW), (190, 60, 190, 160)], ["Date:"]),
    "an underline": (row("many words: here", 60), [(60, BELOW, 140, BELOW)], ["many words: here"]),
}  # fmt: skip


@pytest.mark.parametrize("words, strokes, expected", PAGES.values(), ids=PAGES)
def test_a_stroke_on_the_baseline_is_a_word_where_the_text_leaves_something_out(words, strokes, expected):
    assert [line.text for line in lines_of(with_blanks(words, rules(*strokes)))] == expected


@given(
    st.lists(
        st.tuples(st.sampled_from(["Date:", "是", "and", "B"]), st.integers(0, 20), st.integers(0, 3)), max_size=8
    ),
    st.lists(st.tuples(st.integers(0, 500), st.integers(0, 200), st.integers(0, 3)), max_size=4),
)
def test_blanks_stand_where_nothing_is_printed_and_change_no_word(places, strokes):
    words = [word(text, 60 + 25 * x, 100 + 12 * y) for text, x, y in places]
    drawn = rules(*((60 + x, 102 + 12 * y, 60 + x + width, 102 + 12 * y) for x, width, y in strokes))
    found = with_blanks(words, drawn)
    assert found[: len(words)] == words
    for blank in found[len(words) :]:
        assert blank.text == BLANK
        assert not any(blank.box.overlap_x(w.box) > 4 and abs(w.baseline - blank.baseline) < 1 for w in words)
