"""Triton runs on CUDA devices, the reference elsewhere, or what DOCPARSE_KERNELS says; neither is imported early."""

from __future__ import annotations

import subprocess
import sys
from types import SimpleNamespace

import pytest
import torch

from docparse.accel.kernels import check_kernels
from docparse.errors import UsageError
from docparse.kernels import launch
from docparse.kernels.sinkhorn import sinkhorn
from docparse.settings import load_settings

CPU, CUDA = (SimpleNamespace(is_cuda=name == "cuda", device=name) for name in ("cpu", "cuda"))


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DOCPARSE_KERNELS", raising=False)
    monkeypatch.delenv("TRITON_INTERPRET", raising=False)


def installed(monkeypatch: pytest.MonkeyPatch, yes: bool) -> None:
    monkeypatch.setattr(launch, "triton", object() if yes else None)


@pytest.mark.parametrize(
    ("said", "tensor", "has", "triton"),
    [
        (None, CPU, True, False),
        (None, CUDA, True, True),
        (None, CUDA, False, False),
        ("", CUDA, True, True),
        ("auto", CUDA, True, True),
        ("triton", CUDA, True, True),
        ("reference", CUDA, True, False),
    ],
)
def test_what_runs(monkeypatch, said, tensor, has, triton):
    installed(monkeypatch, has)
    if said is not None:
        monkeypatch.setenv("DOCPARSE_KERNELS", said)
    assert launch.use_triton(tensor) is triton


@pytest.mark.parametrize(
    ("said", "tensor", "has", "message"),
    [
        ("cuda", CPU, True, "auto, triton, reference"),
        ("triton", CPU, True, "needs a CUDA device"),
        ("triton", CUDA, False, "install it"),
    ],
)
def test_what_cannot_run_is_an_error(monkeypatch, said, tensor, has, message):
    installed(monkeypatch, has)
    monkeypatch.setenv("DOCPARSE_KERNELS", said)
    with pytest.raises(ValueError, match=message):
        launch.use_triton(tensor)


@pytest.mark.parametrize(
    ("said", "device", "message"),
    [
        ("cuda", "cpu", "DOCPARSE_KERNELS=cuda is not one of auto, triton, reference"),
        ("triton", "cpu", "DOCPARSE_KERNELS=triton needs"),
    ],
)
def test_before_anything_is_loaded_it_is_one_line(monkeypatch, said, device, message):
    monkeypatch.setenv("DOCPARSE_KERNELS", said)
    with pytest.raises(UsageError, match=message):
        check_kernels(device)
    monkeypatch.setenv("DOCPARSE_KERNELS", "reference")
    check_kernels(device)


def test_every_operation_asks(monkeypatch):
    monkeypatch.setenv("DOCPARSE_KERNELS", "nonsense")
    with pytest.raises(ValueError, match="DOCPARSE_KERNELS=nonsense"):
        sinkhorn(torch.zeros(1, 2, 2))


def test_the_interpreter_takes_tensors_of_the_cpu(monkeypatch):
    installed(monkeypatch, True)
    monkeypatch.setenv("TRITON_INTERPRET", "1")
    assert not launch.use_triton(CPU)
    monkeypatch.setenv("DOCPARSE_KERNELS", "triton")
    assert launch.use_triton(CPU)


def test_the_variable_is_no_unknown_setting():
    assert load_settings({}, environ={"DOCPARSE_KERNELS": "reference"}) == load_settings({}, environ={})


def run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_importing_the_package_imports_nothing():
    assert run("import sys, docparse.kernels.choice\nprint({'torch', 'triton'} & set(sys.modules))") == "set()\n"


def test_a_machine_without_triton_has_the_references():
    run("""
import sys
sys.modules["triton"] = None  # importing it fails
import torch
from docparse.kernels.decode_attention import decode_attention
from docparse.kernels.reads import Reads
from docparse.kernels.edge_density import edge_density
from docparse.kernels.focal_attention import focal_attention
from docparse.kernels.prompt_statistics import prompt_statistics
from docparse.kernels.commit import commit
from docparse.kernels.rms_norm import rms_norm
from docparse.kernels.rotary_cache import rotate_and_store
from docparse.kernels.swiglu import swiglu
from docparse.kernels.sinkhorn import sinkhorn
from docparse.settings import load_settings

one, many = torch.ones(1, 1, 1, 4), torch.ones(1, 1, 3, 4)
none, two = torch.tensor([0]), torch.tensor([2])
reads = Reads(None, None, two, None)
decode_attention(one, many, many, reads, 1.0)
focal_attention(one, many, many, reads, two[None], 1.0)
prompt_statistics(one, many, two, 1.0)
sinkhorn(torch.ones(1, 2, 2))
rms_norm(many[0, 0], one[0, 0, 0], 1e-6)
swiglu(many[0, 0])
slab = torch.ones(1, 2, 1, 1, 3, 4)
rotate_and_store(torch.ones(1, 1, 12), one[0], one[0], slab[0], two)
commit(slab, none[None], two[None])
edge_density(torch.ones(4, 4, dtype=torch.uint8), torch.tensor([[0, 0, 4, 4]]))
""")
