"""Formulas of scans: read from the words where they stand alone, else kept as pictures that a detector found."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse.layout.formula import find_scanned_formulas
from docparse.layout.ocr.region import Region
from docparse.layout.text.words import Word
from docparse.types import Box, Category

BOX = Box(50, 90, 250, 130)


def words(*texts: str) -> list[Word]:
    return [
        Word(text=t, box=Box(60 + 30 * i, 100, 85 + 30 * i, 110), baseline=108, size=10, confidence=0.9)
        for i, t in enumerate(texts)
    ]


def region(score: float = 0.8, content: str = "") -> Region:
    return Region(category=Category.FORMULA, box=BOX, score=score, content=content)


def test_a_detected_formula_takes_its_garbled_words() -> None:
    (found,) = find_scanned_formulas(words("S(p,s)", "=", "(1-p)+%"), [region()])
    assert (found.box, found.words, found.latex) == (BOX, (0, 1, 2), None)


def test_latex_that_the_detector_read_is_used() -> None:
    (found,) = find_scanned_formulas(words("a=b"), [region(content="a = b")])
    assert found.latex == "a = b"


def test_a_line_of_prose_misnamed_a_formula_stays_text() -> None:
    assert find_scanned_formulas(words("which", "shows", "that", "speed", "matters"), [region()]) == []


def test_an_unsure_detection_is_ignored_and_no_word_is_taken_twice() -> None:
    assert find_scanned_formulas(words("x!1"), [region(score=0.3)]) == []
    first, second = find_scanned_formulas(words("x=1"), [region(), region(score=0.7)])
    assert (first.words, second.words) == ((0,), ())


@pytest.mark.parametrize(
    ("texts", "latex"),
    [
        (["V=IR"], "V=IR"),
        (["E", "=", "mc²"], "E = mc^{2}"),
        (["n1sinθ1", "=", "2π"], r"n1\sin \theta1 = 2\pi"),
        (["3 km", "=", "2"], None),
        (["a.", "x=1"], None),
        (["speed", "=", "way"], None),
        (["12.03.2019"], None),
        (["x", "="], None),
    ],
)
def test_a_relation_on_a_line_of_its_own_is_a_formula(texts: list[str], latex: str | None) -> None:
    found = find_scanned_formulas(words(*texts))
    assert [formula.latex for formula in found] == ([latex] if latex else [])


def test_what_stands_over_something_else_is_a_fraction() -> None:
    row = words("F=")
    over = Word(text="1", box=Box(88, 92, 93, 104), baseline=102, size=10, confidence=0.9)
    under = Word(text="4r2", box=Box(86, 105, 95, 117), baseline=115, size=10, confidence=0.9)
    (found,) = find_scanned_formulas([*row, over, under])
    assert found.latex == r"F= \frac{1}{4r2}"


@given(st.lists(st.tuples(st.text("ab1=+−²√{}$\\_^ sin", min_size=1, max_size=6), st.floats(0, 300), st.floats(0, 60))))
def test_no_word_is_in_two_formulas(parts: list[tuple[str, float, float]]) -> None:
    page = [
        Word(text=text, box=Box(x, y, x + 5 * len(text), y + 10), baseline=y + 8, size=10, confidence=0.9)
        for text, x, y in parts
    ]
    taken = [i for formula in find_scanned_formulas(page) for i in formula.words]
    assert len(taken) == len(set(taken))
