"""Distances behave as distances, and TEDS sees structure and text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse.bench.scoring.metrics import character_error_rate, edit_distance, normal_markdown, teds, window_distance

TABLE = "<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>"


@given(st.text(min_size=1, max_size=8), st.text(max_size=8), st.text(max_size=8))
def test_a_part_of_a_text_is_at_no_distance_from_it(needle, before, after):
    assert window_distance(needle, before + needle + after) == 0


def test_distances_count_over_the_longer_text_or_at_the_best_place():
    assert edit_distance("kitten", "sitting") == pytest.approx(3 / 7)
    assert edit_distance([1, 2, 3, 4], [1, 3, 2, 4]) == pytest.approx(2 / 4)
    assert window_distance("abcd", "xxabXdyy") == pytest.approx(1 / 4)
    assert window_distance("longer", "long") == window_distance("", "long") == 1


def test_a_table_is_told_by_its_structure_and_text_whatever_its_markup():
    """A wrong cell costs less than a missing row, and a span is part of the structure."""
    styled = TABLE.replace("<tr><td>a</td><td>b</td></tr>", '<thead><tr><th style="x">a</th><th>b</th></tr></thead>')
    assert teds(TABLE, TABLE) == teds(styled, TABLE) == 1
    wrong = TABLE.replace(">d<", ">x<")
    short = TABLE.replace("<tr><td>c</td><td>d</td></tr>", "")
    assert 0 < teds(short, TABLE) < teds(wrong, TABLE) < 1
    assert teds("", TABLE) == 0
    spanned = TABLE.replace("<td>a</td><td>b</td>", '<td colspan="2">ab</td>')
    flat = TABLE.replace("<td>a</td><td>b</td>", "<td>ab</td>")
    assert teds(spanned, spanned) == 1
    assert teds(flat, spanned) < 1


@pytest.mark.parametrize(
    ("text", "truth"),
    [
        (r"a \* b\_c 1\. d", "a * b_c 1. d"),
        ("a &lt; b &amp; c", "a < b & c"),
        ("two\n\n\nlines  here \n", "two lines here"),
        ("|a|b|\n|:-|-:|\n|c|d|", "|a|b|\n| --- | --- |\n|c|d|"),
        ("e\u0301te\u0301", "\u00e9t\u00e9"),
        (r"\$5 and \$6", "$5 and $6"),
    ],
)
def test_what_looks_the_same_to_a_reader_is_no_error(text, truth):
    assert normal_markdown(text) == normal_markdown(truth)
    assert character_error_rate(text, truth) == 0


@pytest.mark.parametrize(
    ("text", "truth", "errors"),
    [("## A", "# A", 1), ("**a**", "a", 4), ("- a", "1. a", 2), (r"$\_$", "$_$", 1), ("a- b", "a-b", 1), ("", "ab", 2)],
)
def test_markup_words_and_formulas_count_character_by_character(text, truth, errors):
    assert character_error_rate(text, truth) == pytest.approx(errors / len(truth))
