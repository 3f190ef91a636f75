"""Formulas become MathML that says what the LaTeX says, and no LaTeX can become anything else."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markup import Markup

from docparse.render.mathml import math_html

PIECES = [
    r"\frac", r"\text", r"\mathrm", r"\href", r"\color{red}", r"\def\a", r"\a", r"\left(", r"\right)", r"\\", r"\tag",
    r"\begin{align}", r"\end{align}", r"\style{x:y}", "{", "}", "^", "_", "&", "%", "$", "#", "x", "12", " ",
    "<script>", "</math>", "<!--", "-->", "&lt;", "&#x3C;", '"', "'", "javascript:alert(1)", "]]>", "\x00", "é",
    "中", "<img src=x>",
]  # fmt: skip


def shown(html):
    """What a reader sees, and the LaTeX that stands beside it."""
    page = Markup(html)
    return "".join(page.texts(without=("annotation",))), "".join(page.texts(within="annotation"))


@given(st.lists(st.sampled_from(PIECES), max_size=10).map("".join) | st.text(max_size=30), st.booleans())
@example(r"\text{<script>alert(1)</script>}", False)
@example(r"\text{&lt;script&gt;}", False)
@example(r"\href{javascript:alert(1)}{x}", True)
@example(r"\tag{<b>}", True)
def test_no_latex_becomes_markup(tex, display):
    html = math_html(tex, display=display)
    seen = Markup(html)
    allowed = {"math", "semantics", "annotation", "div", "span"}
    assert all(tag in allowed or tag[0] == "m" for tag in seen.tags)
    names = {name for _, name, _ in seen.attributes}
    assert not names & {"href", "src", "style", "onclick", "mathcolor", "xlink:href"}
    _, annotation = shown(html)
    if annotation:
        assert annotation == tex.replace("\r\n", "\n").replace("\r", "\n") or "\r" in tex


@pytest.mark.parametrize(
    "tex, drawn",
    [
        (r"\left(\prod_{i = 1}^{n} r_{i} \right)^{1/n}", "(∏i=1nri)1/n"),
        (r"\hat{S} = \operatorname{median}_{i} x", "S^=medianix"),
        (r"\begin{aligned} a &= b \\ c &= d \end{aligned}", "a=bc=d"),
        (r"\mathbb{R} \leq \infty", "ℝ≤∞"),
        ("50% x", "50%x"),
        (r"\text{<script>}", "<script>"),
    ],
)
def test_what_the_layout_code_writes_can_be_drawn(tex, drawn):
    html = math_html(tex)
    assert Markup(html).tags[:2] == ["math", "semantics"]
    assert shown(html) == (drawn, tex)


def test_the_number_of_an_equation_stands_beside_it_and_limits_under_their_sign():
    html = math_html(r"a = b \tag{3'}", display=True)
    assert html.endswith('</math><span class="number">(3\')</span></div>')
    assert shown(html) == ("a=b(3')", r"a = b \tag{3'}")
    # limits stand under a sum or a maximum, and scripts beside a letter
    assert Markup(math_html(r"\sum_{i}^{n} x_{i}^{2}", display=True)).tags.count("munderover") == 1
    assert "munder" in Markup(math_html(r"\max_{x} f_{x}", display=True)).tags
    assert "msubsup" in Markup(math_html(r"\sum_{i}^{n} x_{i}^{2}")).tags


@pytest.mark.parametrize(
    "tex", ["", r"\unheardof", r"\frac{1}", "a^b^c", "}{", r"\def\a{xx}\a", r"\newcommand{\a}{xx}\a", "x" * 20_000,
            "{" * 5000],
    ids=lambda tex: tex[:20],
)  # fmt: skip
def test_what_cannot_be_drawn_whole_stays_text(tex):
    assert math_html(tex) == rf'<span class="math inline mathjax_process">\({tex}\)</span>'
