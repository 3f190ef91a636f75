"""The crop of one region, whose category is known."""

import pytest

from docparse.models.dialects.elements import RegionDialect
from docparse.models.dialects.markdown import MarkdownDialect
from docparse.models.family import Frame
from docparse.types import Block, Box, Category, Span

FRAME = Frame(Box(10, 10, 60, 20), 100, 20)


@pytest.mark.parametrize(
    ("category", "text", "words"),
    [
        (Category.FORMULA, r"\frac{a}{b}", r"\frac{a}{b}"),
        (Category.FORMULA, "$$\nx = y\n$$", "x = y"),
        (Category.FORMULA, r"\[ x = y \]", "x = y"),
        (Category.FORMULA, "$x$", "x"),
        (Category.TITLE, "A title", "A title"),
        (Category.SECTION_HEADER, "## 1 Introduction", "1 Introduction"),
        (Category.CAPTION, "Figure 1:\nA figure", "Figure 1: A figure"),
        (Category.PAGE_HEADER, "# 1", "# 1"),
        (Category.TEXT, "# Parameter:", "# Parameter:"),
        (Category.TABLE, "<fcel>a<nl>", ""),
    ],
)
def test_a_region_is_what_the_layout_says(category, text, words):
    reading = RegionDialect(category).read(text, FRAME)
    assert [(block.category, block.text, block.box) for block in reading.blocks] == [(category, words, FRAME.box)]
    assert reading.extents == ((0, len(text)),)
    assert not reading.boxed


def test_a_region_is_written_bare():
    bare = MarkdownDialect(math=("$", "$", "", ""), headings=False)
    formula = Block(category=Category.FORMULA, box=FRAME.box, spans=(Span("x = y", math=True),))
    heading = Block(category=Category.SECTION_HEADER, box=FRAME.box, spans=(Span("1 Introduction"),))
    assert RegionDialect(Category.FORMULA, bare).write([formula], FRAME).text == "x = y"
    assert RegionDialect(Category.SECTION_HEADER, bare).write([heading], FRAME).text == "1 Introduction"


@pytest.mark.parametrize("text", [r"\( x = y \)", r"\[ x = y \]", r"\(x = y\)", r"\( x = y"])
def test_a_formula_has_no_delimiters(text):
    (block,) = RegionDialect(Category.FORMULA).read(text, FRAME).blocks
    assert (block.text, block.spans[0].math) == ("x = y", True)


@pytest.mark.parametrize(
    ("text", "tex"),
    [
        (r"\( x = 1 \),", "x = 1,"),
        (r"\( x \) (1)", r"x \tag{1}"),
        (r"\( x \). \tag{1}", r"x. \tag{1}"),
        ("$x$ (1)", r"x \tag{1}"),
        ("\\(x = 1\\)\n\\(y = 2\\)", r"x = 1 \\ y = 2"),
        ("$$x = 1$$\n$$y = 2$$", r"x = 1 \\ y = 2"),
        ("$a$, $b$", "a, b"),
        (r"\(x\) and \(y\)", r"\(x\) and \(y\)"),
    ],
)
def test_what_follows_a_formula_hides_no_delimiters(text, tex):
    (block,) = RegionDialect(Category.FORMULA).read(text, FRAME).blocks
    assert (block.text, block.spans[0].math) == (tex, True)


def test_the_lines_of_a_region_are_paragraphs_and_its_dots_items():
    reading = RegionDialect(Category.TEXT).read("Reading:\n· one\n·two\n• three\nAfter it.", FRAME)
    assert [(block.category.value, block.marker, block.text) for block in reading.blocks] == [
        ("Text", "", "Reading:"),
        ("List-item", "•", "one"),
        ("List-item", "•", "two"),
        ("List-item", "•", "three"),
        ("Text", "", "After it."),
    ]


@pytest.mark.parametrize(("text", "category"), [("·OH is a radical", "Text"), ("· one", "List-item")])
def test_one_dot_before_a_letter_is_no_bullet(text, category):
    assert [block.category.value for block in RegionDialect(Category.TEXT).read(text, FRAME).blocks] == [category]
