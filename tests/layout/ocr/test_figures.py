"""Figures that OCR reads as letters, on typewritten pages and others."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse.layout.ocr.figures import with_figures
from docparse.layout.text.words import Word
from docparse.types import Box

PROSE = ["words", "of", "the", "letter", "that", "goes", "on", "to", "the", "next", "page", "and", "ends", "there"]


def page(*texts, mono):
    boxes = (Box(10.0 * i, 0, 10.0 * i + 9, 10) for i in range(len(texts)))
    return [
        Word(text=text, box=box, baseline=8.0, size=10.0, mono=mono) for text, box in zip(texts, boxes, strict=True)
    ]


def read(*texts, mono):
    """The same words among others of a page, on which a year is typed without a 1."""
    return [word.text for word in with_figures(page(*texts, *PROSE, "l938", mono=mono))[: len(texts)]]


@pytest.mark.parametrize(
    ("text", "typed"),
    [("l939", "1939"), ("£l0o,000", "£100,000"), ("W.C.l.", "W.C.1."), ("l.", "1."), ("l/2", "1/2"), ("2l", "21"),
     ("lst", "1st"), ("ll", "11"), ("a〇b", "aob"), ("1〇", "10")],
)  # fmt: skip
def test_a_typewritten_page_has_its_figures(text, typed):
    assert read(text, mono=True) == [typed]


@pytest.mark.parametrize(
    ("text", "printed"), [("l939", "1939"), ("2lst", "21st"), ("19l4,", "1914,"), ("2O23", "2023"), ("I863", "1863")]
)
def test_among_figures_a_letter_is_one_in_any_type(text, printed):
    assert read(text, mono=False) == [printed]


@pytest.mark.parametrize("text", ["O2", "5O2", "I80", "10l", "l1", "l.", "ll", "Il", "IO", "I", "〇", "二〇二四",
                                  "l'eau", "3.l4", "1o", "4.II.1997", "5-O-4", "2.I.4"])  # fmt: skip
def test_what_may_be_a_name_a_unit_or_a_sign_stays_in_print(text):
    assert read(text, mono=False) == [text]


@pytest.mark.parametrize("text", ["I", "l'eau", "l’air", "O2", "hello", "oil", "lo", "Ill", "二〇二四", "10.III.1939",
                                  "1o", "l/min", "I80", "I2"])  # fmt: skip
def test_words_of_a_typewritten_page_stay(text):
    assert read(text, mono=True) == [text]


@pytest.mark.parametrize("text", ["l", "10l", "l2", "lst", "(l)"])
def test_a_page_in_monospaced_type_that_has_ones_keeps_its_letters(text):
    found = with_figures(page(text, *PROSE, "1938", mono=True))
    assert found[0].text == text


def test_names_in_a_listing_stay():
    assert read("l1", "=", "{l2};", mono=True) == ["l1", "=", "{l2};"]


@given(st.lists(st.text(alphabet="0123456789,.:/-()$%stndrh", min_size=1), min_size=1), st.booleans())
def test_numbers_without_letters_stay(texts, mono):
    assert [word.text for word in with_figures(page(*texts, mono=mono))] == texts
