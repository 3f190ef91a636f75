"""How many workers a machine has room for, and how much memory each may have."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse.run import capacity

GIB = 2**30


def on_a_machine(patch, memory, cores=8):
    patch.setattr(capacity, "available_memory", lambda: memory)
    patch.setattr(capacity, "usable_cores", lambda: cores)


@pytest.mark.parametrize(
    "memory, workers, limit",
    [
        (64 * GIB, 8, capacity.MAX_LIMIT),
        (13 * GIB, 8, 13 * GIB // 8),
        (12 * GIB, 9, capacity.MIN_LIMIT),
        (GIB // 2, 1, capacity.MIN_LIMIT),
        (0, 8, capacity.MAX_LIMIT),
    ],
)
def test_each_worker_has_its_share_within_reason(monkeypatch, memory, workers, limit):
    on_a_machine(monkeypatch, memory)
    assert capacity.default_memory(workers) == limit


@given(st.integers(0, 2**40), st.integers(1, 256))
def test_as_many_workers_as_cores_and_memory_allow(memory, cores):
    with pytest.MonkeyPatch.context() as patch:
        on_a_machine(patch, memory, cores)
        workers = capacity.default_workers()
    assert 1 <= workers <= cores
    assert memory == 0 or workers == 1 or workers * capacity.MEMORY_PER_WORKER <= memory
