"""Running text: what models mark is read, what they only print is left alone."""

import pytest

from docparse.models.dialects.inline import read_spans, write_spans
from docparse.types import Span


def math(text):
    return Span(text, math=True)


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("a *b* c", (Span("a "), Span("b", italic=True), Span(" c"))),
        ("**Figure 1:** Four", (Span("Figure 1:", bold=True), Span(" Four"))),
        ("***both***", (Span("both", bold=True, italic=True),)),
        (
            "**a *b* c**",
            (Span("a", bold=True), Span(" "), Span("b", bold=True, italic=True), Span(" "), Span("c", bold=True)),
        ),
        ("图**一**是", (Span("图"), Span("一", bold=True), Span("是"))),
        ("_Juillet_ 1914", (Span("Juillet", italic=True), Span(" 1914"))),
        ("<b>a</b> and <em>b</em>", (Span("a", bold=True), Span(" and "), Span("b", italic=True))),
        ("x<sup>2</sup> H<sub>2</sub>O", (Span("x"), math("^{2}"), Span(" H"), math("_{2}"), Span("O"))),
        (r"let \(x\) be", (Span("let "), math("x"), Span(" be"))),
        ("let $ x_1 $ be", (Span("let "), math("x_1"), Span(" be"))),
        ("so $$a=b$$ holds", (Span("so "), math("a=b"), Span(" holds"))),
        ("so $$ a = b $$ holds", (Span("so "), math("a = b"), Span(" holds"))),
        (r"so \[a=b\] holds", (Span("so "), math("a=b"), Span(" holds"))),
        (r"$a &lt; b$", (math("a < b"),)),
        (r"see \[1\] and \[Spi04\]", (Span("see [1] and [Spi04]"),)),
        (r"5\% of \$3 and a\_b", (Span("5% of $3 and a_b"),)),
        ("AT&amp;T &copy; 2020 &unknown;", (Span("AT&T © 2020 &unknown;"),)),
        ("run `make test` now", (Span("run make test now"),)),
        ("a<br>b", (Span("a b"),)),
    ],
)
def test_markup_is_read(text, spans):
    assert read_spans(text) == spans


@pytest.mark.parametrize(
    "text",
    [
        "p=b**4+a**3*b-a**2*b**2-a*b**3;",
        "2*3*4 and 5 * 6 * 7",
        "$5 and $6, $10–$20",
        "costs $$ and $$ more",
        "my_file_name and __init__",
        "a < b, <unknown> tags, x<y>z",
        "a lone * star, a lone $ dollar, a lone ` tick, a lone \\ backslash",
        "** not bold** and *not italic *",
        "unclosed **bold and $math and <b>tag",
        "* * *",
        "**** ****",
    ],
)
def test_what_is_no_markup_is_text(text):
    assert read_spans(text) == (Span(text),)
    assert write_spans((Span(text),)) == text  # and nothing of it needs a backslash


@pytest.mark.parametrize(
    ("spans", "text"),
    [
        ((Span("a *b* c"),), r"a \*b\* c"),
        ((Span("$x$ is"),), r"\$x\$ is"),
        ((Span("a <br> b"),), r"a \<br> b"),
        ((Span("costs $5 here"), Span(" "), math("x")), "costs $5 here $x$"),
        ((math("2x"), Span("3")), r"\(2x\)3"),
        ((Span("a", bold=True), Span("b")), "ab"),
        ((Span("a", bold=True), Span(".", italic=True), Span(" c")), "**a**. c"),
        ((Span("see ", bold=True), Span("here")), "**see** here"),
    ],
)
def test_only_what_would_be_misread_is_escaped(spans, text):
    assert write_spans(spans) == text
