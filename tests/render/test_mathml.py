"""Formulas become MathML that says what the LaTeX says, and no LaTeX can become anything else."""

from html.parser import HTMLParser

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from docparse.render.mathml import math_html

PIECES = [
    r"\frac", r"\text", r"\mathrm", r"\href", r"\color{red}", r"\def\a", r"\a", r"\left(", r"\right)", r"\\", r"\tag",
    r"\begin{align}", r"\end{align}", r"\style{x:y}", "{", "}", "^", "_", "&", "%", "$", "#", "x", "12", " ",
    "<script>", "</math>", "<!--", "-->", "&lt;", "&#x3C;", '"', "'", "javascript:alert(1)", "]]>", "\x00", "é",
    "中", "<img src=x>",
]  # fmt: skip


class Seen(HTMLParser):
    """The tags, attribute names and texts of a formula; fails where tags do not nest."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.attributes, self.open = [], set(), []
        self.annotation = self.shown = ""
        self.feed(html)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "annotation" in self.open:
            self.annotation += data
        else:
            self.shown += data

    def handle_comment(self, data):
        raise AssertionError(data)


@given(st.lists(st.sampled_from(PIECES), max_size=10).map("".join) | st.text(max_size=30), st.booleans())
@example(r"\text{<script>alert(1)</script>}", False)
@example(r"\text{&lt;script&gt;}", False)
@example(r"\href{javascript:alert(1)}{x}", True)
@example(r"\tag{<b>}", True)
def test_no_latex_becomes_markup(tex, display):
    seen = Seen(math_html(tex, display=display))
    allowed = {"math", "semantics", "annotation", "div", "span"}
    assert all(tag in allowed or tag[0] == "m" for tag in seen.tags)
    assert not seen.attributes & {"href", "src", "style", "onclick", "mathcolor", "xlink:href"}
    if seen.annotation:
        assert seen.annotation == tex.replace("\r\n", "\n").replace("\r", "\n") or "\r" in tex


@pytest.mark.parametrize(
    "tex, shown",
    [
        (r"\left(\prod_{i = 1}^{n} r_{i} \right)^{1/n}", "(∏i=1nri)1/n"),
        (r"\hat{S} = \operatorname{median}_{i} x", "S^=medianix"),
        (r"\begin{aligned} a &= b \\ c &= d \end{aligned}", "a=bc=d"),
        (r"\mathbb{R} \leq \infty", "ℝ≤∞"),
        ("50% x", "50%x"),
        (r"\text{<script>}", "<script>"),
    ],
)
def test_what_the_layout_code_writes_can_be_drawn(tex, shown):
    seen = Seen(math_html(tex))
    assert seen.tags[:2] == ["math", "semantics"]
    assert (seen.shown, seen.annotation) == (shown, tex)


def test_the_number_of_an_equation_stands_beside_it():
    html = math_html(r"a = b \tag{3'}", display=True)
    assert html.endswith('</math><span class="number">(3\')</span></div>')
    seen = Seen(html)
    assert (seen.shown, seen.annotation) == ("a=b(3')", r"a = b \tag{3'}")


def test_limits_stand_under_a_sum_or_a_maximum_and_scripts_beside_a_letter():
    assert Seen(math_html(r"\sum_{i}^{n} x_{i}^{2}", display=True)).tags.count("munderover") == 1
    assert "munder" in Seen(math_html(r"\max_{x} f_{x}", display=True)).tags
    assert "msubsup" in Seen(math_html(r"\sum_{i}^{n} x_{i}^{2}")).tags


@pytest.mark.parametrize(
    "tex", ["", r"\unheardof", r"\frac{1}", "a^b^c", "}{", r"\def\a{xx}\a", r"\newcommand{\a}{xx}\a", "x" * 20_000,
            "{" * 5000],
    ids=lambda tex: tex[:20],
)  # fmt: skip
def test_what_cannot_be_drawn_whole_stays_text(tex):
    assert math_html(tex) == rf'<span class="math inline mathjax_process">\({tex}\)</span>'
