"""Bold words of page images: by the weight of their strokes, of each word and of a line as a whole."""

import pytest
from typeset import lines, numbered, words_in

from docparse.layout.ocr.boldness import embolden

PROSE = ["several words of common type that fill a line"] * 6
HEAVY = dict.fromkeys(("Newton's", "second", "principle"), 1.24)
FIGURES = {"3": 1.5, "It": 1.8, "is": 1.4, "washed": 1.6}
CHINESE, LONG, OTHER = "传统的居民改变了市场", "传统的居民改变了市场主要的环境", "主要的环境改变了医院"
NUMBER = "1. Newton's second principle"
PAGES = {  # lines, the weights of words against usual ones, and the words that are bold
    "a line of heavy words but for its light number": ([*PROSE, NUMBER, *PROSE], HEAVY, [*HEAVY]),
    "not all words of a line": ([*PROSE, NUMBER, *PROSE], HEAVY | {"second": 1.0}, []),
    "a heavy word alone": ([*PROSE, "second", *PROSE], HEAVY, []),
    "heavy figures and short words that follow each other to a bold one": (
        [*PROSE, "3 It is washed", *PROSE], FIGURES, [*FIGURES]),
    "the number before a Chinese line where few numbers tell": (
        [*[CHINESE] * 32, "3.1 重要的学生", CHINESE, CHINESE, "2 传统的居民"], {"重要的学生": 2.0},
        ["3.1", "重要的学生"]),
    "a name in a Chinese line where few names tell": (
        [*[CHINESE] * 8, "Debian 研究报告 HTTP", "Debian 市场", *[CHINESE] * 8], {"研究报告": 1.5},
        ["Debian", "研究报告", "HTTP"]),
    "a Chinese line that is as long as one of twice as many letters": (
        [*[CHINESE, OTHER] * 16, "研究报告", "研究", *[CHINESE, OTHER] * 16], {"研究报告": 1.24, "研究": 1.24},
        ["研究报告"]),
    "a page of a few long Chinese lines": ([*[LONG] * 9, "重要的学生"], {"重要的学生": 2.0}, ["重要的学生"]),
    "a page of too few": ([*[LONG] * 4, "重要的学生"], {"重要的学生": 2.0}, []),
}  # fmt: skip


@pytest.mark.parametrize("texts, relative, bold", PAGES.values(), ids=PAGES)
def test_words_are_bold_that_are_heavier_than_is_usual_and_what_goes_with_them(texts, relative, bold):
    words = numbered(words_in(*lines(texts, 50)))
    weights = [0.1 * relative.get(word.text, 1.0) for word in words]  # a tenth of the size is usual
    assert [word.text for word in embolden(words, weights) if word.bold] == bold


EVEN = "传统的居民改变了市场主要的环境，传统的居民改变"  # a full line
BASE = [*[EVEN] * 12, "传统的居民改变"]
CHANCE = {  # lines that have words which are heavy by chance, by the weights of words against usual ones, or of lines
    "a word in capitals": ([*PROSE, "second BLOOM principle", *PROSE], {"BLOOM": 1.32}, {}),
    "a line whose size is measured too small": (
        [*PROSE, "several zoveel words of muziek", *PROSE], {"muziek": 1.2}, {6: 1.12}),
    "a sign that is read as one Chinese character": ([*BASE, "一 求和 二"], {"一": 3.0, "二": 2.0}, {}),
    "one line in a Chinese sentence": (BASE, {}, {5: 1.35}),
    "an abbreviation in Chinese": ([*BASE[:-1], "QCN、DCTCP"] * 4, {"QCN、DCTCP": 1.3}, {}),
}  # fmt: skip


@pytest.mark.parametrize("texts, relative, by_line", CHANCE.values(), ids=CHANCE)
def test_what_is_a_little_heavy_by_chance_is_not_bold(texts, relative, by_line):
    page = lines(texts, 50)
    words = numbered(words_in(*page))
    weights = [
        0.1 * relative.get(word.text, 1.0) * by_line.get(i, 1.0) for i, line in enumerate(page) for word in line.words
    ]
    assert not any(word.bold for word in embolden(words, weights))


def test_a_bold_line_of_a_sentence_stays_bold_where_the_sentence_is():
    page = lines([*BASE, *[EVEN] * 3], 50)
    weights = [0.12 if i == 14 else 0.15 if i > 12 else 0.1 for i in range(len(page))]
    assert [word.bold for word in embolden(numbered(words_in(*page)), weights)] == [i > 12 for i in range(len(page))]
