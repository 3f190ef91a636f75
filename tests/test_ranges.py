"""Page ranges: what `--pages` selects."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse.errors import InputError, UsageError
from docparse.ranges import PageRanges


@pytest.mark.parametrize(
    ("text", "count", "expected"),
    [
        ("", 3, [1, 2, 3]),
        ("2", 3, [2]),
        ("1-3,7,-1", 9, [1, 2, 3, 7, 9]),
        ("-2--1", 5, [4, 5]),
        ("3-", 5, [3, 4, 5]),
        ("2--2", 5, [2, 3, 4]),
        (" 3 , 1 - 2 ", 3, [1, 2, 3]),
        ("2,2,1-2", 2, [1, 2]),
        ("1-3", 2, [1, 2]),
        ("-9--2", 3, [1, 2]),
        ("9,2,4-5", 3, [2]),
    ],
)
def test_selects(text, count, expected):
    assert PageRanges.parse(text).select(count) == expected


NONSENSE = ["x", "1,,2", "0", "1-0", "3-1", "-1--3", "1..3", "1-2-3", "--", "1.5", "9" * 5000]
OUTSIDE = ["4", "-4", "4-", "4-9,7", "3--3"]


@pytest.mark.parametrize("text", [*NONSENSE, *OUTSIDE], ids=lambda text: text[:9])
def test_nonsense_is_refused_whatever_the_document_and_what_selects_nothing_for_this_one(text):
    with pytest.raises(InputError if text in OUTSIDE else UsageError, match="3 pages" if text in OUTSIDE else None):
        PageRanges.parse(text).select(3)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", ""),
        ("1-9,-9--1", ""),
        ("1,4", "page 4 is not there: the document has 3 pages"),
        ("-4,2", "page -4 is not there: the document has 3 pages"),
        ("5-,2,9", "pages 5-, 9 are not there: the document has 3 pages"),
    ],
)
def test_what_lies_wholly_outside_is_named(text, line):
    assert PageRanges.parse(text).missing(3) == line


@given(st.text(alphabet="0123456789-, ", max_size=12), st.integers(1, 20))
def test_every_text_selects_pages_of_the_document_or_is_a_clear_error(text, count):
    with suppress(UsageError, InputError):
        selected = PageRanges.parse(text).select(count)
        assert selected and selected == sorted(set(selected)) and set(selected) <= set(range(1, count + 1))
