"""Signs of formulas that OCR takes for Chinese characters."""

import pytest
from typeset import row, word

from docparse.layout.ocr.operators import with_operators

LINES = {
    "between variables": ("x 二 2n 十 1 一 y", "x = 2n + 1 − y"),
    "behind a Chinese word that holds a formula": ("记h(x) 二 x", "记h(x) = x"),
    "before the first number of a line": ("十 4n", "+ 4n"),
    "between Chinese words": ("第 一 部分", "第 一 部分"),
    "a number before a Chinese word": ("一 2n 二 公式", "一 2n 二 公式"),
    "the number of a section": ("二 AI 应用与发展报告", "二 AI 应用与发展报告"),
    "a part of a name": ("Chapter 二", "Chapter 二"),
    "a row of days": ("一 二 三", "一 二 三"),
}


@pytest.mark.parametrize("said, meant", LINES.values(), ids=LINES)
def test_a_lone_character_among_variables_is_an_operator(said, meant):
    assert [each.text for each in with_operators(row(said, 60))] == meant.split()


def test_a_character_before_a_fraction_stands_beside_both_its_numbers():
    words = [word("二", 60, 100), word("y2", 73, 94), word("y1", 73, 106)]
    assert with_operators(words)[0].text == "="


def test_cells_of_a_table_are_too_far_away():
    words = [word("一", 60, 100), word("12", 120, 100), word("34", 180, 100)]
    assert with_operators(words) == words
