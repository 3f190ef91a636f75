"""Compile every kernel as its launcher calls it, without a GPU: `compile_kernels.py 90 bfloat16`.

Runs in a process of its own, without Triton's interpreter. Writes JSON: for each kernel and case what its machine code
is like. Tensors are those of the meta device, which hold no data: a launcher that waited for the device would fail.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import torch
import triton
from triton.backends.compiler import GPUTarget
from triton.runtime import driver
from triton.runtime.jit import JITFunction

from docparse.kernels import commit, decode_attention, focal_attention, rms_norm, rotary_cache, sinkhorn, swiglu
from docparse.kernels.decode_attention import Reads

PRODUCTS = ("mma.sync", "wgmma.mma_async", "tcgen05.mma")  # tensor cores of Ampere, Hopper, Blackwell
CUOBJDUMP = Path(triton.__file__).parent / "backends/nvidia/bin/cuobjdump"

compiled: dict[str, dict[str, Any]] = {}
case = ""


class NoDevice:
    """What Triton asks a driver before it compiles."""

    def get_current_device(self) -> int:
        return 0

    def get_current_stream(self, device: int) -> int:
        return 0

    def get_current_target(self) -> GPUTarget:
        return GPUTarget("cuda", int(sys.argv[1]), 32)


run = JITFunction.run


def compile_launch(kernel: JITFunction, *arguments: Any, warmup: bool, **named: Any) -> None:
    """In place of a launch: all of it but the launch."""
    done = run(kernel, *arguments, warmup=True, **named)
    ptx = done.asm["ptx"]
    compiled[f"{kernel.fn.__name__} {case}".strip()] = {
        "target": next(line.split()[1] for line in ptx.splitlines() if line.startswith(".target")),
        "products": any(each in ptx for each in PRODUCTS),
        "shared": done.metadata.shared,
        **resources(done.asm["cubin"]),
    }


def resources(cubin: bytes) -> dict[str, int]:
    """Registers of a thread, and bytes of its stack, which holds what did not fit into them."""
    with NamedTemporaryFile(suffix=".cubin") as file:
        Path(file.name).write_bytes(cubin)
        said = subprocess.run(
            [CUOBJDUMP, "--dump-resource-usage", file.name], capture_output=True, text=True, check=True
        ).stdout
    facts = dict(re.findall(r"\b(REG|STACK|LOCAL):(\d+)", said))
    return {"registers": int(facts["REG"]), "spilled": int(facts["STACK"]) + int(facts["LOCAL"])}


def launch_attention(dtype: torch.dtype, nodes: int) -> None:
    """The attention of a tree, everything read or rows listed: dots.ocr's heads."""
    query = torch.zeros(2, 12, nodes, 128, dtype=dtype)
    slab = torch.zeros(2, 2, 16384, 128, dtype=dtype)
    rows, starts = torch.zeros(2, 512, dtype=torch.long), torch.zeros(2, dtype=torch.long)
    tree = torch.ones(2, nodes, nodes, dtype=torch.bool) if nodes > 1 else None
    everything = Reads(None, None, starts, tree)
    name(f"{nodes} nodes")
    focal_attention.fused(query, slab, slab, everything, rows, 0.1, parts=16)
    name(f"{nodes} nodes, listed")
    own = None if tree is None else tree.new_ones(2, nodes, 512)
    decode_attention.fused(query, slab, slab, Reads(rows, starts, starts, tree, own), 0.1, parts=16)


def launch_layer(dtype: torch.dtype, nodes: int) -> None:
    """The rest of a layer's kernels, and the commit: dots.ocr's sizes, and the norms of Qwen3 and HunYuan."""
    name(f"{nodes} nodes")
    rms_norm.fused(torch.zeros(2 * nodes, 1536, dtype=dtype), torch.zeros(1536, dtype=dtype), 1e-6)
    swiglu.fused(torch.zeros(2 * nodes, 2 * 8960, dtype=dtype))
    slab, starts = torch.zeros(28, 2, 2, 2, 16384, 128, dtype=dtype), torch.zeros(28, 2, dtype=torch.long)
    commit.fused(slab, starts, torch.zeros(2, nodes, dtype=torch.long))
    qkv, turn = torch.zeros(2, nodes, 16 * 128, dtype=dtype), torch.zeros(2, nodes, 128, dtype=dtype)
    weight = torch.zeros(14, 128, dtype=dtype)
    norms = [rotary_cache.HeadNorms(weight, 1e-6, after) for after in (False, True)]
    for kind, each in zip(("plain", "norms before", "norms after"), (None, *norms), strict=True):
        for pairs in (False, True):
            name(f"{nodes} nodes, {kind}{', pairs' if pairs else ''}")
            rotary_cache.fused(qkv, turn, turn, slab[0], starts[0], each, pairs)


def name(text: str) -> None:
    global case  # noqa: PLW0603
    case = text


if __name__ == "__main__":
    driver.set_active(NoDevice())
    JITFunction.run = compile_launch
    chosen = getattr(torch, sys.argv[2])
    with torch.device("meta"):
        for count in (1, 16, 64):
            launch_attention(chosen, count)
            launch_layer(chosen, count)
    name("")
    sinkhorn.fused(torch.zeros(1, 48, 16, dtype=chosen), 0.2, 1, 1e-3)
    print(json.dumps(compiled))
