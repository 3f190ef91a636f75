"""Displayed formulas: typeset, then read back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse.layout.formula import find_formulas, latex_of
from docparse.layout.formula.latex import is_balanced
from docparse.layout.text.words import Word, words_of
from docparse.pdf import open_document
from docparse.types import Box

PAGE = """#set page(width: 420pt, height: 300pt, margin: 40pt)
#set text(size: 10pt)
#set math.equation(numbering: {numbering})
These words stand before the formula and say that it will be
$ {formula} $
and these words stand after the formula and say nothing new.
"""


@pytest.fixture
def displayed(typst_pdf: Callable[..., Path]) -> Callable[..., list]:
    def read(formula: str, numbering: str = "none") -> list:
        path = typst_pdf(PAGE.format(formula=formula, numbering=numbering))
        with open_document(path, name="page") as document:
            page = document.page(1)
        return find_formulas(words_of(page.characters), page.rulings, 10.0)

    return read


def word(text: str, x: float, baseline: float = 100.0, size: float = 10.0, math: bool = True, **more: object) -> Word:
    box = Box(x, baseline - 0.8 * size, x + 0.5 * size * len(text), baseline + 0.2 * size)
    return Word(text=text, box=box, baseline=baseline, size=size, math=math, italic=math, **more)


@pytest.mark.parametrize(
    ("typst", "latex"),
    [
        ("x^2 + y_1 = z", "x^{2} + y_{1} = z"),
        ("(a + b) / c = d", r"\frac{a + b}{c} = d"),
        ("sum_(i=1)^n i = m", r"\sum_{i = 1}^{n} i = m"),
        ("integral_0^oo f = sqrt(pi) / 2", r"\int_{0}^{\infty} f = \frac{\sqrt{\pi}}{2}"),
        ("root(3, x + 1) = y", r"\sqrt[3]{x + 1} = y"),
        ("root(3, x + root(4, y)) = z", r"\sqrt[3]{x + \sqrt[4]{y}} = z"),
        ("arrow(F) = m arrow(a)", r"\vec{F} = m \vec{a}"),
        ('a &= b \\ "where" c &= d', r"\begin{aligned} a &= b \\ \text{where }c &= d \end{aligned}"),
        ("lim_(n -> oo) a_n = e", r"\lim_{n \to \infty} a_{n} = e"),
        ("(1 + 1/n)^n = e", r"\left(1 + \frac{1}{n} \right)^{n} = e"),
        ("lambda_(g') in RR", r"\lambda_{g'} \in \mathbb{R}"),
        ("A = mat(a, b; c, d)", r"A = \begin{pmatrix} a & b \\ c & d \end{pmatrix}"),
        ("a &= b + c \\ &= d", r"\begin{aligned} a &= b + c \\ &= d \end{aligned}"),
    ],
)
def test_typeset_formulas_are_read_back(displayed: Callable[..., list], typst: str, latex: str) -> None:
    (formula,) = displayed(typst)
    assert formula.latex == latex


def test_a_number_at_the_margin_becomes_a_tag(displayed: Callable[..., list]) -> None:
    (formula,) = displayed("a = b", numbering='"(1)"')
    assert formula.latex == r"a = b \tag{1}"


def test_a_page_without_symbols_has_no_formulas(one_page_pdf: Path) -> None:
    with open_document(one_page_pdf, name="page") as document:
        page = document.page(1)
    assert find_formulas(words_of(page.characters), page.rulings, 11.0) == []


def test_an_ocr_word_leaves_the_formula_to_a_picture() -> None:
    assert latex_of([word("x", 10), word("=", 20), word("y", 30, confidence=0.8)]) is None


def test_characters_without_a_meaning_are_not_guessed() -> None:
    assert latex_of([word("\ue000", 10), word("\ue001", 20)]) is None


def test_rows_that_overlap_are_not_guessed() -> None:
    assert (
        latex_of([word("x", 10), word("=", 20), word("y", 12, baseline=105.5), word("z", 26, baseline=105.5)]) is None
    )


glyphs = st.builds(
    word,
    st.text(st.sampled_from("abxyzRαλΣ012+−=<>∈(){}[]|∑∫√,.%#&$_\\^~'′"), min_size=1, max_size=3),
    st.floats(0, 200),
    st.sampled_from([93.0, 96.0, 100.0, 101.5, 112.0, 130.0]),
    st.sampled_from([5.0, 7.0, 10.0]),
    st.booleans(),
)


@given(st.lists(glyphs, min_size=1, max_size=14), st.lists(st.tuples(st.floats(0, 150), st.floats(5, 80)), max_size=3))
def test_latex_is_balanced_and_has_no_bare_specials(words: list[Word], bars: list[tuple[float, float]]) -> None:
    rulings = np.array([[x, 104.0 + i, x + w, 104.0 + i] for i, (x, w) in enumerate(bars)], np.float32).reshape(-1, 4)
    found = latex_of(words, rulings)
    if found:
        assert is_balanced(found)
        bare = found.replace(r"\\", "").replace(r"\%", "").replace(r"\#", "").replace(r"\$", "")
        assert not set(bare) & set("%#$~")
