"""The HTML file is well formed, says what the page says, and fetches nothing."""

import re

import pytest
from blocks import block, html, math, page
from hypothesis import given
from hypothesis import strategies as st
from markup import Markup

from docparse.types import Block, Box, Category, Cell, Span, Table

BLOCKS = st.lists(
    st.builds(
        Block,
        category=st.sampled_from(Category),
        box=st.just(Box(0, 0, 1, 1)),
        spans=st.lists(st.builds(Span, st.sampled_from(["a<b", "&amp;", '"><script>', "</p>", "x"]), math=st.booleans(),
                                 bold=st.booleans(), italic=st.booleans(), code=st.booleans()), max_size=3).map(tuple),
        level=st.integers(0, 7),
        marker=st.sampled_from(["", "•", "☐", "1.", "7)", "(a)", "<"]),
        image=st.sampled_from(["", '"a<.png']),
        table=st.none() | st.just(Table(1, 1, (Cell(0, 0, (Span("</td>"),)),))),
    ),
    max_size=8,
)  # fmt: skip


@given(BLOCKS)
def test_tags_nest_and_nothing_of_the_text_becomes_a_tag(blocks):
    assert "script" not in Markup(html(page(1, *blocks), keep_headers=True)).tags


UNKNOWN = math(r"\unheardof{a}<b")
HALF = Table(1, 1, (Cell(0, 0, (Span("share "), math(r"\frac{1}{2}"))),))
NESTED = [("one", "•", 0), ("in", "4.", 1), ("deeper", "5.", 1), ("two", "•", 0), ("first", "1.", 0)]
WRITTEN = {  # blocks, options, and what is in the file
    "code in its item": (
        [block("List-item", "Run:", marker="☑"), block("Code", "if a < b:\n    c", level=1)], {},
        '<input type="checkbox" disabled checked> Run:<pre><code>if a &lt; b:\n    c</code></pre>\n</li>'),
    "code in a line": ([block("Text", (Span("type "), Span("x", code=True)))], {}, "type <code>x</code>"),
    "lists nest and number as printed": (
        [block("List-item", words, marker=marker, level=level) for words, marker, level in NESTED], {},
        '<ul><li>one<ol><li value="4">in</li><li value="5">deeper</li></ol></li><li>two</li></ul>'
        '<ol><li value="1">first</li></ol></main>'),
    "mathematics in a line keeps its LaTeX": (
        [block("Text", (Span("so "), math("a<b")))], {},
        '<mo>&lt;</mo><mi>b</mi></mrow><annotation encoding="application/x-tex">a&lt;b</annotation>'),
    "a displayed formula": (
        [block("Formula", (math("x"),))], {},
        '<div class="math display"><math display="block"><semantics><mrow><mi>x</mi></mrow>'),
    "mathematics that cannot be converted": (
        [block("Text", (UNKNOWN,))], {}, r'<span class="math inline mathjax_process">\(\unheardof{a}&lt;b\)</span>'),
    "a formula that cannot be converted": (
        [block("Formula", (UNKNOWN,))], {}, r'<div class="math display mathjax_process">\[\unheardof{a}&lt;b\]</div>'),
    "mathematics in a cell": ([block("Table", table=HALF)], {}, "<td>share <math><semantics>"),
    "scripts of words": (
        [block("Text", (Span("so"), math("^{[2]}"), Span(" and "), math("CO_{2}")))], {},
        "so<sup>[2]</sup> and CO<sub>2</sub>"),
    "a picture that is not shown leaves its words": (
        [block("Picture", "Words over it", image="f.png")], {"images": "none"}, "<p>Words over it</p>"),
    "a picture beside the file": (
        [block("Picture", image="f.png")], {"image_dir": "a b"}, 'src="a%20b/f.png"'),
    "a picture in the file": (
        [block("Picture", image="f.jpg")], {"images": "embed", "load_asset": lambda name: b"abc"},
        'src="data:image/jpeg;base64,YWJj"'),
    "a running header that is asked for": ([block("Page-header", "J. Phys.")], {"keep_headers": True}, "J. Phys."),
}  # fmt: skip


@pytest.mark.parametrize("blocks, options, expected", WRITTEN.values(), ids=WRITTEN)
def test_the_file_says_what_the_page_says_and_fetches_nothing(blocks, options, expected):
    text = html(page(1, *blocks), **options)
    plain = text.replace(' dir="auto"', "")
    assert expected in plain or expected in plain.replace("\n", "")
    assert not re.search(r"https?:|//|@import|url\(", text.replace("http://www.w3.org/1998/Math/MathML", ""))


def test_pages_have_anchors_and_failures_show():
    text = html(page(1), page(2, failed="timeout"))
    assert {"page-1", "page-2"} <= {value for _, name, value in Markup(text).attributes if name == "id"}
    assert "Page 2 failed" in " ".join(text[text.index("<main") :].split())
