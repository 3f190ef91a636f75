"""Loops are stopped; what documents repeat is not."""

from hypothesis import given
from hypothesis import strategies as st

from docparse.vlm.loop_guard import LoopGuard, LoopWatch, before_loop

SMALL = LoopGuard(longest=8, min_tokens=12, repeats=6, max_tokens=20, min_repeats=3)


def stopped_at(tokens, guard=SMALL):
    watch = LoopWatch(guard)
    return next((i for i, token in enumerate(tokens) if watch.read((token,)) is not None), None)


def loops(tokens, guard):
    """The definition, by looking: the end of `tokens` is one block over and over, for as long as the threshold says."""
    for period, least in enumerate(guard.thresholds(), start=1):
        tail = tokens[-least:]
        if len(tail) == least and all(a == b for a, b in zip(tail, tail[period:], strict=False)):
            return True
    return False


@given(
    head=st.lists(st.integers(0, 3), max_size=12),
    block=st.lists(st.integers(0, 2), min_size=1, max_size=10),
    times=st.integers(0, 12),
    tail=st.lists(st.integers(0, 3), max_size=4),
)
def test_it_stops_exactly_where_the_output_becomes_a_loop(head, block, times, tail):
    tokens = head + block * times + tail
    expected = next((i for i in range(len(tokens)) if loops(tokens[: i + 1], SMALL)), None)
    assert stopped_at(tokens) == expected


@given(st.lists(st.lists(st.integers(0, 1), max_size=30), max_size=6), st.integers(2, 5))
def test_tokens_of_one_step_are_read_at_once(steps, times):
    """The loop begins at the same token as one by one, whose number in its step is told."""
    steps = steps * times
    stop, read, watch = stopped_at(token for step in steps for token in step), 0, LoopWatch(SMALL)
    for step in steps:
        found = watch.read(step)
        assert found == (stop - read if stop is not None and stop < read + len(step) else None)
        if found is not None:
            break
        read += len(step)


def test_the_usual_thresholds():
    for period, tokens in ((1, 512), (6, 512), (34, 2048), (300, 2400), (512, 4096)):
        assert stopped_at([i % period for i in range(5000)], LoopGuard()) == tokens - 1
    dots = [1] * 200  # what documents repeat goes through
    blank_row = [2, *[3, 4, 5, 6] * 12, 7]  # a row of twelve empty cells
    contents = [token for line in range(60) for token in (*range(100 + line, 106 + line), *dots[:60], line)]
    assert stopped_at(dots + blank_row * 40 + contents, LoopGuard()) is None


@given(head=st.lists(st.integers(0, 50)), block=st.lists(st.integers(100, 150), min_size=1, max_size=20))
def test_of_a_loop_one_round_is_kept_and_all_of_what_does_not_repeat(head, block):
    assert len(head) < before_loop(head + block * 40) <= len(head) + len(block)
    assert before_loop(range(len(head))) == len(head)
