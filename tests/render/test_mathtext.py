"""A formula is no markup, whether the parser knows mathematics or not, and says the same as before."""

import re

import pytest
from blocks import block, markdown, math, page
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

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


# knows HTML and tables, and no mathematics
PLAIN = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


def kinds(parser, text):
    tokens = parser.parse(text)
    return {token.type for token in tokens} | {child.type for token in tokens for child in token.children or ()}


def meaning(tex):
    """What the substitutions leave alone: without spaces, empty groups and the shape of quotes."""
    tex = re.sub(r"\\(?:Vert|vert)\b ?", "|", tex.replace(r"\|", "|"))
    tex = tex.replace("`", "‘").replace("“", "‘‘")
    return re.sub(r"\s+", "", tex).replace("{}", "")


@given(LATEX)
@example(EVIL)
def test_a_formula_is_no_markup_wherever_it_stands(tex):
    for place, before, after in (("block", "", ""), ("heading", "## ", ""), ("item", "- ", ""),
                                 ("cell", "| ", " |\n| --- |")):  # fmt: skip
        line = markdown_line((Span("see "), math(tex), Span(" there (x) b> `c` d](e)")), place)
        assert not kinds(PLAIN, f"{before}{line}{after}") & FORBIDDEN
    text = markdown(page(1, block("Formula", (math(tex),)), block("Text", "After it.")))
    tokens = [token.type for token in PLAIN.parse(text) if token.nesting >= 0 and token.type != "inline"]
    assert tokens == ["paragraph_open"] * (1 + text.startswith("$$"))
    assert not kinds(PLAIN, text) & FORBIDDEN
    table = block("Table", table=Table(1, 2, (Cell(0, 0, (math(tex),)), Cell(0, 1, (Span("`b` c](d) e>"),)))))
    pipes = markdown(page(1, table), tables="gfm")
    assert [token.type for token in PLAIN.parse(pipes)].count("th_open") == 2
    assert not kinds(PLAIN, pipes) & FORBIDDEN
    html = markdown(page(1, table), tables="html")
    assert set(re.findall(r"</?(\w+)", html)) <= {"table", "tr", "td", "th", "thead", "tbody"}


@given(LATEX.filter(lambda tex: bool(latex(tex))))
@example(EVIL)
def test_a_parser_that_knows_mathematics_finds_the_same_formula(parsed, tex):
    tokens = parsed.tokens(markdown_line((math(tex),)))
    [child] = [child for token in tokens for child in token.children or ()]
    assert (child.type, meaning(child.content)) == ("math_inline", meaning(latex(tex)))
    (formula,) = parsed.tokens(markdown(page(1, block("Formula", (math(tex),)))))
    assert (formula.type, meaning(formula.content)) == ("math_block", meaning(latex(tex)))


ALIGNED = r"\begin{aligned} a &= b \\ c &= d \end{aligned}"


@pytest.mark.parametrize(
    "write, tex, written",
    [
        (inline_math, "a < b > c", "a < b > c"),
        (inline_math, "a<b", "a< b"),
        (inline_math, "x_1^{2} * y_2", "x_1^{2} * y_2"),
        (inline_math, ALIGNED, ALIGNED),
        (inline_math, "a&b; c", "a& b; c"),
        (inline_math, r"\sqrt[3](x)", r"\sqrt[3] (x)"),
        (inline_math, r"\text{``so''}", r"\text{“so''}"),
        (inline_math, r"\text{\`e}", r"\text{\`e}"),
        (display_math, "- x", "-x"),
        (display_math, "> x", "{}> x"),
        (display_math, "===", "{}==="),
        (display_math, "1. x", "{}1. x"),
        (display_math, "x - y", "x - y"),
        (display_math, r"x \tag{1}", r"x \qquad \tag{1}"),
        (display_math, r"x \tag{10.37}", r"x \qquad \quad \tag{10.37}"),
        (display_math, r"x \tag{3^{*}}", r"x \qquad \quad \tag{3^{*}}"),
        (display_math, r"x \tag{B.10.37}", r"x \qquad \qquad \tag{B.10.37}"),
        (cell_math, r"|a| \| b", r"\vert a\vert  \Vert  b"),
    ],
)
def test_only_what_would_be_markup_is_written_another_way(write, tex, written):
    assert write(tex) == written
