"""What is decided before a run begins."""

import pytest
from twins import make_twin

from docparse.models.registry import family_named
from docparse.run import plan
from docparse.settings import Settings
from docparse.weights import memory

GIB = 2**30


@pytest.mark.parametrize(
    ("parameters", "free", "cores", "processes"),
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
    monkeypatch.setattr(plan, "_plan", lambda settings, snapshot: fitting)
    monkeypatch.setattr(plan, "usable_cores", lambda: cores)
    prepared = plan.plan_run(Settings(model="tiny"), images="none")
    assert prepared.devices == ("cpu",) * processes
    assert prepared.model_threads == cores // processes
    assert plan.plan_run(Settings(model="tiny", threads=3), images="none").devices == ("cpu",)


@pytest.mark.parametrize(
    ("typed", "dpi", "most"), [({}, 200, 16384), ({"dpi": 96}, 96, 16384), ({"max_tokens": 100}, 200, 100)]
)
def test_pages_are_drawn_and_outputs_as_long_as_the_authors_have_it_unless_said(typed, dpi, most, tmp_path):
    family = family_named("dots.ocr")
    assert family is not None
    make_twin(family, tmp_path)
    settings = plan.plan_run(Settings(model=str(tmp_path), device="cpu", **typed), images="none").settings
    assert (settings.dpi, settings.max_tokens) == (dpi, most)


def test_without_a_model_pages_are_drawn_as_ever():
    settings = plan.plan_run(Settings(model="pipeline"), images="none").settings
    assert (settings.resolution, settings.output_tokens) == (144, 8192)


@pytest.mark.parametrize(("accel", "told"), [("balanced", "calibrated for these weights"), ("hsd", "")])
def test_a_run_says_where_the_values_of_a_preset_come_from(accel, told, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    prepared = plan.plan_run(Settings(model="tiny", device="cpu", accel=accel), images="none")
    assert told in prepared.note and ("--accel" in prepared.note) == bool(told)
    assert prepared.settings.accel.endswith("hsd(tau=0.75)") or prepared.settings.accel == accel


def test_without_a_calibration_a_run_says_that_presets_have_the_papers_values(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    family = family_named("dots.ocr")
    assert family is not None
    make_twin(family, tmp_path / "twin")
    prepared = plan.plan_run(Settings(model=str(tmp_path / "twin"), device="cpu", accel="fast"), images="none")
    assert "--accel fast: the papers' own values" in prepared.note and "bench --calibrate" in prepared.note
    assert prepared.settings.accel == "rtprune+fastocr+hsd(tau=0.75)"
