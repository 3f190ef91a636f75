"""Queries and keys are turned as the families' own modules turn them; keys and values lie where they are read."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor
from transformers import GlmOcrTextConfig
from transformers.models.glm_ocr import modeling_glm_ocr as glm
from transformers.models.hunyuan_vl import modeling_hunyuan_vl as hunyuan
from transformers.models.qwen2 import modeling_qwen2 as qwen2
from transformers.models.qwen3_vl import modeling_qwen3_vl as qwen3

from docparse.kernels.rotary_cache import HeadNorms, fused, reference

FAMILIES = ("qwen2", "qwen3", "hunyuan", "glm")
ROOM = 20


def by_modules(family, heads, counts, turn, norms):
    """Queries `[B, H, N, D]`, keys and values `[B, KV, N, D]` as the family's attention makes them."""
    module = {"qwen2": qwen2, "qwen3": qwen3, "hunyuan": hunyuan, "glm": glm}[family]
    query, key, value = heads.split((*counts, counts[1]), 2)
    if family == "qwen3":
        query, key = norms[0](query), norms[1](key)
    query, key = module.apply_rotary_pos_emb(query.transpose(1, 2), key.transpose(1, 2), *turn)
    if family == "hunyuan":
        query, key = norms[0](query), norms[1](key)
    return query, key, value.transpose(1, 2)


def signed(sin, pairs):
    """`sin [..., D]` as `rotate_and_store` takes it, negative where the partner is subtracted."""
    if pairs:
        return torch.stack((-sin[..., ::2], sin[..., 1::2]), -1).flatten(-2)
    half = sin.shape[-1] // 2
    return torch.cat((-sin[..., :half], sin[..., half:]), -1)


def problem(family, dtype, batch, nodes, counts, half, seed):
    """Arguments of `rotate_and_store` but for the slab and the starts, and what the modules make of them."""
    draw, (heads, kv_heads), size = torch.Generator().manual_seed(seed), counts, 2 * half
    qkv = torch.randn(batch, nodes, (heads + 2 * kv_heads) * size, generator=draw).to(dtype)
    positions = torch.randint(0, 500, (batch, nodes), generator=draw)
    if family == "glm":
        rope = {"rope_type": "default", "rope_theta": 10000.0, "mrope_section": [half]}
        config = GlmOcrTextConfig(head_dim=size, rope_parameters=rope)
        cos, sin = glm.GlmOcrTextRotaryEmbedding(config)(qkv, positions.expand(3, -1, -1))
    else:
        angles = (positions[..., None] * 0.5 ** torch.arange(half)).repeat(1, 1, 2)
        cos, sin = angles.cos().to(dtype), angles.sin().to(dtype)
    norms = [hunyuan.HunYuanVLRMSNorm(size, eps=1e-5).to(dtype) for _ in range(2)]
    for each in norms:
        torch.nn.init.normal_(each.weight)
    wanted = by_modules(family, qkv.view(batch, nodes, -1, size), counts, (cos, sin), norms)
    weight = torch.cat([each.weight.expand(n, -1) for each, n in zip(norms, counts, strict=True)])
    normed = HeadNorms(weight.detach(), 1e-5, family == "hunyuan") if family in ("qwen3", "hunyuan") else None
    if family == "hunyuan":
        cos, sin = cos.float(), sin.float()
    return (qkv, cos, signed(sin, family == "glm"), normed, family == "glm"), tuple(each.detach() for each in wanted)


def turned(function, arguments, starts, kv_heads):
    """Queries, and the slabs of a cache of 3 layers and one row more than live, of which the second was written."""
    qkv, cos, sin, norms, pairs = arguments
    cache = torch.zeros(3, 2, len(qkv) + 1, kv_heads, ROOM, cos.shape[2], dtype=qkv.dtype)
    query = function(qkv.clone(), cos, sin, cache[1, :, : len(qkv)], starts, norms, pairs)
    return query, cache


def fused_on_a_copy(arguments, starts, kv_heads):
    return turned(fused, arguments, starts, kv_heads)


def written(key, value, starts):
    """What the cache should hold."""
    batch, kv_heads, nodes, size = key.shape
    cache = torch.zeros(3, 2, batch + 1, kv_heads, ROOM, size, dtype=key.dtype)
    for row, start in enumerate(starts.tolist()):
        cache[1, 0, row, :, start : start + nodes], cache[1, 1, row, :, start : start + nodes] = key[row], value[row]
    return cache


@given(
    st.sampled_from(FAMILIES),
    st.sampled_from([torch.float64, torch.float32, torch.bfloat16]),
    st.lists(st.integers(0, ROOM - 5), min_size=1, max_size=3),
    *(st.integers(1, most) for most in (5, 3, 3, 9)),
    st.integers(0, 99),
)
def test_the_reference_is_the_modules(family, dtype, starts, nodes, groups, kv_heads, half, seed):
    counts = (groups * kv_heads, kv_heads)
    with torch.no_grad():
        arguments, wanted = problem(family, dtype, len(starts), nodes, counts, half, seed)
        query, cache = turned(reference, arguments, torch.tensor(starts), kv_heads)
    few = 1e-5 if dtype == torch.float32 else 0.0  # its norms are rounded otherwise; others are equal bit for bit
    torch.testing.assert_close(query, wanted[0], atol=few, rtol=0)
    torch.testing.assert_close(cache, written(*wanted[1:], torch.tensor(starts)), atol=few, rtol=0)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize(
    ("nodes", "counts", "half", "starts"), [(1, (4, 2), 8, [3]), (3, (3, 1), 5, [7, 0]), (5, (2, 2), 16, [15, 15, 2])]
)
def test_the_kernel_is_the_definition(interpreted, dtype, family, nodes, counts, half, starts):
    """In float64, of which a float32 kernel is off by some units in the last place and one rounding of the answer."""
    arguments, _ = problem(family, dtype, len(starts), nodes, counts, half, 1)
    exact = [each.double() if isinstance(each, Tensor) else each for each in arguments]
    if exact[3] is not None:
        exact[3] = HeadNorms(exact[3].weight.double(), exact[3].eps, exact[3].after)
    starts = torch.tensor(starts, dtype=torch.int32)
    eps = max(torch.finfo(dtype).eps, 2e-6)
    answer = interpreted(fused_on_a_copy, arguments, starts, counts[1])
    assert answer[0].transpose(1, 2).is_contiguous()  # nodes before heads
    for found, wanted in zip(answer, turned(reference, exact, starts, counts[1]), strict=True):
        assert found.dtype == dtype
        torch.testing.assert_close(found.double(), wanted, rtol=eps, atol=eps)


def test_the_kernel_writes_nothing_outside_the_slab(interpreted):
    arguments, _ = problem("qwen2", torch.float32, 2, 3, (2, 1), 4, 0)
    _, cache = interpreted(fused_on_a_copy, arguments, torch.tensor([ROOM - 1, -2]), 1)
    assert [cache[1, :, row].abs().sum((0, 1, 3)).nonzero().flatten().tolist() for row in (0, 1)] == [[ROOM - 1], [0]]
    assert not cache[:, :, 2].any()
    assert not cache[::2].any()
