"""After something unforeseen a draft goes on where the fewest edits explain it."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse.accel.following import realignments

tokens = st.lists(st.integers(0, 3), max_size=8)


def distance(a, b):
    """Levenshtein's distance by its definition."""

    @cache
    def between(i, j):
        if not i or not j:
            return i + j
        return min(between(i - 1, j) + 1, between(i, j - 1) + 1, between(i - 1, j - 1) + (a[i - 1] != b[j - 1]))

    return between(len(a), len(b))


@given(tokens, tokens.filter(bool))
def test_no_fewer_edits_lead_to_what_is_skipped(draft, written):
    found = realignments(draft, written)
    assert found
    for place in found:
        assert distance(tuple(draft[: place.skip]), tuple(written)) <= place.edits
        assert place.agrees == (place.skip > 0 and draft[place.skip - 1] == written[-1])


@pytest.mark.parametrize(
    ("draft", "written", "skip"),
    [
        pytest.param([7, 2, 3, 4], [1], 1, id="one token is wrong"),
        pytest.param([2, 3, 4, 5], [1], 0, id="one token is missing"),
        pytest.param([7, 8, 1, 2], [1], 3, id="two tokens are too many"),
        pytest.param([7, 2, 3, 4], [1, 2], 2, id="a wrong token and a right one"),
    ],
)
def test_the_usual_edits_are_among_the_places_offered(draft, written, skip):
    places = [place.skip for place in realignments(draft, written)]
    assert skip in places and (written[-1] not in draft or places[0] == skip)
