"""SwiGLU is what the modules compute between their projections."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers import Qwen2Config
from transformers.models.qwen2.modeling_qwen2 import Qwen2MLP

from docparse.kernels.swiglu import fused, swiglu


@given(st.sampled_from([torch.float64, torch.float32, torch.bfloat16]), st.integers(1, 9), st.integers(1, 50))
def test_the_reference_is_the_module(dtype, rows, size):
    mlp = Qwen2MLP(Qwen2Config(hidden_size=8, intermediate_size=size)).to(dtype)
    x = torch.randn(rows, 8, dtype=dtype)
    with torch.no_grad():
        hidden = swiglu(torch.cat((mlp.gate_proj(x), mlp.up_proj(x)), 1))
        # Sigmoids of a vector's last numbers may differ in the last place, and strides say which are the last.
        eps = torch.finfo(dtype).eps
        torch.testing.assert_close(mlp.down_proj(hidden), mlp(x), atol=4 * eps, rtol=4 * eps)


@pytest.mark.parametrize(("rows", "size"), [(1, 1), (3, 20), (2, 1100)])
def test_the_kernel_is_the_definition(interpreted, dtype, rows, size):
    gate_up = (torch.randn(rows, 2 * size, generator=torch.Generator().manual_seed(0)) * 4).to(dtype)
    gate, up = gate_up.double().chunk(2, 1)
    out = interpreted(fused, gate_up)
    assert out.dtype == dtype
    # Rounded once (the interpreter cuts off), after a few roundings in float32.
    eps = max(torch.finfo(dtype).eps, 1e-6)
    torch.testing.assert_close(out.double(), gate * gate.sigmoid() * up, atol=1e-6, rtol=eps)
