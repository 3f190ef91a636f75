"""`--model auto`: the best document model that is cached and fits, else the pipeline, and why."""

import pytest

from docparse.errors import EnvironmentProblem
from docparse.machine import Gpu
from docparse.models.auto_model import choose_model, what_fits
from docparse.models.registry import families
from docparse.weights import memory

GIB = 2**30
RANKED = [family.card for family in families() if family.card.purpose == "document"]
BEST, NEXT = RANKED[:2]
SMALLEST = min(RANKED, key=lambda card: card.parameters)


@pytest.fixture
def machine(monkeypatch):
    """`machine(gpu=bytes, memory=bytes)`: what this test's machine has free."""

    def build(gpu=0, main=64 * GIB):
        found = (Gpu("NVIDIA Test", gpu, gpu),) if gpu else ()
        monkeypatch.setattr(memory, "gpus", lambda: found)
        monkeypatch.setattr(memory, "torch_knows_cuda", lambda: True)
        monkeypatch.setattr(memory, "available_memory", lambda: main)

    build()
    return build


def test_the_best_that_is_cached_is_chosen(cache_model, machine):
    machine(gpu=80 * GIB)
    for card in reversed(RANKED):
        cache_model(card.repository)
    choice = choose_model()
    assert choice.model == BEST.name
    assert "NVIDIA Test" in choice.why


def test_what_does_not_fit_is_passed_over(cache_model, machine):
    large = max(RANKED, key=lambda card: card.parameters)
    machine(gpu=memory.plan(SMALLEST.parameters, memory.Device("cuda", "", 0)).needed)
    cache_model(large.repository)
    assert choose_model().model == "pipeline"
    assert f"no cached model fits: {large.name} needs" in choose_model().why
    cache_model(SMALLEST.repository)
    assert choose_model().model == SMALLEST.name


@pytest.mark.usefixtures("machine")
def test_without_a_gpu_it_is_the_pipeline_and_the_model_is_named(cache_model):
    cache_model(NEXT.repository)
    choice = choose_model()
    assert choice.model == "pipeline"
    assert f"--model {NEXT.name}" in choice.why


def test_a_torch_without_cuda_leaves_a_gpu_unused_and_that_is_said(cache_model, machine, monkeypatch):
    machine(gpu=80 * GIB)
    assert memory.unused_gpu() == ""
    monkeypatch.setattr(memory, "torch_knows_cuda", lambda: False)
    assert memory.here().name == "cpu"
    cache_model(BEST.repository)
    assert choose_model().model == "pipeline"
    assert "cannot use the NVIDIA Test that is here" in choose_model().why


def test_partial_weights_and_models_for_other_purposes_are_not_chosen(cache_model, machine):
    machine(gpu=800 * GIB)
    cache_model(BEST.repository, weights=False)
    for card in (family.card for family in families()):
        if card not in RANKED and card.repository:
            cache_model(card.repository)
    assert choose_model().model == "pipeline"


@pytest.mark.usefixtures("cache_model")
def test_a_device_that_was_asked_for_and_is_not_here_is_an_error(machine):
    with pytest.raises(EnvironmentProblem, match="no cuda device that torch can use"):
        choose_model("cuda")
    machine(gpu=80 * GIB)
    assert memory.named("cuda:0").what == "NVIDIA Test"
    with pytest.raises(EnvironmentProblem, match="this machine has cuda:0:"):
        memory.named("cuda:1")


@pytest.mark.parametrize(
    ("device", "free", "told", "dtype", "fits"),
    [
        ("cpu", 64, None, "float32", True),
        ("cpu", 9, None, "bfloat16", True),
        ("cpu", 2, None, "bfloat16", False),
        ("cuda", 80, None, "bfloat16", True),
        ("cuda", 80, "float32", "float32", True),
        ("cuda", 2, None, "bfloat16", False),
        ("mps", 0, None, "bfloat16", True),  # unknown memory is no reason to refuse
    ],
)
def test_a_cpu_computes_in_float32_where_that_fits_and_a_gpu_in_bfloat16(device, free, told, dtype, fits):
    plan = memory.plan(2 * 10**9, memory.Device(device, "its memory", free * GIB), *filter(None, [told]))
    assert (plan.dtype, plan.fits) == (dtype, fits)
    assert fits or plan.shortage() == "needs 5.7 GiB as bfloat16, and 2.0 GiB of its memory are free"


def test_what_fits_instead_is_the_best_that_does():
    assert what_fits(memory.Device("cuda", "", 800 * GIB)).startswith(f"{BEST.name} fits")
    assert "--model pipeline" in what_fits(memory.Device("cuda", "", 1))
