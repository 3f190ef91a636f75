"""What the operations share: Triton where it is to run, tiles of queries, products, sizes of grids."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from docparse.kernels.choice import triton_runs

try:
    import triton
    import triton.language as tl
except ImportError:  # the references run without it
    triton = tl = None

LEAST = 16  # of any side of a matrix product on tensor cores
# What no GPU has tuned yet. Fusion is said outright because Triton 3.9 warns that its default is about to change.
OPTIONS = {"num_warps": 4, "num_stages": 2, "enable_fp_fusion": True}


def jit(function: Callable[..., Any]) -> Any:
    """`triton.jit`; without Triton the function as it is, which nobody calls."""
    return function if triton is None else triton.jit(function)


if tl is not None:
    INTERPRETED = tl.constexpr(os.environ.get("TRITON_INTERPRET") == "1")


@jit
def dot(left, right):
    """A matrix product with sums in float32; float32 operands as three products of tf32, nearly in full precision.

    (Their exact product takes no tensor cores, and a minute to compile.)
    Triton's interpreter would multiply the bits of bfloat16 as integers; in float32 the same products are exact.
    """
    if INTERPRETED:
        left, right = left.to(tl.float32), right.to(tl.float32)
    return tl.dot(left, right, input_precision="tf32x3")


@jit
def query_tile(
    query_at,
    query_batch,
    query_head,
    query_node,
    tile,
    batch,
    kv_head,
    nodes,
    GROUPS: tl.constexpr,
    SIZE: tl.constexpr,
    WIDTH: tl.constexpr,
    NODE_TILE: tl.constexpr,
    GROUP_TILE: tl.constexpr,
):
    """Queries `[NODE_TILE * GROUP_TILE, WIDTH]` that read one KV head, heads of a node side by side, zeros elsewhere;
    with the node and the head of each, and whether it is one."""
    lane = tl.arange(0, NODE_TILE * GROUP_TILE)
    node = tile * NODE_TILE + lane // GROUP_TILE
    head = kv_head * GROUPS + lane % GROUP_TILE
    real = (node < nodes) & (lane % GROUP_TILE < GROUPS)
    dim = tl.arange(0, WIDTH)
    cell = query_at + batch * query_batch + head[:, None] * query_head + node[:, None] * query_node + dim[None, :]
    query = tl.load(cell, mask=real[:, None] & (dim < SIZE)[None, :], other=0.0)
    return query, node, head, real


def tiles(nodes: int, groups: int) -> tuple[int, int]:
    """Nodes and heads of one tile of queries, both powers of two: at least 16 rows together, about 64 at most."""
    group_tile = power(groups)
    least, most = max(1, LEAST // group_tile), max(1, 64 // group_tile)
    return min(power(nodes, least), most), group_tile


def block(width: int, element_size: int) -> int:
    """Rows of the cache in one tile, so that a program fits into 99 KiB of shared memory with heads of 128 numbers."""
    if width * element_size <= 256:
        return 64
    return 32 if element_size == 2 else 16


def power(size: int, least: int = 1) -> int:
    """The next power of two, at least `least` (itself one): Triton's tiles have such sides."""
    return max(least, 1 << (size - 1).bit_length())


def processors(device: torch.device) -> int:
    """Streaming multiprocessors of a CUDA device; 1 for the interpreter."""
    return int(torch.cuda.get_device_properties(device).multi_processor_count) if device.type == "cuda" else 1


def splits(programs: int, length: int, device: torch.device) -> int:
    """Parts into which a loop over `length` rows is cut, a power of two, when `programs` would run anyway.

    About four programs per processor, and none for fewer than 128 rows.
    """
    wanted = min(4 * processors(device) // max(1, programs), length // 128, 64)
    return 1 << (max(1, wanted).bit_length() - 1)


def use_triton(tensor: Tensor) -> bool:
    """Whether work on this tensor goes to Triton; raises `ValueError` where it should and cannot."""
    return triton_runs(str(tensor.device), triton is not None)


def unit_stride(tensor: Tensor) -> Tensor:
    """The tensor itself where its last axis is contiguous, as the kernels read it; else a copy."""
    return tensor if tensor.stride(-1) == 1 else tensor.contiguous()
