"""Running text: hyphens, and mathematics inside a line as LaTeX."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse.layout.text.inline import spans_of
from docparse.layout.text.lines import lines_of
from docparse.layout.text.words import Word, words_of
from docparse.pdf import open_document
from docparse.types import Box, Span

PAGE = "#set page(width: 420pt, height: 120pt, margin: 40pt)\n#set text(size: 10pt)\n"


def word(text: str, x: float, size: float = 10.0, baseline: float = 100.0, **more: object) -> Word:
    box = Box(x, baseline - 0.8 * size, x + 0.5 * size * len(text), baseline + 0.2 * size)
    return Word(text=text, box=box, baseline=baseline, size=size, **more)


@pytest.fixture
def markdown(typst_pdf: Callable[..., Path]) -> Callable[[str], str]:
    def read(source: str) -> str:
        with open_document(typst_pdf(PAGE + source), name="page") as document:
            page = document.page(1)
        spans = spans_of(lines_of(words_of(page.characters)), rulings=page.rulings)
        return "".join(f"${span.text}$" if span.math else span.text for span in spans)

    return read


@pytest.mark.parametrize(
    ("typst", "expected"),
    [
        ("for all $x in RR$ we have", r"for all $x \in \mathbb{R}$ we have"),
        ("where $lambda_g = lambda_(g')$ holds", r"where $\lambda_{g} = \lambda_{g'}$ holds"),
        ("the set ${x_i}$ of points", r"the set $\{x_{i} \}$ of points"),
        ("costs $O(n log n)$ steps", r"costs $O(n \log n)$ steps"),
        ("the vector $x$, and the rest", "the vector $x$, and the rest"),
        ("the weight $W_(i j)^((l))$ of a layer", "the weight $W_{ij}^{(l)}$ of a layer"),
        ("a note#super(typographic: false)[1] in the text", "a note$^{1}$ in the text"),
        ("water is H#sub(typographic: false)[2]O here", "water is H$_{2}$O here"),
        ("about 3 + 4 apples", "about 3 + 4 apples"),
        ("an _italic_ word", "an italic word"),
        ("where $f(x, y), g(z)$ hold", r"where $f(x, y), g(z)$ hold"),
        ('the class $upright("EQ")(f, g) = 1$ of all', r"the class $\operatorname{EQ}(f, g) = 1$ of all"),
        ("an $n$-bit number and $n!$ more", "an $n$-bit number and $n!$ more"),
        ("on the 2#super(typographic: false)[nd] of March", r"on the 2$^{\text{nd}}$ of March"),
        ("see [12, 14] and File → Save on 3/4/2020", "see [12, 14] and File → Save on 3/4/2020"),
    ],
)
def test_a_formula_in_a_line_is_one_span(markdown: Callable[[str], str], typst: str, expected: str) -> None:
    assert markdown(typst) == expected


def test_noisy_sizes_give_no_scripts() -> None:
    line = [word("goes", 10), word("to", 40, size=7, baseline=103), word("market", 60)]
    assert spans_of([line], scripts=False) == (Span("goes to market"),)


def test_ocr_words_give_no_scripts() -> None:
    line = [word("goes", 10, confidence=0.9), word("to", 40, size=7, baseline=103, confidence=0.9)]
    assert spans_of([line]) == (Span("goes to"),)


def test_a_hyphen_at_a_line_end_is_dropped_before_lower_case() -> None:
    assert spans_of([[word("hyphen-", 10)], [word("ation", 10, baseline=112)]]) == (Span("hyphenation"),)
    assert spans_of([[word("COVID-", 10)], [word("19", 10, baseline=112)]]) == (Span("COVID-19"),)


def test_a_hyphen_that_is_a_word_of_its_own_divides_like_any_other() -> None:
    cut = [word("al", 50), word("-", 60, glued=True)]
    assert spans_of([cut, [word("lows", 50, baseline=112)]]) == (Span("allows"),)


def test_a_formula_goes_on_over_a_line_end(markdown: Callable[[str], str]) -> None:
    line = "This line of words is as long as the page is wide, so that here $n =$ #linebreak() $6$ apples"
    assert markdown(line).endswith("here $n = 6$ apples")


glyphs = st.builds(
    word,
    st.text(st.sampled_from("abxyz01+−=<>∈(){}[]|∑√,.:!/-'prose𝑥ℎ"), min_size=1, max_size=5),
    st.floats(0, 300),
    size=st.sampled_from([0.01, 5.0, 7.0, 10.0]),
    baseline=st.sampled_from([96.0, 100.0, 102.0]),
    math=st.booleans(),
    italic=st.booleans(),
    glued=st.booleans(),
)


@given(st.lists(glyphs, min_size=1, max_size=12), st.lists(glyphs, max_size=5))
def test_any_line_has_its_text(first: list[Word], second: list[Word]) -> None:
    """Whatever the letters and their places: no exception, and prose is not lost."""
    spans = spans_of([row for row in (first, second) if row])
    assert "".join(span.text for span in spans).strip()
