"""Loose parts of inline formulas: limits, fractions and scripts find their line, and no word is lost."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse.layout.formula.gathered import gathered
from docparse.layout.text.inline import spans_of
from docparse.layout.text.lines import Line, lines_of
from docparse.layout.text.words import Word
from docparse.types import Box

NONE = np.zeros((0, 4), np.float32)


def word(text: str, x: float, index: int, size: float = 10.0, baseline: float = 100.0, **more: object) -> Word:
    box = Box(x, baseline - 0.8 * size, x + 0.5 * size * len(text), baseline + 0.2 * size)
    return Word(text=text, box=box, baseline=baseline, size=size, index=index, **more)


def text(words: list[Word], rulings: np.ndarray = NONE) -> list[str]:
    lines = gathered(lines_of(words), rulings)
    return ["".join(f"${s.text}$" if s.math else s.text for s in spans_of([ln], rulings=rulings)) for ln in lines]


def sentence(first: str, last: str, x: float) -> list[Word]:
    """Prose before and behind a formula at 60; the second part is at `x`."""
    return [word(first, 57 - 5 * len(first), 0), word(last, x, 90)]


def test_limit_under_an_operator() -> None:
    words = [
        *sentence("totals", "answers", 87),
        word("∑", 60, 1, math=True),
        word("i", 60.7, 2, size=7, baseline=108.5, math=True, italic=True),
        word("T", 67, 3, math=True, italic=True),
        word("(i)", 72.2, 4, size=7, baseline=94.6, math=True, italic=True),
        word("0", 71.5, 5, size=7, baseline=102.7, math=True),
    ]
    assert text(words) == [r"totals $\sum_{i} T_{0}^{(i)}$ answers"]


def test_symbols_stored_kind_by_kind() -> None:
    """Formula editors write all brackets, then all letters, then all scripts."""
    words = [
        *sentence("wave", "smooth", 97),
        word("(", 65.5, 1), word(",", 78, 2), word(")", 88, 3),
        word("H", 75, 4, size=5.8, baseline=102.6, italic=True),
        word("H", 85.2, 5, size=5.8, baseline=102.6, italic=True),
        word("r", 60, 6, italic=True), word("x", 70, 7, italic=True), word("y", 81, 8, italic=True),
    ]  # fmt: skip
    assert text(words) == ["wave $r(x_{H}, y_{H})$ smooth"]


@pytest.mark.parametrize("size", [7.0, 10.0])
def test_inline_fraction(size: float) -> None:
    words = [
        *sentence("average", "values", 69),
        word("1", 61, 1, size=size, baseline=95.5),
        word("N", 61, 2, size=size, baseline=98.5 + 0.8 * size, italic=True),
    ]
    bar = np.array([[60.5, 97.5, 66.5, 97.5]], np.float32)
    assert text(words, bar) == [r"average $\frac{1}{N}$ values"]


def test_subscript_stored_before_its_letter() -> None:
    words = [
        *sentence("point", "to", 72),
        word("2", 65.2, 1, size=5.8, baseline=102.6),
        word("p", 60, 2, italic=True),
    ]
    assert text(words) == ["point $p_{2}$ to"]


def test_a_letter_behind_a_word_is_part_of_its_line() -> None:
    """Two baselines of one line that differ by a hair, as in headings."""
    lines = [Line((word("APPENDIX", 10, 0),)), Line((word("A", 55, 1, baseline=100.6),))]
    assert [line.text for line in gathered(lines, NONE)] == ["APPENDIX A"]


def test_columns_stay_apart() -> None:
    words = [word("left", 10, 0), word("𝑥", 32, 1, math=True), word("right", 46, 2, baseline=100.5)]
    left = [word("words", 10, 10 + k, baseline=100 + 12 * k) for k in range(1, 5)]
    right = [word("words", 46, 20 + k, baseline=100.5 + 12 * k) for k in range(1, 5)]
    assert not any("left" in line and "right" in line for line in text([*words, *left, *right]))


SYMBOLS = st.sampled_from(["x", "∑", "(", ")", "1", "=", "prose", "words", "i", "√", "max"])


@given(
    st.lists(
        st.tuples(SYMBOLS, st.floats(0, 200), st.floats(80, 130), st.sampled_from([5.0, 7.0, 10.0, 14.0])), max_size=25
    )
)
def test_no_word_is_lost(parts: list[tuple[str, float, float, float]]) -> None:
    words = [word(s, x, k, size=size, baseline=y) for k, (s, x, y, size) in enumerate(parts)]
    bar = np.array([[20, 95, 60, 95]], np.float32)
    lines = lines_of(words)
    before = sorted(w.index for line in lines for w in line.words)
    assert sorted(w.index for line in gathered(lines, bar) for w in line.words) == before
