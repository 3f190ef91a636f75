"""Limits over and under the big operators of a scan's running text."""

import pytest
from typeset import markdown, row, word

from docparse.layout.formula.limits import limits_of
from docparse.layout.reader import PageReader
from docparse.pdf import open_document
from docparse.settings import Settings

LINE = [*row("so", 60), word("∑an", 80, width=30), *row("converges for all of them", 120)]
LOWER, UPPER = word("n=1", 79, 112, 7, width=14), word("∞", 82, 88, 5, width=8)
PLACES = {
    "over and under it": ([LOWER, UPPER], ["n=1", "∞"]),
    "what is equal over it": ([word("n=1", 79, 88, 7, width=14)], []),
    "in the size of the line": ([word("n=1", 79, 112, 10, width=14)], []),
    "beside it": ([word("n=1", 99, 112, 7, width=14)], []),
    "far under it": ([word("n=1", 79, 124, 7, width=14)], []),
    "Chinese": ([word("图一", 79, 112, 7, width=14)], []),
}


@pytest.mark.parametrize("small, limits", PLACES.values(), ids=PLACES)
def test_limits_are_small_words_right_over_and_under_an_operator(small, limits):
    words = [*LINE, *small]
    found = limits_of(words)
    assert [words[k].text for own in found.values() for k in own] == limits
    assert all(words[i].text == "∑an" for i in found)


def test_every_operator_of_a_word_has_its_limits():
    small = [word(text, x, 112, 7, width=14) for text, x in (("i=1", 80), ("j=1", 94))]
    words = [*LINE[:1], word("∑∑", 80, width=28), *LINE[2:], *small]
    assert [words[k].text for k in limits_of(words)[1]] == ["i=1", "j=1"]


def test_a_capital_sigma_with_limits_is_a_sum():
    assert limits_of([word("Σ", 80, width=14), *LINE[2:], LOWER]) == {0: (len(LINE) - 1,)}


def test_the_limits_of_a_scan_are_read_with_their_sum(typst_pdf):
    text = "It is so for $limits(sum)_(k=0)^m b_k = c$ as well, and for all of the others."
    pdf = typst_pdf(f'#set page(width: 420pt, height: 120pt)\n#set text(font: "New Computer Modern")\n{text}', "limits")
    with open_document(pdf, name="limits") as document:
        page = PageReader(Settings(ocr="force")).read(document.page(1)).page
    assert [markdown(block.spans) for block in page.blocks] == [
        r"It is so for $\sum_{k = 0}^{m} b_{k} = c$ as well, and for all of the others."
    ]
