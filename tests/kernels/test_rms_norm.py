"""RMS norm is that of transformers' modules, to the last bit on a CPU."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers.models.glm_ocr.modeling_glm_ocr import GlmOcrRMSNorm
from transformers.models.hunyuan_vl.modeling_hunyuan_vl import HunYuanVLRMSNorm
from transformers.models.qwen2.modeling_qwen2 import Qwen2RMSNorm
from transformers.models.qwen3_vl.modeling_qwen3_vl import Qwen3VLTextRMSNorm

from docparse.kernels.rms_norm import RmsNorm, fused


@given(
    st.sampled_from([Qwen2RMSNorm, Qwen3VLTextRMSNorm, HunYuanVLRMSNorm, GlmOcrRMSNorm]),
    st.sampled_from([torch.float64, torch.float32, torch.float16, torch.bfloat16]),
    st.integers(1, 20),
    st.integers(1, 70),
    st.floats(1e-3, 1e3),
)
def test_the_reference_is_the_modules(module, dtype, rows, size, scale):
    norm = module(size, eps=1e-5).to(dtype)
    torch.nn.init.normal_(norm.weight)
    x = (torch.randn(rows, size, dtype=torch.float64) * scale).to(dtype)
    few = 4 * torch.finfo(torch.float32).eps if dtype == torch.float32 else 0.0  # otherwise bit for bit
    with torch.no_grad():
        torch.testing.assert_close(RmsNorm(norm.weight, 1e-5)(x), norm(x), atol=0, rtol=few)


@pytest.mark.parametrize(("rows", "size"), [(1, 1), (3, 20), (5, 130)])
def test_the_kernel_is_the_definition(interpreted, dtype, rows, size):
    draw = torch.Generator().manual_seed(0)
    x, weight = torch.randn(rows, size, generator=draw).to(dtype), torch.randn(size, generator=draw).to(dtype)
    wanted = torch.nn.functional.rms_norm(x.double(), (size,), weight.double(), 1e-6)
    out = interpreted(fused, x, weight, 1e-6)
    assert out.dtype == dtype
    # Rounded once (the interpreter cuts off), after a few roundings in float32.
    torch.testing.assert_close(out.double(), wanted, atol=0, rtol=max(torch.finfo(dtype).eps, 1e-6))


def test_rows_may_be_strided(interpreted):
    x, weight = torch.randn(4, 12)[:, :6], torch.randn(6)
    torch.testing.assert_close(interpreted(fused, x, weight, 1e-6), RmsNorm(weight, 1e-6)(x))
