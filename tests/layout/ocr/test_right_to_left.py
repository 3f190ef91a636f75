"""What is seen from left to right becomes what is read from right to left."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse.layout.ocr.tokens import as_read
from training.lines import turned

SEEN = {  # words of a line from left to right as they are seen, and the line as it is read
    "Hebrew": ("בוט םולש", "שלום טוב"),
    "a number": ('ח"ש 1,250.50 ריחמה', 'המחיר 1,250.50 ש"ח'),
    "a date and brackets": ("(12/05/2024) םוימ", "מיום (12/05/2024)"),
    "a full stop at the left end": (".2.0 הסרגב", "בגרסה 2.0."),
    "Latin words": ("Red Hat לש תכרעמ", "מערכת של Red Hat"),
    "Arabic figures": ("٢٠٢٣/٤٥٨ مقر", "رقم ٢٠٢٣/٤٥٨"),
    "English": ("The price is 12.5 (net)", "The price is 12.5 (net)"),
}


@pytest.mark.parametrize("seen, read", SEEN.values(), ids=SEEN)
def test_a_line_is_read_from_the_side_of_its_script(seen, read):
    assert " ".join(text for _, text in as_read(seen.split())) == read


WORDS = st.sampled_from(["שלום", "עולם", '"כן"', "(אולי)", "12", "3.14", "١٧", "את:", "بيت", "«لا»"])


@given(st.lists(WORDS, min_size=1, max_size=8).map(" ".join))
def test_turning_twice_changes_nothing(line):
    assert turned(turned(line)) == line


@given(st.lists(st.one_of(WORDS, st.sampled_from(["Linux", "PDF-A", "a"])), max_size=8))
def test_every_word_is_read_once(words):
    read = as_read(words)
    assert sorted(place for place, _ in read) == list(range(len(words)))
    assert all(text in (words[place], turned(words[place])) for place, text in read)
