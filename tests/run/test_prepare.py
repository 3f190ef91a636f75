"""What is decided before a run begins: how a model is read with, how many workers a machine has room for, and how much
memory each may have."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse.models import auto_model
from docparse.run import capacity, plan
from docparse.settings import Settings
from docparse.weights import memory

GIB = 2**30


def planned(**settings):
    return plan.plan_run(Settings(images="none", **settings))


@pytest.mark.parametrize(
    "parameters, free, cores, processes",
    [
        (10**7, 100 * GIB, 2, 2),  # a small model keeps one core busy
        (10**7, 100 * GIB, 64, plan.MAX_PROCESSES),
        (10**7, 7 * GIB, 8, 2),  # each needs memory of its own
        (10**7, 0, 8, 1),  # nobody knows how much there is
        (10**9, 100 * GIB, 8, 1),  # a large one is held up by the memory, which they would share
    ],
)
def test_a_small_model_gets_several_processes_on_a_cpu(monkeypatch, parameters, free, cores, processes):
    fitting = memory.plan(parameters, memory.Device("cpu", "memory", free), "float32")
    monkeypatch.setattr(auto_model, "fitting_plan", lambda *_: fitting)
    monkeypatch.setattr(plan, "usable_cores", lambda: cores)
    prepared = planned(model="tiny")
    assert prepared.note.startswith("model: tiny (for measuring methods, not for real documents), ")
    assert (prepared.devices, prepared.model_threads) == (("cpu",) * processes, cores // processes)
    assert planned(model="tiny", threads=3).devices == ("cpu",)


@pytest.mark.parametrize(
    "typed, dpi, most", [({}, 200, 16384), ({"dpi": 96}, 96, 16384), ({"max_tokens": 100}, 200, 100)]
)
def test_pages_are_drawn_and_outputs_as_long_as_the_authors_have_it_unless_said(twin_folder, typed, dpi, most):
    settings = planned(model=str(twin_folder("dots.ocr")), device="cpu", **typed).settings
    assert (settings.dpi, settings.max_tokens) == (dpi, most)
    # without a model pages are drawn as ever
    settings = planned(model="pipeline").settings
    assert (settings.resolution, settings.output_tokens) == (144, 8192)


@pytest.mark.parametrize(
    "model, accel, told, values",
    [
        ("tiny", "balanced", "calibrated for these weights", "hsd(tau=0.75)"),
        ("tiny", "hsd", "", "hsd"),
        ("dots.ocr", "fast", "--accel fast: the papers' own values", "rtprune+fastocr+hsd(tau=0.75)"),
    ],
)
def test_a_run_says_where_the_values_of_a_preset_come_from(
    twin_folder, tmp_path, monkeypatch, model, accel, told, values
):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    name = model if model == "tiny" else str(twin_folder(model))
    prepared = planned(model=name, device="cpu", accel=accel)
    assert told in prepared.note and ("--accel" in prepared.note) == bool(told)
    assert ("bench --calibrate" in prepared.note) == (model != "tiny")
    assert prepared.settings.accel.endswith(values)


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
