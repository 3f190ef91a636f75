"""Every kernel against its reference, on the device."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from unittest.mock import patch

import torch
from on_gpu.models import Job, Row, Setup
from torch import Tensor
from torch.nn.attention import SDPBackend, sdpa_kernel

from docparse.kernels import launch
from docparse.kernels.choice import VARIABLE
from docparse.kernels.commit import commit
from docparse.kernels.decode_attention import Reads, decode_attention
from docparse.kernels.focal_attention import focal_attention
from docparse.kernels.rms_norm import RmsNorm
from docparse.kernels.rotary_cache import HeadNorms, rotate_and_store
from docparse.kernels.sinkhorn import sinkhorn
from docparse.kernels.swiglu import swiglu

Inputs = dict[str, Tensor]
BOUNDS = {torch.float32: 1e-4, torch.bfloat16: 1e-2}  # relative; float32 products are three of tf32 on a GPU


def inputs(setup: Setup, dtype: torch.dtype, nodes: int) -> Inputs:
    """Random ones of every kernel, three rows of unequal lengths."""
    (heads, kv_heads, size), slab = setup.heads, setup.slab
    torch.manual_seed(nodes)
    tree = torch.eye(nodes, dtype=torch.bool)
    for node in range(1, nodes):
        tree[node] |= tree[random.Random(node).randrange(node)]
    starts = torch.tensor([slab - 64 - 8, slab // 2, nodes])
    since = torch.tensor([slab // 3, slab // 4, 0])
    listed = torch.stack([torch.randperm(slab // 4)[: slab // 8] for _ in range(3)])
    listed[2] = -1
    visual = torch.arange(slab // 2).repeat(3, 1)
    kept = torch.stack([torch.randperm(nodes)[: (nodes + 1) // 2].sort().values for _ in range(3)])
    own = torch.rand(3, nodes, slab // 8) < 0.5
    whole = {"tree": tree.repeat(3, 1, 1), "starts": starts, "since": since, "listed": listed, "own": own, "kept": kept}
    whole |= {"visual": torch.where(visual < starts[:, None], visual, -1)}
    real = {
        "query": torch.randn(3, heads, nodes, size) * 3,  # so that some rows count
        "slab": torch.randn(2, 3, kv_heads, slab, size),
        "qkv": torch.randn(3, nodes, (heads + 2 * kv_heads) * size),
        "turns": torch.randn(2, 3, nodes, size),
        "norms": torch.randn(heads + kv_heads, size),
        "cosines": torch.rand(2, slab // 8, slab // 16) * 2 - 1,
        "states": torch.randn(3 * nodes, 2 * heads * size),
        "weight": torch.randn(2 * heads * size),
    }
    every = whole | {name: tensor.to(dtype) for name, tensor in real.items()}
    return {name: tensor.to(setup.device) for name, tensor in every.items()}


def _attention(x: Inputs) -> list[Tensor]:
    tree = x["tree"] if x["tree"].shape[1] > 1 else None
    every = Reads(None, None, x["starts"], tree)
    some = Reads(x["listed"], x["since"], x["starts"], tree)
    reads = (every, some, some._replace(own=x["own"]))
    return [decode_attention(x["query"], *x["slab"], each, 0.09) for each in reads]


def _focal(x: Inputs) -> list[Tensor]:
    tree = x["tree"] if x["tree"].shape[1] > 1 else None
    return [*focal_attention(x["query"], *x["slab"], Reads(None, None, x["starts"], tree), x["visual"], 0.09)]


def _rotation(x: Inputs) -> list[Tensor]:
    norms = (None, HeadNorms(x["norms"], 1e-6), HeadNorms(x["norms"], 1e-6, after=True))
    out = []
    for norm, pairs in ((norm, pairs) for norm in norms for pairs in (False, True)):
        slab = torch.zeros_like(x["slab"])
        out += [rotate_and_store(x["qkv"].clone(), *x["turns"], slab, x["starts"], norm, pairs), slab]
    return out


def _commit(x: Inputs) -> list[Tensor]:
    slab = x["slab"][None].clone()
    commit(slab, x["starts"][None], x["kept"])
    return [slab]


OF_TREES: dict[str, Callable[[Inputs], Sequence[Tensor]]] = {
    "decode attention": _attention,
    "focal attention": _focal,
    "rotation and cache": _rotation,
    "commit": _commit,
    "RMS norm": lambda x: [RmsNorm(x["weight"], 1e-6)(x["states"])],
    "SwiGLU": lambda x: [swiglu(x["states"])],
}
OF_PROMPTS: dict[str, Callable[[Inputs], Sequence[Tensor]]] = {
    "Sinkhorn": lambda x: sinkhorn(x["cosines"], iterations=40, tolerance=0.0)[:1],
}


def kernels(setup: Setup) -> Iterator[Job]:
    for dtype in BOUNDS:
        for name, kernel in OF_PROMPTS.items():
            yield f"{name}, {str(dtype)[6:]}", partial(checked, setup, kernel, dtype, 1)
        for name, kernel in OF_TREES.items():
            for nodes in (1, 5) if setup.toy else (1, 16, 64):
                yield f"{name}, {str(dtype)[6:]}, trees of {nodes}", partial(checked, setup, kernel, dtype, nodes)


def checked(setup: Setup, kernel: Callable[[Inputs], Sequence[Tensor]], dtype: torch.dtype, nodes: int) -> Row:
    """The relative error of what the device computes, against the reference in float32 on the same inputs."""
    given = inputs(setup, dtype, nodes)
    found = kernel(given)
    with patch.dict(os.environ, {VARIABLE: "reference"}), sdpa_kernel(SDPBackend.MATH):  # no TF32 of a fused one
        wanted = kernel({name: each.float() if each.is_floating_point() else each for name, each in given.items()})
    errors = [float((a.float() - b).norm() / b.norm()) for a, b in zip(found, wanted, strict=True)]
    if not all(error <= BOUNDS[dtype] for error in errors):  # nor is a NaN
        raise ArithmeticError(f"wrong: relative errors {', '.join(f'{each:.1e}' for each in errors)}")
    return {"relative error": max(errors), "by": "triton" if launch.use_triton(given["query"]) else "torch"}
