"""Formulas of scans: kept as pictures, unless the detector read them."""

from __future__ import annotations

from docparse.layout.formula import find_scanned_formulas
from docparse.layout.region import Region
from docparse.layout.words import Word
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
    assert find_scanned_formulas(words("x=1"), [region(score=0.3)]) == []
    first, second = find_scanned_formulas(words("x=1"), [region(), region(score=0.7)])
    assert (first.words, second.words) == ((0,), ())
