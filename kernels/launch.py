"""What the operations share: Triton where it is to run, tiles of queries, products, sizes of grids.

A kernel takes a strided tensor as one tuple, `(pointer, *strides)` without the last stride, which is 1.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import torch
from torch import Tensor

from docparse.kernels.choice import VARIABLE, triton_runs

try:
    import triton
    import triton.language as tl
except ImportError:  # the references run without it
    triton = tl = None

MMA_ROWS = 16  # least side of a matrix product on tensor cores
# Fusion is said outright because Triton 3.9 warns that its default is about to change.
OPTIONS = {"num_warps": 4, "num_stages": 2, "enable_fp_fusion": True}


class Tile(NamedTuple):
    """What one program computes of a grouped attention; powers of two but for the first two.

    `groups` query heads read a KV head, `size` numbers each (`width` in the tile); a tile of queries has `nodes` nodes
    of `heads` heads; `block` rows of the cache are read at a time.
    """

    groups: int
    size: int
    width: int
    nodes: int
    heads: int
    block: int

    @property
    def constants(self) -> dict[str, int]:
        """As kernels take them, one by one: before 3.8, Triton takes no named tuple's numbers for constants."""
        return {name.upper(): value for name, value in self._asdict().items()}


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
def query_tile(query, place, batch, kv_head, nodes, GROUPS, SIZE, WIDTH, NODES, HEADS):
    """Queries `[NODES * HEADS, WIDTH]` that read one KV head, heads of a node side by side, zeros
    elsewhere; with the node and the head of each, and whether it is one."""
    query_ptr, batch_stride, head_stride, node_stride = query
    lane = tl.arange(0, NODES * HEADS)
    node = place * NODES + lane // HEADS
    head = kv_head * GROUPS + lane % HEADS
    real = (node < nodes) & (lane % HEADS < GROUPS)
    dim = tl.arange(0, WIDTH)
    cell = query_ptr + batch * batch_stride + head[:, None] * head_stride + node[:, None] * node_stride + dim[None, :]
    return tl.load(cell, mask=real[:, None] & (dim < SIZE)[None, :], other=0.0), node, head, real


def tiling(query: Tensor, key: Tensor) -> tuple[Tile, dict[str, Any]]:
    """Tiles for `query [B, H, N, D]` over `key [B, KV, S, D]`, and the options of a launch with them.

    Chosen so that no kernel spills a register (ptxas for sm_80, 90 and 100, heads of 64 to 256 numbers; at 4 warps 64
    rows of queries spill 700 bytes; float32 has room for 16, and for heads of 128), in 99 KiB of memory on sm_80.
    """
    _, heads, nodes, size = query.shape
    groups, width, wide = heads // key.shape[1], power(size, MMA_ROWS), query.element_size() == 4
    group_tile, rows = power(groups), MMA_ROWS if wide else 64
    node_tile = min(power(nodes, max(1, MMA_ROWS // group_tile)), max(1, rows // group_tile))
    block = 64 if width * query.element_size() <= 256 else 16 if wide else 32
    tile = Tile(groups, size, width, node_tile, group_tile, block)
    return tile, OPTIONS | {"num_warps": 8 if wide or node_tile * group_tile > MMA_ROWS else 4}


def power(size: int, least: int = 1) -> int:
    """The next power of two, at least `least` (itself one): Triton's tiles have such sides."""
    return max(least, 1 << (size - 1).bit_length())


@cache
def processors(device: torch.device) -> int:
    """Streaming multiprocessors of a CUDA device; 1 for the interpreter."""
    return int(torch.cuda.get_device_properties(device).multi_processor_count) if device.type == "cuda" else 1


def splits(programs: int, length: int, device: torch.device) -> int:
    """Parts into which a loop over `length` rows is cut, a power of two, when `programs` would run anyway. About four
    programs per processor, and none for fewer than 128 rows."""
    wanted = min(4 * processors(device) // max(1, programs), length // 128, 64)
    return 1 << (max(1, wanted).bit_length() - 1)


def use_triton(tensor: Tensor) -> bool:
    """Whether work on this tensor goes to Triton, which has no kernels for float64; raises `ValueError` where it should
    and cannot."""
    if tensor.dtype == torch.float64 or not (tensor.is_cuda or os.environ.get(VARIABLE)):  # soon known on a CPU
        return False
    return triton_runs(str(tensor.device), triton is not None)


def strided(tensor: Tensor) -> tuple[Tensor | int, ...]:
    """A tensor as the kernels take it; a copy of one whose last axis is not contiguous."""
    tensor = tensor if tensor.stride(-1) == 1 else tensor.contiguous()
    return (tensor, *tensor.stride()[:-1])
