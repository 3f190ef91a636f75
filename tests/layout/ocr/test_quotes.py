"""Straight quotation marks that OCR reads among curly ones."""

import pytest
from typeset import row

from docparse.layout.ocr.quotes import with_curly_quotes


@pytest.mark.parametrize(
    "text, meant",
    [
        ('of “causes" and “it”, the "19" screens', "of “causes” and “it”, the “19\" screens"),
        ('a “name" (a “sign.") of x"y', 'a “name” (a “sign.”) of x"y'),
        ('print "yes" and "no"', 'print "yes" and "no"'),
        ('he said „ja" and "no"', 'he said „ja" and "no"'),
        (',,Ja" und (,,nein", 1,,2 ,,', '„Ja" und („nein", 1,,2 ,,'),
        ('„Ja“ und „Nein"', '„Ja“ und „Nein"'),
        ('by “it” print("hello") x="a" or 6" and two"', 'by “it” print("hello") x="a" or 6" and two"'),
    ],
)  # fmt: skip
def test_a_straight_mark_among_curly_ones_is_curly(text, meant):
    assert [word.text for word in with_curly_quotes(row(text, 60, 100))] == meant.split()
