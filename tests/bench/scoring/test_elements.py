"""A page of Markdown falls into paragraphs, tables and formulas."""

import pytest

from docparse.bench.scoring.elements import normal_formula, normal_text, parse_markdown, pipe_table_to_html, table_cells

PAGE = """# Heading

A paragraph with $x_1$ inside
and a second line.

![figure](figure.png)

| a | b \\| c |
|---|:--:|
| 1 | 2 |

<table><tr><td colspan="2">wide</td></tr></table>

$$
E = mc^2
$$

Last words.
"""


def test_elements_come_in_the_order_of_the_page():
    kinds = [(element.kind, element.content.split("\n")[0]) for element in parse_markdown(PAGE)]
    assert kinds == [
        ("text", "# Heading"),
        ("text", "A paragraph with $x_1$ inside"),
        ("inline", "$x_1$"),
        ("table", "<table><tr><td>a</td><td>b | c</td></tr><tr><td>1</td><td>2</td></tr></table>"),
        ("table", '<table><tr><td colspan="2">wide</td></tr></table>'),
        ("formula", "$$"),
        ("text", "Last words."),
    ]


@pytest.mark.parametrize(
    ("page", "texts"),
    [
        ("one\ntwo\n", ["one", "two"]),
        ("```markdown\ntext\n```\n", ["text"]),
        ("From $5 to $9.\n\nNext.", ["From $5 to $9.", "Next."]),
    ],
    ids=["without empty lines", "in a fence", "prices"],
)
def test_paragraphs_are_told_apart(page, texts):
    assert [element.content for element in parse_markdown(page) if element.kind == "text"] == texts


def test_a_pipe_table_keeps_what_html_would_read_and_cells_are_read_without_empty_ones():
    assert pipe_table_to_html("| a<b | |\n|--|--|") == "<table><tr><td>a&lt;b</td><td></td></tr></table>"
    table = "<table><tr><th>a</th><td></td></tr><tr><td><b>b</b> &amp; c</td></tr></table>"
    assert table_cells(table) == ["a", "b & c"]


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("Hello, world!\n", "Helloworld"),
        ("**第一章** 引言。", "第一章引言"),
        (r"speed of $\alpha_{1}$ m", "speedofα_1m"),
        ("costs $5 or $6", "costs5or6"),
    ],
)
def test_text_is_compared_by_its_letters_and_digits(text, normal):
    assert normal_text(text) == normal


def test_formulas_are_compared_without_dress():
    assert normal_formula("$$\n\\mathbf{A} = \\left( b \\right) \\tag{3}\n$$") == normal_formula(r"\[ {a} = ( B ) \]")
