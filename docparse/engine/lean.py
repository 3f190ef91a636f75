"""The lean decoder: a Llama-shaped text decoder as few operations a layer, on weights taken from the loaded module.

Projections that share an input are one product, the residual sum is part of the product before it, queries and keys are
rotated together, and nothing is asked of the host: at one token a pass, starting the forty kernels of a module's layer
takes longer than what they compute.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import silu

from docparse.engine.attention import Attention, PromptAttention
from docparse.engine.hooks import WHOLE
from docparse.engine.weights import Layer, Linear, Pages, Rotary, Unfit, check_parts, norm, read_layer
from docparse.kernels.launch import use_triton
from docparse.kernels.rms_norm import RmsNorm
from docparse.kernels.rotary_cache import Heads, rotate_and_store
from docparse.kernels.swiglu import swiglu

PROBE = 6  # tokens over which the lean decoder is compared with the module
TOLERANCE = {torch.float64: 1e-5, torch.float32: 1e-3}  # relative; of half precision 5 %


class Shared(NamedTuple):
    """Memory that all layers write, with views of its parts: `heads`, and `gate_up [B * N, 2 * I]`; `fused`: Triton
    computes what is between products."""

    heads: Heads
    fused: bool
    gate_up: Tensor
    gate: Tensor
    up: Tensor


@dataclass(frozen=True, eq=False)
class Lean:
    """`Lean(...)(embeds, positions, attention)` computes what the module's forward does."""

    layers: Sequence[Layer]
    rotary: Rotary
    last: RmsNorm
    kv_heads: int
    scale: float

    @classmethod
    def of(cls, decoder: nn.Module, axes: int) -> Lean:
        """Return it from a loaded decoder; its parameters become views of the fused ones. Raises `Unfit` where the
        decoder is of another shape, or answers differently over a few random tokens."""
        module: Any = decoder
        config = module.config
        if (gate := getattr(config, "hidden_act", "another")) != "silu":
            raise Unfit(f"its feed-forward blocks are not gated by silu but by {gate}")
        try:
            layers = module.layers[: config.num_hidden_layers]
            check_parts(module, layers)
            pages = Pages(layers)
            read, rotary = [read_layer(layer, pages) for layer in layers], Rotary.of(module.rotary_emb, axes)
        except AttributeError as missing:
            raise Unfit(str(missing)) from None
        attention = layers[0].self_attn
        kv_heads = attention.k_proj.out_features // len(rotary.frequency)
        lean = cls(read, rotary, norm(module.norm), kv_heads, float(attention.scaling))
        lean.check(decoder, axes)
        return lean

    def __call__(
        self,
        embeds: Tensor,
        positions: Tensor,
        attention: Attention,
        visual: Tensor | None = None,
        deepstack: Sequence[Tensor] = (),
    ) -> Tensor:
        """Hidden states `[B, N, D]` of embeddings of that shape, which are used up, at positions `[A, B, N]`.

        After each of the first layers `deepstack[l] [V, D]` is added to the tokens `visual [B, N]`.
        """
        hidden = embeds.flatten(0, 1)  # every block adds to it in place
        shared = attention.shared or self.shared(*embeds.shape[:2])
        self.rotary.write(positions, self.last.weight.dtype, shared.heads)
        for index, layer in enumerate(self.layers):
            self.run(index, layer, hidden, shared, attention)
            if visual is not None and index < len(deepstack):
                hidden[visual.flatten()] += deepstack[index]
        return self.last(hidden).view_as(embeds)

    def shared(self, batch: int, nodes: int, larger: Shared | None = None) -> Shared:
        """Return what the layers of such a pass share, in new memory or in that of a `larger` pass. Whoever norms heads
        after the rotation (HunYuan) rotates in float32."""
        count = batch * nodes
        if larger is not None:
            every = larger.heads.qkv, larger.heads.cos, larger.heads.sin, larger.gate_up
            qkv, cos, sin, gate_up = (each.flatten(0, -2)[:count] for each in every)
        else:
            layer, made = self.layers[0], self.last.weight.new_empty
            precise = layer.head_norms is not None and layer.head_norms.after
            qkv, gate_up = (made(count, each.weight.shape[1]) for each in (layer.qkv, layer.gate_up))
            cos, sin = made(2, count, len(self.rotary.frequency), dtype=torch.float32 if precise else None)
        qkv, cos, sin = (each.unflatten(0, (batch, nodes)) for each in (qkv, cos, sin))
        heads = Heads(qkv, cos, sin, self.kv_heads, self.rotary.pairs)
        return Shared(heads, use_triton(qkv), gate_up, *gate_up.chunk(2, -1))

    def run(self, index: int, layer: Layer, hidden: Tensor, shared: Shared, attention: Attention) -> None:
        """Run one layer over hidden states `[B * N, D]`, in place."""
        heads = shared.heads
        project(layer.before_attention(hidden), layer.qkv, heads.states)
        if shared.fused:
            place = attention.data[index], attention.starts[index]
            query = rotate_and_store(heads.qkv, heads.cos, heads.sin, *place, layer.head_norms, heads.pairs)
        else:
            query = heads.query
            heads.rotate(layer.head_norms)
            attention.store(index, heads.new)
        read = attention.attend(index, query, self.scale).reshape(hidden.shape[0], -1)
        add(hidden, read, layer.out, layer.after_attention)
        project(layer.before_mlp(hidden), layer.gate_up, shared.gate_up)
        gated = swiglu(shared.gate_up) if shared.fused else silu(shared.gate, inplace=True).mul_(shared.up)
        add(hidden, gated, layer.down, layer.after_mlp)

    @torch.no_grad()
    def check(self, decoder: Any, axes: int) -> None:
        """Compare every layer with the module's over the same random inputs; raise `Unfit` where one differs."""
        weight = self.last.weight
        made = torch.Generator().manual_seed(0)
        embeds = torch.randn(1, PROBE, len(weight), generator=made).to(weight) * decoder.embed_tokens.weight.std()
        positions = torch.randint(3 * PROBE, (axes, 1, PROBE), generator=made).to(weight.device)
        if axes == 1:  # where they do not count up, a module would take them for several texts
            positions = torch.arange(PROBE, 2 * PROBE, device=weight.device)[None, None]
        states = caught(decoder, embeds, positions if axes > 1 else positions[0])
        shared = self.shared(1, PROBE)
        self.rotary.write(positions, weight.dtype, shared.heads)
        size = len(self.rotary.frequency)
        rows = weight.new_zeros(2, 1, self.kv_heads, PROBE, size).expand(len(self.layers), -1, -1, -1, -1, -1)
        alone = PromptAttention(rows, [PROBE], [WHOLE])
        for index, (layer, (given, wanted)) in enumerate(zip(self.layers, pairwise(states), strict=True)):
            found = given.clone()
            self.run(index, layer, found, shared, alone)
            error, added = (found - wanted).norm(), (wanted - given).norm()
            rounding = 2 * torch.finfo(weight.dtype).eps * wanted.norm()  # of the sum with what the layer was given
            if not error <= TOLERANCE.get(weight.dtype, 0.05) * added + rounding:
                raise Unfit(f"layer {index} answers differently (by {float(error / added):.0%} of what it adds)")


def caught(decoder: Any, embeds: Tensor, positions: Tensor) -> list[Tensor]:
    """Return what each layer of the module is given, and what the last one answers, `[N, D]`."""
    states: list[Tensor] = []
    readers = [*decoder.layers[: decoder.config.num_hidden_layers], decoder.norm]
    hooks = [each.register_forward_pre_hook(lambda _, given: states.append(given[0][0])) for each in readers]
    try:
        decoder(inputs_embeds=embeds, position_ids=positions, use_cache=False)
    finally:
        for hook in hooks:
            hook.remove()
    return states


def project(states: Tensor, by: Linear, out: Tensor | None = None) -> Tensor:
    """`[T, in]` to `[T, out]`, which may be there."""
    if by.bias is None:
        return torch.mm(states, by.weight, out=out)
    return torch.addmm(by.bias, states, by.weight, out=out)


def add(hidden: Tensor, states: Tensor, by: Linear, after: RmsNorm | None) -> None:
    """Add what a block says to the residual stream `[T, D]`."""
    if after is not None:
        hidden.add_(after(project(states, by)))
        return
    hidden.addmm_(states, by.weight)
    if by.bias is not None:
        hidden.add_(by.bias)
