"""Algorithms between rules: which lines they are, and what stands where."""

import pytest
from typeset import line, numbered, row, rules, words_in

from docparse.layout.code.algorithms import find_algorithms, line_starts, whole_lines
from docparse.layout.reader import PageReader
from docparse.layout.stages import STAGES
from docparse.layout.text.lines import Line
from docparse.pdf import open_document
from docparse.settings import Settings
from docparse.types import Box, Category

UNTAGGED = [stage for stage in STAGES if stage.name != "structure"]
LINES = [line("Algorithm 1 Deferred sending", 52, 100, bold=True), line("if the sky is clear then", 55, 116),
         line("send(queue)", 65, 128), line("end if", 55, 140)]  # fmt: skip
FRAME = ((50, 88, 300, 88), (50, 104, 300, 104), (50, 146, 300, 146))
PAGES = {  # strokes, and how many algorithms there are
    "three rules of one length": (FRAME, 1),
    "no rule under the lines": (FRAME[:2], 0),
    "no rule over the name": (FRAME[1:], 0),
    "the rules of a wider table below": ((*FRAME[:2], (50, 146, 500, 146)), 0),
}


@pytest.mark.parametrize("strokes, count", PAGES.values(), ids=PAGES)
def test_an_algorithm_stands_between_three_rules_with_its_name_under_the_first(strokes, count):
    found = find_algorithms(numbered(words_in(*LINES)), rules(*strokes))
    assert [each.lines for each in found] == [Box(50, 104, 300, 146)] * count


def test_a_sentence_that_names_an_algorithm_under_a_rule_is_none():
    words = numbered(words_in(line("The rule is given in Algorithm 1 below", 52, 100), *LINES[1:]))
    assert find_algorithms(words, rules(*FRAME)) == []


def test_the_columns_of_a_table_may_be_named_after_algorithms():
    head = Line((*row("Algorithm 1", 52, 100), *row("Algorithm 2", 150, 100)))
    assert find_algorithms(numbered(words_in(head, *LINES[1:])), rules(*FRAME)) == []


@pytest.mark.parametrize("count", [False, True])
def test_lines_keep_their_indentation_whether_they_are_numbered_or_not(count):
    numbers = [row(f"{k}:", 30 if k > 9 else 35, 116 + 12 * (k - 9)) if count else [] for k in (9, 10, 11)]
    lines = [Line((*number, *each.words)) for number, each in zip(numbers, LINES[1:], strict=True)]
    assert line_starts(lines) == {0: "\n\u2003", 1: "\n"}


def test_the_number_of_an_indented_line_stands_before_it_however_tall_it_is():
    found = [line("Input: x", 52, 104), line("1: Set y", 55, 116), line("2:", 55, 128), line("z by (7)", 80, 127.6)]
    whole = whole_lines(sorted(found, key=lambda each: each.box.y0))
    assert [each.text for each in whole] == ["Input: x", "1: Set y", "2: z by (7)"]
    assert line_starts(whole) == {0: "\n\u2003", 1: "\n\u2003\u2003"}


FLOAT = """#set page(width: 300pt, height: 300pt, margin: 30pt)
#set text(size: 9pt)
#set par(spacing: 4pt)
The rule that says when to send is given below.
#v(20pt) #line(length: 100%) *Algorithm 1* Deferred sending #line(length: 100%)
Input: a sample $x$

*if* $x <= 2$ *then*

#h(10pt) send it

*end if*
#line(length: 100%) #v(20pt)
It has one case."""


def test_the_lines_of_an_algorithm_keep_their_breaks_and_its_name_is_a_caption(typst_pdf):
    with open_document(typst_pdf(FLOAT), name="page") as document:
        blocks = PageReader(Settings()).read(document.page(1), stages=UNTAGGED).page.blocks
    said = [(block.category, block.text) for block in blocks]
    assert (Category.CAPTION, "Algorithm 1 Deferred sending") in said
    assert (Category.TEXT, "Input: a sample x\nif x \\leq 2 then\n\u2003send it\nend if") in said
