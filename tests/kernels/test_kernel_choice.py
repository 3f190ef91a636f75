"""Triton runs on CUDA devices, the reference elsewhere, or what DOCPARSE_KERNELS says; neither is imported early."""

from types import SimpleNamespace

import pytest
import torch
from fresh import printed

from docparse.accel.kernels import check_kernels
from docparse.errors import UsageError
from docparse.kernels import launch
from docparse.kernels.sinkhorn import sinkhorn
from docparse.settings import load_settings

CPU, CUDA = (SimpleNamespace(is_cuda=name == "cuda", device=name, dtype=torch.half) for name in ("cpu", "cuda"))
DOUBLE = SimpleNamespace(is_cuda=True, device="cuda", dtype=torch.double)


@pytest.mark.parametrize(
    ("said", "tensor", "triton", "runs"),
    [
        (None, CPU, True, False),
        (None, CUDA, True, True),
        (None, CUDA, False, False),
        ("auto", CUDA, True, True),
        ("triton", CUDA, True, True),
        ("triton", DOUBLE, True, False),
        ("reference", CUDA, True, False),
        ("cuda", CPU, True, "auto, triton, reference"),
        ("triton", CPU, True, "needs a CUDA device"),
        ("triton", CUDA, False, "install it"),
        ("interpreter", CPU, True, True),
    ],
)
def test_what_runs(monkeypatch, said, tensor, triton, runs):
    monkeypatch.delenv("DOCPARSE_KERNELS", raising=False)
    monkeypatch.delenv("TRITON_INTERPRET", raising=False)
    monkeypatch.setattr(launch, "triton", object() if triton else None)
    if said == "interpreter":
        monkeypatch.setenv("TRITON_INTERPRET", "1")
        assert not launch.use_triton(tensor)
    if said is not None:
        monkeypatch.setenv("DOCPARSE_KERNELS", said.replace("interpreter", "triton"))
    if isinstance(runs, bool):
        assert launch.use_triton(tensor) is runs
        return
    with pytest.raises(ValueError, match=runs):
        launch.use_triton(tensor)


@pytest.mark.parametrize("said", ["cuda", "triton"])
def test_before_anything_is_loaded_it_is_one_line_and_every_operation_asks(monkeypatch, said):
    monkeypatch.setenv("DOCPARSE_KERNELS", said)
    with pytest.raises(UsageError, match=f"DOCPARSE_KERNELS={said} (is not one of auto, triton, reference|needs)"):
        check_kernels("cpu")
    with pytest.raises(ValueError, match=f"DOCPARSE_KERNELS={said}"):
        sinkhorn(torch.zeros(1, 2, 2))
    monkeypatch.setenv("DOCPARSE_KERNELS", "reference")
    check_kernels("cpu")


def test_the_variable_is_no_unknown_setting():
    assert load_settings({}, environ={"DOCPARSE_KERNELS": "reference"}) == load_settings({}, environ={})


def test_a_machine_without_triton_has_the_references():
    printed("""
import sys
sys.modules["triton"] = None  # importing it fails
import torch
from importlib import import_module
from pkgutil import iter_modules
import docparse.kernels
for each in iter_modules(docparse.kernels.__path__):
    import_module(f"docparse.kernels.{each.name}")
from docparse.kernels.sinkhorn import sinkhorn
sinkhorn(torch.ones(1, 2, 2))
""")
