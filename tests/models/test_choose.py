"""`--model auto`: the best document model that is cached and fits, else the pipeline, and why."""

import subprocess
import sys
from collections.abc import Callable

import pytest

from docparse.errors import EnvironmentProblem
from docparse.machine import Gpu
from docparse.models.auto_model import choose_model, what_fits
from docparse.models.family import Card
from docparse.models.registry import families
from docparse.weights import memory

GIB = 2**30
RANKED = [family.card for family in families() if family.card.purpose == "document"]
BEST, NEXT = RANKED[:2]
SMALLEST = min(RANKED, key=lambda card: card.parameters)


@pytest.fixture
def machine(monkeypatch) -> Callable[..., None]:
    """`machine(gpu=bytes, memory=bytes)`: what this test's machine has free."""

    def build(gpu: int = 0, main: int = 64 * GIB) -> None:
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


def test_partial_weights_are_not_cached(cache_model, machine):
    machine(gpu=80 * GIB)
    cache_model(BEST.repository, weights=False)
    assert choose_model().model == "pipeline"


def test_only_document_models_are_chosen(cache_model, machine):
    machine(gpu=800 * GIB)
    others = [family.card for family in families() if family.card not in RANKED and family.card.repository]
    for card in others:
        cache_model(card.repository)
    assert choose_model().model == "pipeline"


@pytest.mark.usefixtures("cache_model", "machine")
def test_a_device_that_was_asked_for_and_is_not_here_is_an_error():
    with pytest.raises(EnvironmentProblem, match="no cuda device that torch can use"):
        choose_model("cuda")


def test_a_second_device_that_is_not_here_is_an_error(machine):
    machine(gpu=80 * GIB)
    assert memory.named("cuda:0").what == "NVIDIA Test"
    with pytest.raises(EnvironmentProblem, match="and there is cuda:0:"):
        memory.named("cuda:1")


def test_a_torch_without_cuda_leaves_a_gpu_unused_and_that_is_said(cache_model, machine, monkeypatch):
    machine(gpu=80 * GIB)
    assert memory.unused_gpu() == ""
    monkeypatch.setattr(memory, "torch_knows_cuda", lambda: False)
    assert memory.here().name == "cpu"
    cache_model(BEST.repository)
    assert choose_model().model == "pipeline"
    assert "cannot use the NVIDIA Test that is here" in choose_model().why


def test_choosing_among_cached_models_imports_no_torch(cache_model):
    cache = cache_model(BEST.repository).parents[2]
    code = (
        "import sys\nfrom docparse.models.auto_model import choose_model\nchoose_model()\n"
        "print({'torch', 'transformers', 'numpy', 'huggingface_hub'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"HF_HUB_CACHE": str(cache)}
    )
    assert done.stdout.strip() == "set()"


@pytest.mark.parametrize(("free", "dtype"), [(64, "float32"), (9, "bfloat16"), (2, "bfloat16")])
def test_a_cpu_computes_in_float32_where_that_fits(free, dtype):
    card = Card("m", "o/m", "", "MIT", 2 * 10**9)
    plan = memory.plan(card.parameters, memory.Device("cpu", "memory", free * GIB))
    assert (plan.dtype, plan.fits) == (dtype, free > 2)


def test_a_gpu_computes_in_bfloat16_unless_told(machine):
    machine(gpu=80 * GIB)
    assert memory.plan(10**9, memory.here()).dtype == "bfloat16"
    assert memory.plan(10**9, memory.here(), "float32").dtype == "float32"


def test_a_shortage_is_told_in_numbers():
    plan = memory.plan(8 * 10**9, memory.Device("cuda", "NVIDIA Test", 8 * GIB))
    assert not plan.fits
    assert plan.shortage() == "needs 16.9 GiB as bfloat16, and 8.0 GiB of NVIDIA Test are free"


def test_what_fits_instead_is_the_best_that_does():
    assert what_fits(memory.Device("cuda", "", 800 * GIB)).startswith(f"{BEST.name} fits")
    assert "--model pipeline" in what_fits(memory.Device("cuda", "", 1))


def test_unknown_memory_is_no_reason_to_refuse():
    assert memory.plan(8 * 10**9, memory.Device("mps", "", 0)).fits
