"""The index finds what a scan finds, in drafts and in the growing output."""

from itertools import accumulate

from hypothesis import given
from hypothesis import strategies as st

from docparse.accel.drafts import OCR, OUTPUT, DraftTokens
from docparse.accel.index import DraftIndex

tokens = st.lists(st.integers(0, 3), max_size=40)


def scan(text, window):
    ends = range(len(window), len(text) + 1)
    return [end for end in ends if list(text[end - len(window) : end]) == list(window)]


@given(st.lists(tokens, max_size=4), tokens, st.lists(st.integers(0, 3), min_size=1, max_size=3))
def test_no_window_spans_two_drafts(drafts, output, window):
    index = DraftIndex(3, [DraftTokens(tuple(draft), OCR) for draft in drafts])
    index.extend(output)
    begins = accumulate((len(draft) + 1 for draft in drafts), initial=0)  # a separator stands behind each
    expected = [
        begin + place for begin, text in zip(begins, [*drafts, output], strict=True) for place in scan(text, window)
    ]
    assert list(index.after(window)) == expected
    assert all((index.source(place) == OUTPUT) == (place >= index.output) for place in expected)


def test_an_output_that_may_not_be_quoted_is_never_proposed_from():
    index = DraftIndex(2, [DraftTokens((1,), OCR)], quotable=False)
    index.extend((1, 5, 1))
    assert [index.more(place) for place in range(5)] == [True, False, False, False, False]
