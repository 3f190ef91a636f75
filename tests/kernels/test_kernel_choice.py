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
from docparse.kernels.decode_attention import decode_attention
from docparse.kernels.reads import Reads
from docparse.kernels.edge_density import edge_density
from docparse.kernels.focal_attention import focal_attention
from docparse.kernels.prompt_statistics import prompt_statistics
from docparse.kernels.commit import commit
from docparse.kernels.rms_norm import RmsNorm
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
RmsNorm(one[0, 0, 0], 1e-6)(many[0, 0])
swiglu(many[0, 0])
slab = torch.ones(1, 2, 1, 1, 3, 4)
rotate_and_store(torch.ones(1, 1, 12), one[0], one[0], slab[0], two)
commit(slab, none[None], two[None])
edge_density(torch.ones(4, 4, 3, dtype=torch.uint8), torch.tensor([[0, 0, 4, 4]]))
""")
