"""After something unforeseen a draft goes on where the fewest edits explain it; an edit that comes twice is a habit."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse.accel.edits import MAX_HABIT, Habits, realignments

tokens = st.lists(st.integers(0, 3), max_size=8)
DRAFT = [1, 2, 3, 4, 5] * 3


def distance(a, b):
    """Levenshtein's distance by its definition."""

    @cache
    def between(i, j):
        if not i or not j:
            return i + j
        return min(between(i - 1, j) + 1, between(i, j - 1) + 1, between(i - 1, j - 1) + (a[i - 1] != b[j - 1]))

    return between(len(a), len(b))


@given(tokens, tokens.filter(bool))
def test_edits_are_the_levenshtein_distance_to_what_is_skipped(draft, written):
    found = realignments(draft, written)
    assert found
    for place in found:
        assert place.edits == distance(tuple(draft[: place.skip]), tuple(written))
        assert place.agrees == (place.skip > 0 and draft[place.skip - 1] == written[-1])
        assert place.shift == (place.skip > len(written)) - (place.skip < len(written))


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


@pytest.mark.parametrize(
    ("changes", "habit"),
    [
        pytest.param([(2, 3, [8, 9])], None, id="once"),
        pytest.param([(2, 3, [8, 9]), (7, 8, [8, 9])], ([8, 9], 1, 2), id="twice"),
        pytest.param([(2, 3, [8, 9]), (7, 8, [7])], None, id="two different ones"),
        pytest.param([(2, 5, [8, 4, 5]), (7, 10, [8, 4, 5])], ([8], 1, 2), id="what the draft has is no part of it"),
        pytest.param([(2, 3, [*range(100, 101 + MAX_HABIT)])] * 2, None, id="too long"),
    ],
)
def test_what_is_written_twice_instead_of_the_same_tokens_is_a_habit(changes, habit):
    """The output leaves the draft before one place and comes back at the other."""
    habits = Habits()
    for place, back, written in changes:
        tokens = DRAFT + written
        habits.note(tokens, place, back, len(DRAFT), len(tokens))
    found = habits.at(tokens, 12)
    assert (found and (tokens[found.begin : found.begin + found.length], found.skip, found.context)) == habit


def test_the_token_alone_is_enough_where_what_precedes_it_differs():
    habits = Habits()
    for _ in range(2):
        habits.note([1, 3, 4, 8], 1, 2, 3, 4)
    assert habits.at([6, 3, 4, 8], 1).context == 1
