"""Sizes as people write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse.sizes import parse_size, shown_size


@pytest.mark.parametrize(
    ("text", "size"),
    [("100", 100), ("2G", 2**31), ("512m", 2**29), ("1.5 GiB", 3 * 2**29), ("3kB", 3072), (" 1T ", 2**40)],
)
def test_a_size_is_a_number_with_a_unit(text, size):
    assert parse_size(text) == size


@pytest.mark.parametrize("text", ["", "G", "-1", "1 2", "2X", "1e9", "nan", "2,5G"])
def test_what_is_no_size_is_refused(text):
    with pytest.raises(ValueError, match="not a size"):
        parse_size(text)


@given(st.integers(0, 2**50))
def test_a_size_is_shown_in_a_few_characters_that_say_nearly_the_same(size):
    shown = shown_size(size)
    assert len(shown) <= 10
    assert parse_size(shown.replace("bytes", "")) == pytest.approx(size, rel=0.01)
