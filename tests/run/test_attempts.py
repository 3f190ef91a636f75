"""Which page is read next and with how much effort: chance is tried again, certainty with less."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from docparse.run.attempts import Attempts, Effort, ranges_of
from docparse.run.worker import TaskFailure

CRASH = TaskFailure("crash", "the worker process was killed by signal 9")
HANG = TaskFailure("timeout", "took longer than 120 s")
LOST = TaskFailure("device", "the device failed", permanent=True)
DAMAGED = TaskFailure("damaged", "it is damaged", permanent=True)


def efforts(pages: Attempts, failure: TaskFailure) -> list[Effort]:
    """The efforts made at the only page while it fails every time in the same way."""
    made = []
    while attempt := pages.next():
        made.append(attempt.effort)
        pages.ended(attempt.page, failure)
    return made


def one_page(**settings: object) -> Attempts:
    pages = Attempts(**settings)  # type: ignore[arg-type]
    pages.add([1])
    return pages


def test_a_crash_may_be_chance_so_the_page_is_tried_again_and_then_for_its_text():
    assert efforts(one_page(retries=2), CRASH) == [Effort.FULL, Effort.FULL, Effort.FULL, Effort.TEXT]


def test_the_last_full_attempt_is_told_so():
    pages = one_page(retries=2)
    last = []
    while attempt := pages.next():
        last.append(attempt.last)
        pages.ended(1, CRASH)
    assert last == [False, False, True, True]


def test_a_hang_comes_again_so_only_the_text_is_tried():
    assert efforts(one_page(retries=2), HANG) == [Effort.FULL, Effort.TEXT]


def test_with_a_model_the_pipeline_comes_before_the_text():
    assert efforts(one_page(with_model=True), HANG) == [Effort.FULL, Effort.PIPELINE, Effort.TEXT]


def test_a_device_that_fails_again_in_another_worker_is_not_asked_a_third_time():
    assert efforts(one_page(retries=1, with_model=True), LOST)[:3] == [Effort.FULL, Effort.FULL, Effort.PIPELINE]


def test_a_damaged_page_is_not_tried_again():
    assert efforts(one_page(retries=5), DAMAGED) == [Effort.FULL]


def test_a_page_fails_for_the_first_reason_not_for_that_of_the_last_resort():
    pages = one_page()
    pages.next()
    assert pages.ended(1, HANG) is None
    attempt = pages.next()
    assert attempt is not None and attempt.after == HANG
    assert pages.ended(1, DAMAGED) == HANG
    assert pages.count(1) == 2


def test_after_too_many_failed_pages_in_a_row_the_untried_ones_are_given_up():
    pages = Attempts(patience=3)
    pages.add(range(1, 101))
    for number in (1, 2, 3, 4, 5):
        assert pages.next() is not None
        pages.ended(number, None if number == 2 else DAMAGED)
        assert pages.hopeless == (number == 5)
    assert pages.give_up() == list(range(6, 101))
    assert not pages


@given(
    outcomes=st.lists(st.sampled_from([None, CRASH, HANG, DAMAGED]), max_size=200),
    pages=st.integers(1, 20),
    retries=st.integers(0, 3),
    patience=st.integers(0, 4),
)
def test_every_page_ends_once_or_is_given_up(outcomes, pages, retries, patience):
    left = Attempts(retries=retries, patience=patience)
    left.add(range(1, pages + 1))
    ended: list[int] = []
    for outcome in outcomes:
        attempt = left.next()
        if attempt is None:
            break
        failed = left.ended(attempt.page, outcome)
        if outcome is None or failed is not None:
            ended.append(attempt.page)
        if failed is not None and left.hopeless:
            ended += left.give_up()
    ended += left.stop()
    assert sorted(ended) == list(range(1, pages + 1))


@given(st.sets(st.integers(1, 60)))
def test_ranges_hold_the_same_numbers(numbers):
    found = list(ranges_of(sorted(numbers)))
    assert {number for first, last in found for number in range(first, last + 1)} == numbers
    assert all(later > last + 1 for (_, last), (later, _) in pairwise(found))
