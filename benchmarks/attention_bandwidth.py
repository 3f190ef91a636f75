"""How fast the attention kernels read the cache, beside a plain copy and torch: `attention_bandwidth.py`, no arguments.

Needs a CUDA device. Everything is measured in one run, in turns, as CUDA graphs (no cost of launching), and the median
is told. Shapes are those of Qwen2.5-VL-3B at FastOCR's batch of 12, with 16 query heads on 2 of keys and values,
128 numbers each, in bfloat16; the slabs, 100 MB, are larger than the cache of an H200.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

from docparse.kernels import decode_attention, focal_attention
from docparse.kernels.reads import Reads

BATCH, ROWS, TEXT = 12, 8192, 512  # TEXT of the ROWS are no image
TURNS = 5


@dataclass(frozen=True)
class Case:
    """Something to time, and the bytes that it has to read and write."""

    name: str
    run: Callable[[], object]
    size: int


def cases(
    device: str, nodes: int, batch: int = BATCH, rows: int = ROWS, text: int = TEXT, kept: float = 0.05
) -> list[Case]:
    """A copy, full attention in torch and here, a focal layer, and FastOCR's other layers with `kept` of the image."""
    dtype = torch.bfloat16
    query = torch.randn(batch, 16, nodes, 128, device=device, dtype=dtype)
    key, value = torch.randn(2, batch, 2, rows + nodes, 128, device=device, dtype=dtype)
    starts = torch.full((batch,), rows, device=device)
    tree = torch.ones(nodes, nodes, dtype=torch.bool, device=device).tril().repeat(batch, 1, 1)
    visual = torch.arange(text, rows, device=device).repeat(batch, 1)
    focal = torch.rand(batch, rows - text, device=device).topk(int(kept * (rows - text))).indices + text
    listed = torch.cat((torch.arange(text, device=device).repeat(batch, 1), focal), 1)
    everything, fixated = Reads(None, None, starts, tree), Reads(listed, starts, starts, tree)
    row = batch * 2 * 128 * dtype.itemsize  # bytes of one position's keys, or values
    full = 2 * (rows + nodes) * row
    scale = 128**-0.5
    source, target = key.flatten(), torch.empty_like(key).flatten()  # half the bytes, read and written
    return [
        Case("copy", lambda: target.copy_(source), full),
        Case("torch sdpa, heads folded", lambda: _sdpa(query, key, value, everything, scale), full),
        Case("torch flex attention, compiled", _flex(query, key, value, starts, tree, scale), full),
        Case("decode attention", lambda: decode_attention.fused(query, key, value, everything, scale), full),
        Case(
            "focal attention",
            lambda: focal_attention.fused(query, key, value, everything, visual, scale),
            full + visual.shape[1] * row,
        ),
        Case(
            f"decode attention, {kept:.0%} of the image",
            lambda: decode_attention.fused(query, key, value, fixated, scale),
            2 * (listed.shape[1] + nodes) * row,
        ),
    ]


def _sdpa(query: Tensor, key: Tensor, value: Tensor, reads: Reads, scale: float) -> Tensor:
    """As the engine does it: an additive mask, made here for every call as there for every step."""
    batch, _, nodes, size = query.shape
    bias = torch.zeros(batch, 1, nodes, key.shape[2], dtype=query.dtype, device=query.device)
    if reads.tree is not None:
        bias[..., -nodes:].masked_fill_(~reads.tree[:, None], -torch.inf)
    grouped = query.reshape(batch, key.shape[1], -1, size)
    bias = bias.repeat(1, 1, grouped.shape[2] // nodes, 1)
    return scaled_dot_product_attention(grouped, key, value, attn_mask=bias, scale=scale)


def _flex(
    query: Tensor, key: Tensor, value: Tensor, starts: Tensor, tree: Tensor, scale: float
) -> Callable[[], object]:
    from torch.nn.attention.flex_attention import create_block_mask, flex_attention

    def visible(batch: Tensor, head: Tensor, node: Tensor, row: Tensor) -> Tensor:
        other = row - starts[batch]
        return (other < 0) | tree[batch, node, other.clamp(0)]

    mask = create_block_mask(visible, len(query), None, query.shape[2], key.shape[2], device=query.device.type)
    attention = torch.compile(flex_attention, dynamic=False)
    return lambda: attention(query, key, value, block_mask=mask, scale=scale, enable_gqa=True)


def seconds(timed: list[Case]) -> list[float]:
    """Median time of each case, in turns."""
    from triton.testing import do_bench_cudagraph

    turns = [[do_bench_cudagraph(case.run, return_mode="median") / 1e3 for case in timed] for _ in range(TURNS)]
    return [statistics.median(times) for times in zip(*turns, strict=True)]


def table(nodes: tuple[int, ...] = (1, 16, 64)) -> str:
    """Markdown: time, bandwidth and share of the copy's, for trees of these numbers of nodes."""
    lines = [f"{torch.cuda.get_device_name()}, torch {torch.__version__}: batch {BATCH}, {ROWS} rows, bfloat16", ""]
    lines += ["| nodes | work | ms | GB/s | of the copy's |", "|---|---|---|---|---|"]
    for count in nodes:
        timed = cases("cuda", count)
        times = seconds(timed)
        rates = [case.size / time / 1e9 for case, time in zip(timed, times, strict=True)]
        for case, time, rate in zip(timed, times, rates, strict=True):
            lines.append(f"| {count} | {case.name} | {time * 1e3:.3f} | {rate:.0f} | {rate / rates[0]:.0%} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(table())
