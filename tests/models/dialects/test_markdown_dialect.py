"""Markdown as models write it: the habits that are fields, and the markup that is read."""

import pytest

from docparse.models.dialects.markdown import MarkdownDialect
from docparse.models.family import Frame
from docparse.types import Block, Box, Category, Cell, Span, Table

FRAME = Frame(Box(0, 0, 100, 100), 200, 200)
TABLE = Table(1, 1, (Cell(0, 0, (Span("a"),)),))


def block(category: Category, text: str = "", math: bool = False, **more: object) -> Block:
    spans = (Span(text, math=math),) if text else ()
    return Block(category=category, box=FRAME.box, spans=spans, **more)  # type: ignore[arg-type]


PAGE = [
    block(Category.PAGE_HEADER, "running"),
    block(Category.TITLE, "A title"),
    block(Category.SECTION_HEADER, "1 Introduction", level=2),
    block(Category.TEXT, "Words."),
    block(Category.LIST_ITEM, "one", marker="•"),
    block(Category.LIST_ITEM, "inner", marker="◦", level=1),
    block(Category.LIST_ITEM, "two", marker="2."),
    block(Category.PICTURE),
    block(Category.CAPTION, "Figure 1"),
    block(Category.TABLE, table=TABLE),
    block(Category.FORMULA, "x = y", math=True),
]


def test_a_page_in_the_default_habits():
    draft = MarkdownDialect().write(PAGE, FRAME)
    assert draft.text == (
        "# A title\n\n## 1 Introduction\n\nWords.\n\n- one\n  - inner\n2. two\n\nFigure 1\n\n"
        "<table><tr><td>a</td></tr></table>\n\n$$\nx = y\n$$"
    )
    assert draft.blocks == (*PAGE[1:7], *PAGE[8:])  # no running header, no picture
    assert [draft.text[start:][:5] for start in draft.starts[:5]] == ["# A t", "## 1 ", "Words", "- one", "  - i"]


def test_a_page_in_other_habits():
    dialect = MarkdownDialect(
        tables="otsl", math=(r"\(", r"\)", r"\[", r"\]"), bullet="*", indent="    ", headings=False, furniture=True
    )
    assert dialect.write(PAGE, FRAME).text == (
        "running\n\nA title\n\n1 Introduction\n\nWords.\n\n* one\n    * inner\n2. two\n\n"
        "Figure 1\n\n<fcel>a<nl>\n\n\\[x = y\\]"
    )


def test_the_number_of_a_formula():
    formula = Block(category=Category.FORMULA, box=FRAME.box, spans=(Span("x = y", math=True), Span(" (3)")))
    assert MarkdownDialect().block(formula) == "$$\nx = y \\tag{3}\n$$"
    assert MarkdownDialect(math=("", "", "", ""), number=r"\quad ({})").block(formula) == r"x = y \quad (3)"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a line\nand another", [("Text", "a line and another")]),
        ("汉字\n汉字", [("Text", "汉字汉字")]),
        ("one\n\n\n\ntwo", [("Text", "one"), ("Text", "two")]),
        ("# T\ntext", [("Title", "T"), ("Text", "text")]),
        ("#hashtag", [("Text", "#hashtag")]),
        ("**Bold heading**", [("Text", "Bold heading")]),
        ("$$x=1$$ (3)", [("Formula", r"x=1 \tag{3}")]),
        ("\\[\nx \\quad (3)\n\\]", [("Formula", r"x \tag{3}")]),
        ("$$\nx\n$$\n\n$$y$$", [("Formula", "x"), ("Formula", "y")]),
        ("$$x$$ where x is", [("Text", "x where x is")]),
        (r"\[1\] A. Author, title", [("Text", "[1] A. Author, title")]),
        ("\\[1] A. Author\n\nb", [("Text", "[1] A. Author"), ("Text", "b")]),
        ("![A chart](page_1.png)", [("Picture", "A chart")]),
        ('<img src="a.png" alt="A chart"/>', [("Picture", "A chart")]),
        ("<center>Figure 1: a </center>", [("Caption", "Figure 1: a")]),
        ("<figcaption>a</figcaption>\nb", [("Caption", "a"), ("Text", "b")]),
        ("<header>a</header>\n\nb", [("Page-header", "a"), ("Text", "b")]),
        ("<footer>a</footer><page_number>14</page_number>", [("Page-footer", "a"), ("Page-footer", "14")]),
        ("<img>A chart</img>", [("Picture", "A chart")]),
        ("<watermark>COPY</watermark>\n\nb", [("Page-header", "COPY"), ("Text", "b")]),
        ('<div style="text-align: center;">a</div>', [("Text", "a")]),
        ("a\n\n---\n\nb", [("Text", "a"), ("Text", "b")]),
        ("```python\nx = 1\n\ny = 2\n```\nafter", [("Code", "x = 1\n\ny = 2"), ("Text", "after")]),
        ("``` Table1\nx = 1\n```", [("Code", "Table1\nx = 1")]),
        ("```markdown\n# T\n\ntext\n```", [("Title", "T"), ("Text", "text")]),
        ("1. one\n2) two", [("List-item", "one"), ("List-item", "two")]),
        ("(a) one\nb) two\n(iv) three", [("List-item", "one"), ("List-item", "two"), ("List-item", "three")]),
        ("in the year\n1984. It was", [("Text", "in the year 1984. It was")]),
        ("·OH radicals\n\n·CH3 reacts", [("Text", "·OH radicals"), ("Text", "·CH3 reacts")]),
        ("F\n· s where s", [("Text", "F · s where s")]),
        ("· one\n· two", [("List-item", "one"), ("List-item", "two")]),
        ("A. Author wrote this", [("Text", "A. Author wrote this")]),
        ("- one\n  going on\n- two", [("List-item", "one going on"), ("List-item", "two")]),
        ("- one\n\ntext", [("List-item", "one"), ("Text", "text")]),
        ("words | with a pipe", [("Text", "words | with a pipe")]),
        ("<table><caption>Table 1</caption><tr><td>a</td></tr></table>", [("Caption", "Table 1"), ("Table", "")]),
        ("<table><tr><td>a</td></tr></table>after", [("Table", ""), ("Text", "after")]),
        ("| a | b |\n|---|:-:|\n| c | d |\ntext", [("Table", ""), ("Text", "text")]),
        ("", []),
        (" \n\n ", []),
    ],
)
def test_markup_is_read(text, expected):
    reading = MarkdownDialect().read(text, FRAME)
    assert [(block.category.value, block.text) for block in reading.blocks] == expected
    assert reading.problems == ()
    assert all(block.source == "vlm" and block.box == FRAME.box for block in reading.blocks)


@pytest.mark.parametrize(
    ("text", "expected", "problem"),
    [
        ("a\n\n\\[x = 1", [("Text", "a"), ("Formula", "x = 1")], "a formula is not closed"),
        ("a\n\n$$\nx = 1", [("Text", "a"), ("Formula", "x = 1")], "a formula is not closed"),
        ("$$x = 1\n\nb", [("Formula", "x = 1"), ("Text", "b")], "a formula is not closed"),
        ("<table><tr><td>a</td><td>b", [("Table", "")], "a table is not closed"),
        ("<table><tr><td>a</td></tr>\n\nafter", [("Table", ""), ("Text", "after")], "a table is not closed"),
        ("```\nx = 1", [("Code", "x = 1")], "a code fence is not closed"),
        ("<center>Figure 1: a", [("Caption", "Figure 1: a")], "<center> is not closed"),
    ],
)
def test_what_is_cut_off_is_read_as_far_as_it_goes(text, expected, problem):
    reading = MarkdownDialect().read(text, FRAME)
    assert [(block.category.value, block.text) for block in reading.blocks] == expected
    assert len(reading.problems) == 1
    assert reading.problems[0].startswith(problem)


@pytest.mark.parametrize(
    "text", ["$$", "$$ $$", "``` fence", "```", "<table>", "<table></table>", "<table> words inside", "<table><tr>"]
)
def test_markup_without_content_is_text(text):
    reading = MarkdownDialect().read(f"before\n\n{text}", FRAME)
    assert [(block.category.value, block.text) for block in reading.blocks] == [("Text", "before"), ("Text", text)]
    assert reading.problems


def test_lists_nest_by_indentation():
    reading = MarkdownDialect().read("- a\n    1. b\n       c\n    2. d\n- e\n\n  - f", FRAME)
    items = [(block.marker, block.level, block.text) for block in reading.blocks]
    assert items == [("•", 0, "a"), ("1.", 1, "b c"), ("2.", 1, "d"), ("•", 0, "e"), ("•", 1, "f")]


def test_extents_are_what_a_block_was_read_from():
    text = "# T\n\n  - one\n    more\n\n<table><tr><td>a</td></tr></table>  \n\nlast \n"
    reading = MarkdownDialect().read(text, FRAME)
    pieces = [text[start:end] for start, end in reading.extents]
    assert pieces == ["# T", "- one\n    more", "<table><tr><td>a</td></tr></table>", "last"]
