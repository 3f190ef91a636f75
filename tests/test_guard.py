"""The guard of a page's parts: what fails is replaced and remembered, what takes too long is stopped."""

import signal
import time

import pytest

from docparse import guard as guard_module
from docparse.errors import DeviceLost, EnvironmentProblem
from docparse.guard import Guard, OutOfTime, finish_soon, time_limit


def raising(error):
    def part():
        raise error

    return part


def test_a_part_that_goes_well_leaves_no_trace_and_one_that_raises_is_replaced_and_named_once():
    guard = Guard()
    assert guard("tables", lambda: 3, lambda: 0) == 3
    assert guard.summary("the rest is kept") == ""
    for _ in range(2):
        assert guard("tables", lambda: 1 // 0, lambda: 7) == 7
    reason = "without tables (ZeroDivisionError: integer division or modulo by zero)"
    assert guard.summary("the rest is kept") == f"{reason}; the rest is kept"


@pytest.mark.parametrize("error", [DeviceLost("x"), EnvironmentProblem("x")])
def test_what_ends_more_than_a_part_is_passed_on(error):
    with pytest.raises(type(error)):
        Guard()("model", raising(error), lambda: None)


@pytest.mark.parametrize("error", [MemoryError(), RuntimeError("std::bad_alloc")])
def test_want_of_memory_is_the_callers_where_another_process_may_have_it(error):
    with pytest.raises(MemoryError, match="no memory for ocr"):
        Guard(memory_raised=True)("ocr", raising(error), lambda: None)
    guard = Guard()
    assert guard("ocr", raising(error), lambda: "less") == "less"
    assert guard.failures[0].startswith("ocr (")


def test_a_part_is_stopped_even_if_it_swallows_exceptions_and_later_ones_have_time():
    def stubborn():
        while True:
            try:
                time.sleep(0.01)
            except Exception:
                continue

    guard = Guard(time.monotonic() + 0.5)
    assert guard("order", stubborn, lambda: "top down") == "top down"
    assert guard.failures == ["order (out of time)"]
    assert guard("words", lambda: "read", lambda: "lost") == "read"


@pytest.mark.parametrize("patient, read", [(True, "half of it"), (False, "nothing")])
def test_a_part_that_was_stopped_may_finish_with_what_it_has(monkeypatch, patient, read):
    monkeypatch.setattr(guard_module, "REPEAT", 0.05)
    monkeypatch.setattr(guard_module, "GRACE", 5.0)

    def reads():
        try:
            time.sleep(10)
        except OutOfTime as ended:
            if patient:
                finish_soon(ended)
            time.sleep(0.4)
        return "half of it"

    assert Guard(time.monotonic() + 0.4)("ocr", reads, lambda: "nothing") == read


def test_what_more_time_or_memory_would_mend_is_told_apart():
    guard = Guard()
    assert guard.category == ""
    guard("tables", lambda: 1 // 0, lambda: 0)
    assert guard.category == "stage"
    guard("ocr", lambda: bytearray(1 << 62), bytearray)
    assert guard.category == "memory"
    Guard(time.monotonic() + 0.05, kinds=guard.kinds)("layout", lambda: time.sleep(9), lambda: None)
    assert guard.category == "timeout"


def test_a_limit_leaves_no_timer_and_no_handler_behind():
    before = signal.getsignal(signal.SIGALRM)
    with pytest.raises(OutOfTime), time_limit(0.05):
        time.sleep(10)
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGALRM) is before
