"""Groups of lines as blocks."""

import numpy as np
import pytest
from typeset import line

from docparse.layout.blocks import formula_as_text, plain_block, text_block
from docparse.layout.engines import Engines
from docparse.layout.state import PageState
from docparse.layout.text.groups import Group
from docparse.settings import Settings
from docparse.types import Block, Box, Category, Span


@pytest.mark.parametrize(
    "ends, full",
    [((300, 300), True), ((300, 295), True), ((300, 200), False), ((300,), False), ((200, 300), False),
     ((295, 300), True), ((250, 200, 300), True)],
)  # fmt: skip
@pytest.mark.parametrize("number", [float, np.float32], ids=["of the text layer", "of OCR"])
def test_a_text_is_full_whose_last_line_reaches_as_far_as_the_others(ends, full, number):
    group = Group([line("a line of it", 50, 100 + 12 * i, right=number(end)) for i, end in enumerate(ends)])
    block = plain_block(group, Category.TEXT, "text-layer")
    assert block.full is full


@pytest.mark.parametrize(
    "x, ends, full", [(74, (300,), True), (50, (300,), True), (74, (250,), False), (120, (300,), False),
                      (50, (200, 200), False)]
)  # fmt: skip
def test_of_a_line_or_two_the_paragraphs_of_the_column_say_whether_they_are_full(x, ends, full):
    rows = [line("some lines of it", 50, 60 + 12 * i, right=300) for i in range(3)]
    lines = [line("a line of it", x, 100 + 12 * i, right=end) for i, end in enumerate(ends)]
    state = PageState(content=None, engines=Engines(Settings()), source="ocr", groups=[Group(rows), Group(lines)])
    assert text_block(Group(lines), Category.TEXT, state).full is full


def test_the_paragraphs_of_a_page_are_measured_once():
    rows = [Group([line("some lines", 50, 60 + 12 * i, right=300) for i in range(3)]), Group([line("one", 50, 200)])]
    state = PageState(content=None, engines=Engines(Settings()), source="ocr", groups=rows)
    assert state.paragraphs is state.paragraphs and state.paragraphs.tolist() == [[50, 300, 10]]


@pytest.mark.parametrize(
    "spans, category",
    [
        ((Span("\\frac{s}{2}", math=True), Span(" "), Span("T", math=True)), Category.TEXT),
        ((Span("The width "), Span("w", math=True)), Category.SECTION_HEADER),
    ],
)
def test_a_formula_alone_is_no_heading(spans, category):
    block = Block(category=Category.SECTION_HEADER, box=Box(0, 0, 10, 10), spans=spans)
    assert formula_as_text(block).category is category
