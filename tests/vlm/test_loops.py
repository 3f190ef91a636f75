"""Where the repetition at the end of an output begins."""

from hypothesis import given
from hypothesis import strategies as st

from docparse.engine.loop_guard import before_loop


@given(head=st.lists(st.integers(0, 50), max_size=40), block=st.lists(st.integers(100, 150), min_size=1, max_size=20))
def test_a_loop_is_kept_once(head, block):
    kept = before_loop(head + block * 40)
    assert kept <= len(head) + len(block)
    assert kept > len(head)


@given(tokens=st.lists(st.integers(), unique=True, max_size=40))
def test_what_does_not_repeat_is_kept_whole(tokens):
    assert before_loop(tokens) == len(tokens)
