"""RMS norm of rows, computed in float32 and rounded to the input's type before the weight, as transformers' modules do;
Triton rounds once, after the weight.

Wider inputs are rounded as well: a float64 model's norms are float32 there, and are the same numbers here.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor
from torch.linalg import vector_norm

from docparse.kernels.launch import OPTIONS, jit, power, tl, use_triton


class RmsNorm:
    """`norm(x)`: `x / sqrt(mean(x^2) + eps) * weight`, `[T, D]`, of `x [T, D]`; nothing is checked."""

    def __init__(self, weight: Tensor, eps: float) -> None:
        size = weight.shape[-1]
        self.weight, self.eps = weight, eps
        self._scaled = weight * math.sqrt(size) if weight.dtype == torch.float32 and weight.is_cpu else None
        self._floor = torch.tensor(math.sqrt(eps * size))

    def __call__(self, x: Tensor) -> Tensor:
        if self._scaled is None and use_triton(x):
            return fused(x, self.weight, self.eps)
        return self.reference(x)

    def reference(self, x: Tensor, out: Tensor | None = None) -> Tensor:
        """The same in torch, for `x [..., D]` and a weight that broadcasts to it, in `out` (which may be `x`) or new
        memory; bit for bit what the modules return, but for float32 on a CPU, where a length and a hypotenuse take half
        the time of the modules' steps."""
        if self._scaled is not None:
            length = vector_norm(x, dim=-1, keepdim=True).hypot_(self._floor)
            return torch.div(x, length, out=out).mul_(self._scaled)
        wide = x.float()
        scale = (wide * wide).mean(-1, keepdim=True).add_(self.eps).rsqrt_()
        return torch.mul(wide, scale, out=torch.empty_like(x) if out is None else out).mul_(self.weight)


def fused(x: Tensor, weight: Tensor, eps: float) -> Tensor:
    """The same in Triton, one program a row."""
    x = x.contiguous()
    out = torch.empty_like(x)
    size = x.shape[-1]
    norm_row[(x.numel() // size,)](x, weight, out, eps, SIZE=size, WIDTH=power(size), **OPTIONS)
    return out


@jit
def norm_row(x_ptr, weight_ptr, out_ptr, eps, SIZE: tl.constexpr, WIDTH: tl.constexpr):
    """Program (row)."""
    row = tl.program_id(0).to(tl.int64) * SIZE
    dim = tl.arange(0, WIDTH)
    x = tl.load(x_ptr + row + dim, mask=dim < SIZE, other=0.0).to(tl.float32)
    weight = tl.load(weight_ptr + dim, mask=dim < SIZE, other=0.0).to(tl.float32)
    scale = tl.rsqrt(tl.sum(x * x, 0) / SIZE + eps)
    tl.store(out_ptr + row + dim, x * scale * weight, mask=dim < SIZE)
