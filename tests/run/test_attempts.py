"""Which page is read next and with how much effort: chance is tried again, certainty with less."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse.run.attempts import Attempts, Effort, ranges_of
from docparse.run.worker import TaskFailure

CRASH = TaskFailure("crash", "the worker process was killed by signal 9")
HANG = TaskFailure("timeout", "took longer than 120 s")
LOST = TaskFailure("device", "the device failed", permanent=True)
DAMAGED = TaskFailure("damaged", "it is damaged", permanent=True)
FULL, PIPELINE, TEXT = Effort.FULL, Effort.PIPELINE, Effort.TEXT


@pytest.mark.parametrize(
    "failure, settings, efforts, told_last",
    [
        (CRASH, {"retries": 2}, [FULL, FULL, FULL, TEXT], [False, False, True, True]),  # it may have been chance
        (HANG, {"retries": 2}, [FULL, TEXT], [False, True]),  # it comes again
        (HANG, {"with_model": True}, [FULL, PIPELINE, TEXT], None),
        (LOST, {"retries": 1, "with_model": True}, [FULL, FULL, PIPELINE, TEXT], None),
        (DAMAGED, {"retries": 5}, [FULL], None),
    ],
)
def test_how_a_page_is_tried_that_fails_every_time_in_the_same_way(failure, settings, efforts, told_last):
    pages, made, last = Attempts(**settings), [], []
    pages.add([1])
    while attempt := pages.next():
        made.append(attempt.effort)
        last.append(attempt.last)
        pages.ended(attempt.page, failure)
    assert made == efforts
    assert told_last in (None, last)


def test_a_page_fails_for_the_first_reason_not_for_that_of_the_last_resort():
    pages = Attempts()
    pages.add([1])
    pages.next()
    assert pages.ended(1, HANG) is None
    assert pages.next().after == HANG
    assert pages.ended(1, DAMAGED) == HANG
    assert pages.count(1) == 2


def test_after_too_many_failed_pages_in_a_row_the_untried_ones_are_given_up():
    pages = Attempts(patience=3)
    pages.add(range(1, 101))
    for number in (1, 2, 3, 4, 5):
        assert pages.next() is not None
        pages.ended(number, None if number == 2 else DAMAGED)
        assert pages.must_give_up == (number == 5)
    assert pages.give_up() == list(range(6, 101))
    assert not pages


def test_a_page_that_was_read_with_less_effort_before_is_left_as_it_is():
    pages = Attempts()
    pages.again.add(2)
    assert pages.leave([1, 2, 3], wanted=True) == [(1, 1), (3, 3)]
    assert (pages.partial, pages.unread) == ({2}, {1: 1, 3: 3})


@given(
    outcomes=st.lists(st.sampled_from([None, CRASH, HANG, DAMAGED]), max_size=200),
    pages=st.integers(1, 20),
    retries=st.integers(0, 3),
    patience=st.integers(0, 4),
)
def test_every_page_ends_once_or_is_given_up(outcomes, pages, retries, patience):
    left, ended = Attempts(retries=retries, patience=patience), []
    left.add(range(1, pages + 1))
    for outcome in outcomes:
        attempt = left.next()
        if attempt is None:
            break
        failed = left.ended(attempt.page, outcome)
        if outcome is None or failed is not None:
            ended.append(attempt.page)
        if failed is not None and left.must_give_up:
            ended += left.give_up()
    ended += left.stop()
    assert sorted(ended) == list(range(1, pages + 1))


@given(st.sets(st.integers(1, 60)))
def test_ranges_hold_the_same_numbers(numbers):
    found = list(ranges_of(sorted(numbers)))
    assert {number for first, last in found for number in range(first, last + 1)} == numbers
    assert all(later > last + 1 for (_, last), (later, _) in pairwise(found))
