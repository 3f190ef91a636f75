"""The lean decoder: a Llama-shaped text decoder as few operations a layer, on weights taken from the loaded module.

The modules of transformers run some forty kernels a layer; at one token a pass, on a CPU or a GPU, starting them takes
longer than what they compute. Here projections that share an input are one product, the residual sum is part of the
product before it, queries and keys are rotated together, and nothing is asked of the host.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from docparse.engine.attention import Attention, PromptAttention
from docparse.engine.rotary import Rotary
from docparse.engine.weights import Layer, Linear, Norm, norm, read_layer, refuse
from docparse.kernels.rms_norm import rms_norm
from docparse.kernels.rotary_cache import rotate_and_store, signed
from docparse.kernels.swiglu import swiglu

PROBE = 6  # tokens over which the lean decoder is compared with the module
TOLERANCE = {torch.float64: 1e-5, torch.float32: 1e-3}  # relative; of half precision 5 %


@dataclass(frozen=True, eq=False)
class Lean:
    """`Lean(...)(embeds, positions, attention)` computes what the module's forward does."""

    layers: Sequence[Layer]
    rotary: Rotary
    last: Norm
    heads: int
    kv_heads: int
    scale: float

    @classmethod
    def of(cls, decoder: nn.Module, axes: int) -> Lean:
        """Return it from a loaded decoder; its parameters become views of the fused ones.

        Raises `Unfit` where the decoder is of another shape, or answers differently over a few random tokens.
        """
        module: Any = decoder
        config = module.config
        if getattr(config, "hidden_act", None) != "silu":
            refuse(f"its feed-forward blocks are not gated by silu but by {getattr(config, 'hidden_act', 'another')}")
        if {name for name, _ in module.named_children()} != {"embed_tokens", "layers", "norm", "rotary_emb"}:
            refuse("it holds more than embeddings, layers, a norm and rotary positions")
        heads = int(config.num_attention_heads)
        kv_heads = int(getattr(config, "num_key_value_heads", None) or heads)
        layers = module.layers[: config.num_hidden_layers]
        unlike = {type(layer.mlp).__name__ for layer in layers if not hasattr(layer.mlp, "down_proj")}
        if unlike:
            refuse(f"it has layers of {', '.join(sorted(unlike))}")
        lean = cls(
            [read_layer(layer, heads, kv_heads) for layer in layers],
            Rotary.of(module.rotary_emb, axes),
            norm(module.norm),
            heads,
            kv_heads,
            float(layers[0].self_attn.scaling),
        )
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
        """Hidden states `[B, N, D]` of embeddings of that shape at positions `[A, B, N]`.

        After each of the first layers `deepstack[l] [V, D]` is added to the tokens `visual [B, N]`.
        """
        hidden = embeds.flatten(0, 1).clone()  # every block adds to it in place
        angles = self.angles(positions, embeds.dtype)
        for index, layer in enumerate(self.layers):
            hidden = self.run(index, layer, hidden, angles, attention)
            if visual is not None and index < len(deepstack):
                hidden[visual.flatten()] += deepstack[index]
        return normed(hidden, self.last).view_as(embeds)

    def angles(self, positions: Tensor, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
        """Cosines and signed sines `[B, N, D]`. Whoever norms heads after the rotation (HunYuan) rotates in float32."""
        norms = self.layers[0].head_norms
        cos, sin = self.rotary(positions, dtype)
        if norms is not None and norms.after:
            cos, sin = cos.float(), sin.float()
        return cos, signed(sin, self.rotary.pairs)

    def run(
        self, index: int, layer: Layer, hidden: Tensor, angles: tuple[Tensor, Tensor], attention: Attention
    ) -> Tensor:
        """Run one layer over hidden states `[B * N, D]`."""
        cos, sin = angles
        states = projected(normed(hidden, layer.before_attention), layer.qkv).view(*cos.shape[:2], -1)
        slab, starts, counts = attention.place(index)
        query = rotate_and_store(states, cos, sin, slab, starts, layer.head_norms, self.rotary.pairs, counts)
        read = attention.attend(index, query, self.scale).reshape(len(hidden), -1)
        hidden = added(hidden, read, layer.out, layer.after_attention)
        gated = swiglu(projected(normed(hidden, layer.before_mlp), layer.gate_up))
        return added(hidden, gated, layer.down, layer.after_mlp)

    @torch.no_grad()
    def check(self, decoder: Any, axes: int) -> None:
        """Compare every layer with the module's over the same random inputs; raise `Unfit` where one differs."""
        weight = self.last.weight
        made = torch.Generator().manual_seed(0)
        embeds = torch.randn(1, PROBE, len(weight), generator=made).to(weight) * decoder.embed_tokens.weight.std()
        positions = torch.randint(3 * PROBE, (axes, 1, PROBE), generator=made).to(weight.device)
        if axes == 1:  # where they do not count up, a module would take them for several texts
            positions = torch.arange(PROBE, 2 * PROBE, device=weight.device)[None, None]
        inputs, outputs = caught(decoder, embeds, positions if axes > 1 else positions[0])
        angles = self.angles(positions, weight.dtype)
        size = self.layers[0].out.weight.shape[0] // self.heads
        rows = weight.new_zeros(2, 1, self.kv_heads, PROBE, size).expand(len(self.layers), -1, -1, -1, -1, -1)
        alone = PromptAttention(rows, [PROBE])
        for index, (layer, given, wanted) in enumerate(zip(self.layers, inputs, outputs, strict=True)):
            found = self.run(index, layer, given[0].clone(), angles, alone)
            error, added = (found - wanted[0]).norm(), (wanted[0] - given[0]).norm()
            rounding = 2 * torch.finfo(weight.dtype).eps * wanted[0].norm()  # of the sum with what the layer was given
            if not error <= TOLERANCE.get(weight.dtype, 0.05) * added + rounding:
                refuse(f"layer {index} answers differently (by {float(error / added):.0%} of what it adds)")


def caught(decoder: Any, embeds: Tensor, positions: Tensor) -> tuple[list[Tensor], list[Tensor]]:
    """Return what each layer of the module is given and answers, `[1, N, D]`."""
    inputs: list[Tensor] = []
    outputs: list[Tensor] = []

    def hear(module: nn.Module, given: tuple[Tensor, ...], answer: Any) -> None:
        inputs.append(given[0])
        outputs.append(answer[0] if isinstance(answer, tuple) else answer)

    hooks = [layer.register_forward_hook(hear) for layer in decoder.layers[: decoder.config.num_hidden_layers]]
    try:
        decoder(inputs_embeds=embeds, position_ids=positions, use_cache=False)
    finally:
        for hook in hooks:
            hook.remove()
    return inputs, outputs


def normed(states: Tensor, by: Norm) -> Tensor:
    """RMS norm of `[T, D]`."""
    return rms_norm(states, by.weight, by.eps)


def projected(states: Tensor, by: Linear) -> Tensor:
    """`[T, in]` to `[T, out]`."""
    return states @ by.weight if by.bias is None else torch.addmm(by.bias, states, by.weight)


def added(hidden: Tensor, states: Tensor, by: Linear, after: Norm | None) -> Tensor:
    """Return the residual stream `[T, D]`, in place, and what a block adds to it."""
    if after is not None:
        return hidden.add_(normed(projected(states, by), after))
    summed = hidden.addmm_(states, by.weight)
    return summed if by.bias is None else summed.add_(by.bias)
