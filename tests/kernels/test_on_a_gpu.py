"""At real sizes, where there is a GPU: the kernels against the definition in float32 on the same device."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch

from docparse.kernels import (
    commit,
    decode_attention,
    edge_density,
    focal_attention,
    launch,
    prompt_statistics,
    rms_norm,
    rotary_cache,
    sinkhorn,
    swiglu,
)
from docparse.kernels.reads import Reads

pytestmark = pytest.mark.skipif(not torch.cuda.is_available() or launch.triton is None, reason="no GPU")


@pytest.fixture(autouse=True)
def full_precision() -> Iterator[None]:
    before = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision("highest")
    torch.manual_seed(0)
    yield
    torch.set_float32_matmul_precision(before)


def slabs(dtype: torch.dtype, heads: int, kv_heads: int, nodes: int) -> tuple[torch.Tensor, ...]:
    query = torch.randn(3, heads, nodes, 128, device="cuda").to(dtype)
    key, value = torch.randn(2, 3, kv_heads, 8300, 128, device="cuda").to(dtype)
    return query, key, value


@pytest.mark.parametrize(("heads", "kv_heads", "nodes"), [(16, 2, 1), (28, 4, 16), (12, 12, 64)])
def test_attention(dtype, heads, kv_heads, nodes):
    query, key, value = slabs(dtype, heads, kv_heads, nodes)
    tree = torch.ones(3, nodes, nodes, dtype=torch.bool, device="cuda").tril()
    starts, since = (torch.tensor(each, device="cuda") for each in ([8200, 5000, 77], [8000, 4900, 0]))
    rows = torch.stack([torch.randperm(8000, device="cuda")[:900] for _ in range(3)])
    rows[1, 500:], rows[2] = -1, -1
    rows[1] = torch.where(rows[1] < 4900, rows[1], -1)
    visual = torch.arange(8000, device="cuda").repeat(3, 1)
    visual = torch.where(visual < starts[:, None], visual, -1)
    exact = (query.float(), key.float(), value.float())
    # Weights and sums are rounded once each; float32 sums of 8,000 terms have errors of some 1e-6.
    bound = float(value.abs().max()) * max(2 * torch.finfo(dtype).eps, 1e-5)
    for own in (None, torch.rand(3, nodes, 900, device="cuda") < 0.5):
        reads = Reads(rows, since, starts, tree, own)
        out, _ = decode_attention.fused(query, key, value, reads, 0.09)
        wanted = decode_attention.reference(*exact, reads, 0.09)
        torch.testing.assert_close(out.float(), wanted, atol=bound, rtol=0)
    reads = Reads(None, starts * 0, starts, tree)
    out, shares = focal_attention.fused(query, key, value, reads, visual, 0.09)
    wanted, wanted_shares = focal_attention.reference(*exact, reads, visual, 0.09)
    torch.testing.assert_close(out.float(), wanted, atol=bound, rtol=0)
    torch.testing.assert_close(shares, wanted_shares, atol=1e-5, rtol=1e-3)


def test_statistics(dtype):
    query, key, _ = slabs(dtype, 28, 4, 50)
    starts = torch.tensor([8250, 5000, 0], device="cuda")
    score, sparsity = prompt_statistics.fused(query, key, starts, 0.09)
    wanted, wanted_sparsity = prompt_statistics.reference(query, key, starts, 0.09)
    torch.testing.assert_close(score, wanted, atol=1e-4, rtol=1e-3)
    torch.testing.assert_close(sparsity, wanted_sparsity, atol=1e-5, rtol=0)  # entries on the threshold


def test_transport(dtype):
    similarity = (torch.rand(2, 3072, 1024, device="cuda") * 2 - 1).to(dtype)
    settings = (similarity, 0.2, 1.0, 100, 1e-3)
    for found, wanted in zip(sinkhorn.fused(*settings), sinkhorn.reference(*settings), strict=True):
        torch.testing.assert_close(found, wanted, atol=1e-4, rtol=1e-4)


def test_density():
    pixels = torch.randint(0, 256, (1024, 1000, 3), dtype=torch.uint8, device="cuda")
    i, j = torch.meshgrid(torch.arange(16), torch.arange(20), indexing="ij")
    boxes = torch.stack((j * 50, i * 64, j * 50 + 50, i * 64 + 64), -1).reshape(-1, 4).cuda()
    weights = [0.002, 0.004, 0.001]
    found = edge_density.fused(pixels, boxes, 1.5, weights)
    # A pixel on the threshold, in another order of sums, may fall on the other side: two in a box at most.
    torch.testing.assert_close(found, edge_density.reference(pixels, boxes, 1.5, weights), atol=2 / 3200, rtol=0)


@pytest.mark.parametrize("rows", [1, 16, 640])
def test_norm_and_swiglu(dtype, rows):
    x, weight = torch.randn(rows, 1536, device="cuda").to(dtype), torch.randn(1536, device="cuda").to(dtype)
    eps = torch.finfo(dtype).eps  # each rounds once; so does the reference, and the norm's twice
    bound = {"rtol": 4 * eps, "atol": 4 * eps}
    torch.testing.assert_close(rms_norm.fused(x, weight, 1e-6), rms_norm.reference(x, weight, 1e-6), **bound)
    gate_up = torch.randn(rows, 2 * 8960, device="cuda").to(dtype)
    torch.testing.assert_close(swiglu.fused(gate_up), swiglu.reference(gate_up), **bound)


@pytest.mark.parametrize("pairs", [False, True])
@pytest.mark.parametrize("after", [None, False, True])
def test_rotation(dtype, pairs, after):
    qkv, starts = torch.randn(3, 16, 32 * 128, device="cuda").to(dtype), torch.tensor([8000, 17, 300], device="cuda")
    cos, sin = torch.randn(2, 3, 16, 128, device="cuda").to(dtype)
    weight = torch.randn(24, 128, device="cuda").to(dtype)
    norms = None if after is None else rotary_cache.HeadNorms(weight, 1e-6, after)
    cache = torch.zeros(2, 2, 4, 8, 8100, 128, device="cuda", dtype=dtype)
    found = rotary_cache.fused(qkv, cos, sin, cache[1, :, :3], starts, norms, pairs)
    exact = torch.zeros_like(cache, dtype=torch.float32)
    wide = None if norms is None else norms._replace(weight=weight.float())
    slab = exact[1, :, :3]
    wanted = rotary_cache.reference(qkv.float(), cos.float(), sin.float(), slab, starts, wide, pairs)
    bound = max(2 * torch.finfo(dtype).eps, 1e-5)
    torch.testing.assert_close(found.float(), wanted, rtol=bound, atol=bound)
    torch.testing.assert_close(cache.float(), exact, rtol=bound, atol=bound)


def test_overlapping_moves(dtype):
    slab = torch.randn(4, 2, 3, 2, 300, 128, device="cuda").to(dtype)
    starts = torch.randint(0, 200, (4, 3), device="cuda")
    kept = torch.full((3, 64), -1, device="cuda")
    for row, count in enumerate((64, 33, 5)):
        kept[row, :count] = torch.randperm(80, device="cuda")[:count].sort().values
    wanted = slab.clone()
    commit.reference(wanted, starts, kept)
    commit.fused(slab, starts, kept)
    assert torch.equal(slab, wanted)


@pytest.mark.parametrize("nodes", [1, 16, 64])
def test_a_pass_is_captured_as_a_graph_and_replayed_with_other_positions(nodes):
    """One layer and the commit: only the contents of tensors change between two passes."""
    cache = torch.randn(2, 2, 3, 2, 4096, 128, device="cuda", dtype=torch.bfloat16)
    qkv = torch.randn(3, nodes, 16 * 128, device="cuda", dtype=torch.bfloat16)
    cos, sin = torch.randn(2, 3, nodes, 128, device="cuda", dtype=torch.bfloat16)
    weight = torch.randn(1536, device="cuda", dtype=torch.bfloat16)
    tree = torch.ones(3, nodes, nodes, dtype=torch.bool, device="cuda").tril()
    starts = torch.tensor([[5, 100, 3000], [7, 90, 2000]], device="cuda")
    kept = torch.arange(nodes, device="cuda").repeat(3, 1)

    def once() -> torch.Tensor:
        query = rotary_cache.fused(qkv, cos, sin, cache[1], starts[1], None, False)
        reads = Reads(None, starts[1] * 0, starts[1], tree)
        out = decode_attention.decode_attention(query, *cache[1], reads, 0.09).transpose(1, 2).flatten(2)
        out = swiglu.fused(rms_norm.fused(out.flatten(0, 1), weight, 1e-6))
        commit.fused(cache, starts, kept)
        return out

    once()  # compiled here
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        captured = once()
    qkv.normal_()
    starts.add_(11)
    kept[:, nodes // 2 :] = -1
    kept[:, 1 : nodes // 2] += 1
    before = cache.clone()
    graph.replay()
    replayed, after = captured.clone(), cache.clone()
    cache.copy_(before)
    torch.testing.assert_close(once(), replayed, rtol=0, atol=0)
    assert torch.equal(cache, after)
