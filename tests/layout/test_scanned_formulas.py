"""Formulas of scans: read from the words where they stand alone, else kept as pictures that a detector found."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typeset import word

from docparse.layout.formula import find_scanned_formulas
from docparse.layout.ocr.region import Region
from docparse.types import Box, Category

BOX = Box(50, 90, 250, 130)


def read(text, x=60.0, baseline=108.0, size=10.0):
    return word(text, x, baseline, size, width=25, confidence=0.9)


def words(*texts):
    return [read(text, 60 + 30 * i) for i, text in enumerate(texts)]


def region(score=0.8, content=""):
    return Region(category=Category.FORMULA, box=BOX, score=score, content=content)


FRACTION = [
    read("F="),
    word("1", 88, 102, 10, width=5, confidence=0.9),
    word("4r2", 86, 115, 10, width=9, confidence=0.9),
]
PAGES = {  # words, regions, and of each formula the words that it takes and its LaTeX
    "garbled words under a region": (words("S(p,s)", "=", "(1-p)+%"), [region()], [((0, 1, 2), None)]),
    "LaTeX of the detector": (words("a=b"), [region(content="a = b")], [((0,), "a = b")]),
    "prose under a region": (words("which", "shows", "that", "speed", "matters"), [region()], []),
    "an unsure region": (words("x!1"), [region(score=0.3)], []),
    "two regions over one word": (words("x=1"), [region(), region(score=0.7)], [((0,), None), ((), None)]),
    "a relation": (words("V=IR"), [], [((0,), "V=IR")]),
    "a power": (words("E", "=", "mc²"), [], [((0, 1, 2), "E = mc^{2}")]),
    "a function": (words("n1sinθ1", "=", "2π"), [], [((0, 1, 2), r"n1\sin \theta1 = 2\pi")]),
    "one over the other": (FRACTION, [], [((0, 1, 2), r"F= \frac{1}{4r2}")]),
    **{" ".join(texts): (words(*texts), [], [])
       for texts in (["3 km", "=", "2"], ["a.", "x=1"], ["speed", "=", "way"], ["12.03.2019"], ["x", "="])},
}  # fmt: skip


@pytest.mark.parametrize("page, regions, formulas", PAGES.values(), ids=PAGES)
def test_a_relation_on_a_line_of_its_own_or_a_sure_region_is_a_formula(page, regions, formulas):
    found = find_scanned_formulas(page, regions)
    assert [(each.words, each.latex) for each in found] == formulas
    assert all(each.box == BOX for each in found if regions)


@given(st.lists(st.tuples(st.text("ab1=+−²√{}$\\_^ sin", min_size=1, max_size=6), st.floats(0, 300), st.floats(0, 60))))
def test_no_word_is_in_two_formulas(parts):
    found = find_scanned_formulas([word(text, x, y + 8, confidence=0.9) for text, x, y in parts])
    taken = [i for formula in found for i in formula.words]
    assert len(taken) == len(set(taken))
