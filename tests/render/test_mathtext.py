"""A formula is no markup, whether the parser knows mathematics or not, and says the same as before."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from docparse.render.inline import markdown_line
from docparse.render.mathtext import cell_math, display_math, inline_math
from docparse.render.text import latex
from docparse.types import Cell, Span, Table

PIECES = r"""
    < > <b> </b> <img src=x onerror=alert(1)> <!-- --> <?x ?> <a@b.co> <http://x.y> &lt; &amp; &#60; &#x3C; & &&
    \& ` `` \` \\` ![a](b) [a](b) [a][b] ](x) \sqrt[3](x) \\[2pt](y) \( \) $ \$ $$ \\ \ # ## > - + * 1. 2) ===
    --- *** ___ ~~~ ``` | \| \alpha \frac{a}{b} x_1 y^{2} a_b*c {} { } \begin{aligned} \end{aligned} <div
    <script> <style> -x = - : |-| \text{if} ' " ! ? / 5
"""
HOSTILE = st.lists(st.sampled_from([" ", "\n", "\n\n", "", *PIECES.split()]), max_size=10).map("".join)
LATEX = st.one_of(HOSTILE, st.text(max_size=30), st.text(alphabet="<>&`[]()!$|\\a1;#-=*_ {}\n", max_size=24))
EVIL = "<img src=x onerror=alert(1)> [a](javascript:b) ![c](d) &lt;e&gt; `f` <https://g.h>"
FORBIDDEN = {"html_inline", "html_block", "image", "link_open", "code_inline"}


@pytest.fixture(scope="module")
def plain():
    """A parser that knows HTML and tables, and no mathematics."""
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


def kinds(parser, text: str) -> set[str]:
    tokens = parser.parse(text)
    return {token.type for token in tokens} | {child.type for token in tokens for child in token.children or ()}


def meaning(tex: str) -> str:
    """What the substitutions leave alone: without spaces, empty groups and the shape of quotes."""
    tex = re.sub(r"\\(?:Vert|vert)\b ?", "|", tex.replace(r"\|", "|"))
    tex = tex.replace("`", "‘").replace("“", "‘‘")
    return re.sub(r"\s+", "", tex).replace("{}", "")


def shows(tex: str) -> bool:
    return bool(latex(tex))


@given(LATEX, st.sampled_from(["block", "heading", "item", "cell"]))
@example(EVIL, "block")
def test_a_formula_in_a_line_is_no_markup(plain, tex, place):
    line = markdown_line((Span("see "), Span(tex, math=True), Span(" there (x) b> `c` d](e)")), place)
    before = {"block": "", "heading": "## ", "item": "- ", "cell": "| "}[place]
    after = " |\n| --- |" if place == "cell" else ""
    assert not kinds(plain, f"{before}{line}{after}") & FORBIDDEN


@given(LATEX)
@example(EVIL)
def test_a_displayed_formula_is_one_paragraph_without_markup(plain, block, page, to_markdown, tex):
    text = to_markdown(page(1, block("Formula", (Span(tex, math=True),)), block("Text", "After it.")))
    tokens = [token.type for token in plain.parse(text) if token.nesting >= 0 and token.type != "inline"]
    assert tokens == ["paragraph_open"] * (1 + text.startswith("$$"))
    assert not kinds(plain, text) & FORBIDDEN


@given(LATEX.filter(shows))
@example(EVIL)
def test_a_parser_that_knows_mathematics_finds_the_same_formula(parsed, block, page, to_markdown, tex):
    wanted = meaning(latex(tex))
    children = [
        child for token in parsed.tokens(markdown_line((Span(tex, math=True),))) for child in token.children or ()
    ]
    assert [child.type for child in children] == ["math_inline"]
    assert meaning(children[0].content) == wanted
    (formula,) = parsed.tokens(to_markdown(page(1, block("Formula", (Span(tex, math=True),)))))
    assert formula.type == "math_block"
    assert meaning(formula.content) == wanted


@given(LATEX)
@example(EVIL)
def test_a_formula_in_a_table_is_a_cell_without_markup(plain, block, page, to_markdown, tex):
    table = Table(1, 2, (Cell(0, 0, (Span(tex, math=True),)), Cell(0, 1, (Span("`b` c](d) e>"),))))
    pipes = to_markdown(page(1, block("Table", table=table)), tables="gfm")
    assert [token.type for token in plain.parse(pipes)].count("th_open") == 2
    assert not kinds(plain, pipes) & FORBIDDEN
    html = to_markdown(page(1, block("Table", table=table)), tables="html")
    assert set(re.findall(r"</?(\w+)", html)) <= {"table", "tr", "td", "th", "thead", "tbody"}


@pytest.mark.parametrize(
    ("tex", "written"),
    [
        ("a < b > c", "a < b > c"),
        ("a<b", "a< b"),
        ("x_1^{2} * y_2", "x_1^{2} * y_2"),
        (r"\begin{aligned} a &= b \\ c &= d \end{aligned}", r"\begin{aligned} a &= b \\ c &= d \end{aligned}"),
        ("a&b; c", "a& b; c"),
        (r"\sqrt[3](x)", r"\sqrt[3] (x)"),
        (r"\text{``so''}", r"\text{“so''}"),
        (r"\text{\`e}", r"\text{\`e}"),
    ],
)
def test_only_what_would_be_markup_is_written_another_way(tex, written):
    assert inline_math(tex) == written


@pytest.mark.parametrize(
    ("tex", "written"), [("- x", "-x"), ("> x", "{}> x"), ("===", "{}==="), ("1. x", "{}1. x"), ("x - y", "x - y")]
)
def test_a_displayed_line_begins_nothing(tex, written):
    assert display_math(tex) == written


def test_a_cell_has_no_pipes():
    assert cell_math(r"|a| \| b") == r"\vert a\vert  \Vert  b"
