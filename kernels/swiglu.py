"""SwiGLU of a fused gate and up projection."""

from __future__ import annotations

from torch import Tensor
from torch.nn.functional import silu

from docparse.kernels.launch import OPTIONS, jit, tl, use_triton

BLOCK = 1024  # numbers of one program


def swiglu(gate_up: Tensor) -> Tensor:
    """`silu(gate) * up`, `[T, I]`, of `gate_up [T, 2 * I]`, the gate first; nothing is checked."""
    return (fused if use_triton(gate_up) else reference)(gate_up)


def reference(gate_up: Tensor) -> Tensor:
    """The same in torch."""
    gate, up = gate_up.chunk(2, -1)
    return silu(gate).mul_(up)


def fused(gate_up: Tensor) -> Tensor:
    """The same in Triton; the product is in float32."""
    gate_up = gate_up.contiguous()
    rows, size = len(gate_up), gate_up.shape[1] // 2
    out = gate_up.new_empty(rows, size)
    gated[(rows, -(-size // BLOCK))](gate_up, out, size, BLOCK=BLOCK, **OPTIONS)
    return out


@jit
def gated(gate_up_ptr, out_ptr, size, BLOCK: tl.constexpr):
    """Program (row, block of it)."""
    row = tl.program_id(0).to(tl.int64)
    dim = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    gate = tl.load(gate_up_ptr + row * 2 * size + dim, mask=dim < size, other=0.0).to(tl.float32)
    up = tl.load(gate_up_ptr + (row * 2 + 1) * size + dim, mask=dim < size, other=0.0).to(tl.float32)
    tl.store(out_ptr + row * size + dim, gate / (1 + tl.exp(-gate)) * up, mask=dim < size)
