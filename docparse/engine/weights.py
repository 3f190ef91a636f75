"""The weights of a Llama-shaped decoder, read from the loaded module: projections that are used together are fused; and
its rotary angles, computed as the module computes them, without asking the host."""

from __future__ import annotations

import mmap
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from typing import Any, cast

import torch
from torch import Tensor, nn

from docparse.kernels.rms_norm import RmsNorm
from docparse.kernels.rotary_cache import HeadNorms, Heads

# What families call the norms of query and key heads, and whether they come after the rotation.
HEAD_NORMS = {("q_norm", "k_norm"): False, ("query_layernorm", "key_layernorm"): True}
PARTS = {"embed_tokens", "norm", "rotary_emb", "self_attn", "q_proj", "k_proj", "v_proj", "o_proj", *chain(*HEAD_NORMS)}
PARTS |= {"mlp", "gate_proj", "up_proj", "gate_up_proj", "down_proj", "act_fn", "activation_fn"}
PARTS |= {"input_layernorm", "post_attention_layernorm", "post_self_attn_layernorm", "post_mlp_layernorm"}


class Unfit(Exception):
    """The decoder is not of the shape that the lean decoder computes; the message says what is different."""


@dataclass(frozen=True, eq=False)
class Linear:
    """A projection `x @ weight + bias`. `weight [in, out]` is contiguous: for few rows a CPU multiplies by it up to
    three times faster than by the transpose, and a GPU as fast."""

    weight: Tensor
    bias: Tensor | None


@dataclass(frozen=True, eq=False)
class Layer:
    """One decoder layer. `after_attention` and `after_mlp` norm what joins the residual stream, in few families."""

    before_attention: RmsNorm
    qkv: Linear
    head_norms: HeadNorms | None
    out: Linear
    after_attention: RmsNorm | None
    before_mlp: RmsNorm
    gate_up: Linear
    down: Linear
    after_mlp: RmsNorm | None


class Pages:
    """Memory for the matrices of some modules, one after the other: on a CPU in large pages, where the system has them.
    A pass reads all of it once; of small pages, a fifth of that time goes into finding them."""

    def __init__(self, modules: nn.Module) -> None:
        matrices = [weight for weight in modules.parameters() if weight.dim() == 2]
        self._free: Tensor | None = None
        if matrices and all(each.is_cpu for each in matrices) and hasattr(mmap, "MADV_HUGEPAGE"):
            size = sum(each.nbytes for each in matrices)
            with suppress(OSError):  # so much at once is refused, or there are no large pages
                pages = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
                pages.madvise(mmap.MADV_HUGEPAGE)
                self._free = torch.frombuffer(pages, dtype=torch.uint8)

    def keep(self, matrix: Tensor) -> Tensor:
        """Return the same matrix there, contiguous."""
        if self._free is None:
            return matrix.contiguous()
        own, self._free = self._free.tensor_split([matrix.nbytes])
        return own.view(matrix.dtype).view(matrix.shape).copy_(matrix)


def check_parts(decoder: Any, layers: nn.ModuleList) -> None:
    """Raise `Unfit` where a decoder or one of its layers has parts that the lean decoder does not know."""
    inside = [name.split(".") for layer in layers for name, _ in layer.named_modules() if name]
    held = [*([name] for name, _ in decoder.named_children() if name != "layers"), *inside]
    strange = {next((part for part in name if part not in PARTS), "") for name in held} - {""}
    if strange:
        raise Unfit(f"it holds {', '.join(sorted(strange))}")


def read_layer(layer: Any, pages: Pages) -> Layer:
    """Read one layer. The module's own parameters become views of the fused ones, so that nothing is in memory
    twice."""
    attention, mlp = layer.self_attn, layer.mlp
    gates = [mlp.gate_up_proj] if hasattr(mlp, "gate_up_proj") else [mlp.gate_proj, mlp.up_proj]
    sums = hasattr(layer, "post_mlp_layernorm")
    return Layer(
        before_attention=norm(layer.input_layernorm),
        qkv=fuse(pages, attention.q_proj, attention.k_proj, attention.v_proj),
        head_norms=_head_norms(attention),
        out=fuse(pages, attention.o_proj),
        after_attention=norm(layer.post_self_attn_layernorm) if sums else None,
        before_mlp=norm(layer.post_attention_layernorm),
        gate_up=fuse(pages, *gates),
        down=fuse(pages, mlp.down_proj),
        after_mlp=norm(layer.post_mlp_layernorm) if sums else None,
    )


def _head_norms(attention: Any) -> HeadNorms | None:
    for (query, key), after in HEAD_NORMS.items():
        if hasattr(attention, query):
            first, second = norm(getattr(attention, query)), norm(getattr(attention, key))
            kinds = (attention.q_proj, first.weight), (attention.k_proj, second.weight)
            weights = [weight.expand(by.out_features // len(weight), -1) for by, weight in kinds]
            return HeadNorms(torch.cat(weights), first.eps, after)
    return None


def norm(module: Any) -> RmsNorm:
    """Return an RMS norm. Raises `Unfit` for any other module."""
    epsilon = getattr(module, "variance_epsilon", getattr(module, "eps", None))
    if not type(module).__name__.endswith("RMSNorm") or epsilon is None:
        raise Unfit(f"it norms by {type(module).__name__}")
    return RmsNorm(module.weight.detach(), float(epsilon))


def fuse(pages: Pages, *modules: nn.Linear) -> Linear:
    """Return one projection with the outputs of all, side by side. Raises `Unfit` for what is no `Linear`."""
    for module in modules:
        if type(module) is not nn.Linear:
            raise Unfit(f"it projects by {type(module).__name__}")
    weight = pages.keep(torch.cat([module.weight.detach() for module in modules]).t())
    biases = [each.weight.new_zeros(each.out_features) if each.bias is None else each.bias.detach() for each in modules]
    bias = torch.cat(biases) if any(module.bias is not None for module in modules) else None
    begin = 0
    for module in modules:
        end = begin + module.out_features
        module.weight.data = weight[:, begin:end].t()
        if module.bias is not None and bias is not None:
            module.bias.data = bias[begin:end]
        begin = end
    return Linear(weight, bias)


@dataclass(frozen=True, eq=False)
class Rotary:
    """Angles of each number of a head: `frequency [D]` times the position on its axis, `axis [D]`. Sines are multiplied
    by `signs [D]`, cosines by `scale`.

    `pairs`: neighbours are rotated together (0 with 1), otherwise halves (0 with D / 2). Frequencies are those of pages
    within the positions that the model was trained on: modules that stretch them beyond would ask the device first.
    """

    frequency: Tensor
    axis: Tensor
    scale: float
    pairs: bool
    signs: Tensor

    @classmethod
    @torch.no_grad()
    def of(cls, module: Any, axes: int) -> Rotary:
        """Probe the decoder's module: each number's angle moves with the position on one axis only. Raises `Unfit`
        where it does not, or where numbers are not rotated in halves or pairs."""
        inverse = module.inv_freq.detach().float()
        like, one_by_one = inverse.new_zeros(1), torch.eye(axes, dtype=torch.long, device=inverse.device)

        def sines(positions: Tensor) -> Tensor:  # of numbers `[D]` at positions `[A]`
            places = positions[:, None, None] if axes > 1 else positions[None]
            return cast(Tensor, module(like, places)[1]).flatten()

        both = sines(torch.ones_like(one_by_one[0]))
        half = len(both) // 2
        pairs = bool((both[0::2] == both[1::2]).all())
        if len(both) != 2 * len(inverse) or not (pairs or bool((both[:half] == both[half:]).all())):
            raise Unfit("it rotates parts of a head only, or in an order of its own")
        moved = torch.stack([sines(each) != 0 for each in one_by_one])
        if not bool((moved.sum(dim=0) == 1).all()):
            raise Unfit("positions of several axes are mixed in one angle")
        frequency = inverse.repeat_interleave(2) if pairs else inverse.repeat(2)
        places = torch.arange(len(frequency), device=inverse.device)
        first = places % 2 == 0 if pairs else places < half  # of two numbers, from which its partner is subtracted
        axis, scale = moved.long().argmax(dim=0), float(module.attention_scaling)
        return cls(frequency, axis, scale, pairs, torch.where(first, -scale, scale))

    def write(self, positions: Tensor, dtype: torch.dtype, heads: Heads) -> None:
        """Write cosines and signed sines of positions `[A, B, N]`, computed in float32 and rounded to `dtype`."""
        places = positions.permute(1, 2, 0)
        angles = (places if len(positions) == 1 else places.index_select(2, self.axis)) * self.frequency
        cos, sin = angles.cos(), angles.sin_().mul_(self.signs)
        if self.scale != 1.0:
            cos *= self.scale
        heads.cos.copy_(cos.to(dtype))
        heads.sin.copy_(sin.to(dtype))
