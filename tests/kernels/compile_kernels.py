"""Compile every kernel as its launcher calls it, without a GPU: `compile_kernels.py 90 bfloat16`.

Runs in a process of its own, without Triton's interpreter. Writes JSON: for each kernel what its PTX is like.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import torch
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from triton.compiler import compile as compile_kernel
from triton.runtime.jit import JITFunction

from docparse.kernels import decode_attention, edge_density, focal_attention, prompt_statistics, sinkhorn
from docparse.kernels.reads import Reads

TYPES = {
    torch.float32: "*fp32",
    torch.float16: "*fp16",
    torch.bfloat16: "*bf16",
    torch.uint8: "*u8",
    torch.int32: "*i32",
    torch.int64: "*i64",
    int: "i32",
    float: "fp32",
}
PRODUCTS = ("mma.sync", "wgmma.mma_async", "tcgen05.mma")  # tensor cores of Ampere, Hopper, Blackwell

compiled: dict[str, dict[str, Any]] = {}


def compile_launch(kernel: JITFunction, *arguments: Any, grid: Any, warmup: bool, **named: Any) -> None:
    """In place of a launch: the same specialisation, compiled for the architecture on the command line."""
    values = dict(zip(kernel.arg_names, arguments, strict=False))
    values |= {name: named.pop(name) for name in list(named) if name in kernel.arg_names}
    signature, constants, hints = {}, {}, {}
    for place, parameter in enumerate(kernel.params):
        value = values[parameter.name]
        if parameter.is_constexpr or value is None or (isinstance(value, int) and value == 1):
            signature[parameter.name], constants[(place,)] = "constexpr", value
            continue
        signature[parameter.name] = TYPES[value.dtype if isinstance(value, torch.Tensor) else type(value)]
        if isinstance(value, torch.Tensor) or (isinstance(value, int) and value % 16 == 0):
            hints[(place,)] = [["tt.divisibility", 16]]
    source = ASTSource(fn=kernel, signature=signature, constexprs=constants, attrs=hints)
    done = compile_kernel(source, target=GPUTarget("cuda", int(sys.argv[1]), 32), options=named)
    ptx = done.asm["ptx"]
    target = next(line.split()[1] for line in ptx.splitlines() if line.startswith(".target"))
    tensor_cores = any(each in ptx for each in PRODUCTS)
    compiled[kernel.fn.__name__] = {"target": target, "products": tensor_cores, "shared": done.metadata.shared}


def launch_all(dtype: torch.dtype) -> None:
    """Every launcher once: 8 query heads on 2 of keys, heads of 128 numbers, a tree of 16 nodes."""
    query = torch.zeros(1, 8, 16, 128, dtype=dtype)
    slab = torch.zeros(1, 2, 256, 128, dtype=dtype)
    rows, visual = torch.zeros(1, 32, dtype=torch.long), torch.zeros(1, 32, dtype=torch.long)
    starts, tree = torch.tensor([100]), torch.ones(1, 16, 16, dtype=torch.bool)
    reads = Reads(rows, starts, starts, tree, tree.new_ones(1, 16, 32))
    decode_attention.fused(query, slab, slab, reads, 0.1, parts=4)
    focal_attention.fused(query, slab, slab, reads._replace(rows=None, own=None), visual, 0.1, parts=4)
    prompt_statistics.fused(query, slab, starts, 0.1, parts=4)
    sinkhorn.fused(torch.zeros(1, 48, 16, dtype=dtype), 0.2, 1.0, 1, 1e-3)
    edge_density.fused(torch.zeros(64, 64, 3, dtype=torch.uint8), torch.zeros(4, 4).long(), 0.2, (0.1, 0.2, 0.3))


if __name__ == "__main__":
    JITFunction.run = compile_launch
    launch_all(getattr(torch, sys.argv[2]))
    print(json.dumps(compiled))
