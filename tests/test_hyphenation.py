"""Seams: line, column and page breaks between words."""

import pytest

from docparse.hyphenation import is_cjk, seam


@pytest.mark.parametrize(
    ("before", "after", "whole"),
    [
        ("exam-", "ple", "example"),
        ("(accel-", "erated", "(accelerated"),
        ("exam\u00ad", "ple", "example"),
        ("COVID-", "19", "COVID-19"),
        ("state-of-", "the-art", "state-of-the-art"),
        ("Smith-", "Jones", "Smith-Jones"),
        ("Gross–", "Pitaevskii", "Gross–Pitaevskii"),
        ("737–", "9", "737–9"),
        ("see [15]–", "[22]", "see [15]–[22]"),
        ("a pause–", "[sic]", "a pause– [sic]"),
        ("a pause —", "and on", "a pause — and on"),
        ("https:", "//example.org/a", "https://example.org/a"),
        ("(https://doi.org/10.", "1000/182).", "(https://doi.org/10.1000/182)."),
        ("https://example.org/a/", "b_c.html", "https://example.org/a/b_c.html"),
        ("https://example.org/a/", "b.html.", "https://example.org/a/b.html."),
        ("https://example.org/a/", "for more", "https://example.org/a/ for more"),
        ("https://example.org/a.", "The next", "https://example.org/a. The next"),
        ("at https://example.org/a", "and/or", "at https://example.org/a and/or"),
        ("as follows:", "and/or", "as follows: and/or"),
        ("one", "two", "one two"),
        ("files (", "/etc/hosts", "files (/etc/hosts"),
        ("a -", "b", "a - b"),
        ("中文", "字", "中文字"),
        ("中文", "word", "中文 word"),
        ("ตั้งแต่เดือน", "มกราคม", "ตั้งแต่เดือนมกราคม"),
        ("ปี", "2566", "ปี 2566"),
        ("end.", "", "end. "),
    ],
)
def test_two_words_over_a_break(before, after, whole):
    space, cut = seam(before, after)
    assert (before[:-1] if cut else before) + space + after == whole


@pytest.mark.parametrize("after, space", [("org", ""), ("http://b.org", " ")])
def test_an_address_in_typewriter_type_goes_on_until_another_begins(after, space):
    assert seam("at http://a.", after, typed=True) == (space, False) and seam("at http://a.", after) == (" ", False)


def test_the_hyphen_of_an_address_in_typewriter_type_belongs_there():
    assert seam("(http://own-", "page.org", typed=True) == ("", False)
    assert seam("(http://own-", "page.org") == ("", True)


def test_scripts_without_spaces():
    assert is_cjk("字") and is_cjk("カ") and not is_cjk("한") and not is_cjk("a") and not is_cjk("")
