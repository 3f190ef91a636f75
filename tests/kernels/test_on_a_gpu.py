"""At real sizes, where there is a GPU: the kernels against the definition in float32 on the same device."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch

from docparse.kernels import (
    bandwidth,
    decode_attention,
    edge_density,
    focal_attention,
    launch,
    prompt_statistics,
    sinkhorn,
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


def test_the_table_of_bandwidths_is_made():
    assert len(bandwidth.table(nodes=(1,)).splitlines()) == 4 + len(bandwidth.cases("cuda", 1))
