"""Bold words of page images: by the weight of their strokes, of each word and of a line as a whole."""

import pytest
from typeset import lines, numbered, words_in

from docparse.layout.ocr.boldness import embolden

PROSE = ["several words of common type that fill a line"] * 6
HEAVY = dict.fromkeys(("Newton's", "second", "principle"), 1.24)


@pytest.mark.parametrize(
    "text, relative, bold",
    [
        ("1. Newton's second principle", HEAVY, ["Newton's", "second", "principle"]),
        ("1. Newton's second principle", HEAVY | {"second": 1.0}, []),
        ("second", HEAVY, []),
    ],
    ids=["all words but the number", "not all words", "a word alone"],
)
def test_a_line_of_words_that_are_heavy_all_of_them_is_bold_and_its_light_number_is_not(text, relative, bold):
    words = numbered(words_in(*lines([*PROSE, text, *PROSE], 50)))
    weights = [0.1 * relative.get(word.text, 1.0) for word in words]  # a tenth of the size is usual
    assert [word.text for word in embolden(words, weights) if word.bold] == bold


def test_the_number_before_a_bold_chinese_line_is_bold_where_few_numbers_tell():
    texts = ["传统的居民改变了市场"] * 32
    words = numbered(words_in(*lines([*texts, "3.1 重要的学生", *texts[:2], "2 传统的居民"], 50)))
    weights = [0.2 if word.text == "重要的学生" else 0.1 for word in words]
    assert [word.text for word in embolden(words, weights) if word.bold] == ["3.1", "重要的学生"]


def test_a_chinese_line_of_a_few_characters_is_as_long_as_a_line_of_twice_as_many_letters():
    texts = ["传统的居民改变了市场", "主要的环境改变了医院"] * 16
    words = numbered(words_in(*lines([*texts, "研究报告", "研究", *texts], 50)))
    weights = [0.124 if word.text.startswith("研究") else 0.1 for word in words]
    assert [word.text for word in embolden(words, weights) if word.bold] == ["研究报告"]


def test_a_name_in_a_bold_chinese_line_is_bold_where_few_names_tell():
    texts = ["传统的居民改变了市场"] * 8
    words = numbered(words_in(*lines([*texts, "Debian 研究报告 HTTP", "Debian 市场", *texts], 50)))
    weights = [0.15 if word.text == "研究报告" else 0.1 for word in words]
    assert [word.text for word in embolden(words, weights) if word.bold] == ["Debian", "研究报告", "HTTP"]


@pytest.mark.parametrize("count, bold", [(9, True), (4, False)])
def test_a_page_of_few_long_chinese_lines_has_a_usual_weight(count, bold):
    words = numbered(words_in(*lines([*["传统的居民改变了市场主要的环境"] * count, "重要的学生"], 50)))
    weights = [0.2 if word.text == "重要的学生" else 0.1 for word in words]
    assert [word.text for word in embolden(words, weights) if word.bold] == ["重要的学生"] * bold


def test_heavy_figures_and_short_words_that_follow_each_other_to_a_bold_one_are_bold():
    words = numbered(words_in(*lines([*PROSE, "3 It is washed", *PROSE], 50)))
    heavy = {"3": 1.5, "It": 1.8, "is": 1.4, "washed": 1.6}
    weights = [0.1 * heavy.get(word.text, 1.0) for word in words]
    assert [word.text for word in embolden(words, weights) if word.bold] == list(heavy)
