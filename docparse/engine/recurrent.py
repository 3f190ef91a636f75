"""Layers of linear attention (the gated delta rule of Qwen3.5): one matrix a head in place of keys and values.

Such a state cannot be cropped to an earlier token. So a pass leaves it as it is: every node of a tree reads the state
before the root and what its own ancestors would add, and `commit` adds what the accepted path adds. With the decay
d and the strength b of each node, and c_i the sum of log d from the root to node i, that node adds `k_i u_i^T` where

    u_i = b_i (v_i - exp(c_i) k_i S - sum over its ancestors j of exp(c_i - c_j) (k_i k_j) u_j)

(Yang et al., "Gated Delta Networks", ICLR 2025, section 3.3, with a node's ancestors for the tokens before it). All of
it is computed in float32, as transformers does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, cast

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import conv1d, pad, silu, softplus

from docparse.engine.modules import linear_layers
from docparse.engine.packet import Packet
from docparse.engine.tree import Tree

CHUNK = 64  # tokens of a prompt that are one system of equations
EPS = 1e-6  # of the norm of queries and keys


class Added(NamedTuple):
    """The update that the nodes of a pass would make: `key [B, H, N, K]` times `value [B, H, N, V]`, and `fading [B, H,
    N]`, the logarithm of what is left at a node of what was there before the root."""

    key: Tensor
    value: Tensor
    fading: Tensor


class RecurrentStates:
    """The states of the layers, by their index, for each row: `memory [B, H, K, V]`, and in `recent [B, W, C]` the last
    inputs of a convolution over W + 1 tokens."""

    def __init__(self, decoder: nn.Module) -> None:
        self._modules = linear_layers(decoder)
        sizes = (each.num_v_heads * each.head_k_dim * each.head_v_dim for each in self._modules.values())
        self.row_bytes = 4 * sum(sizes)
        self._window = cast(Any, decoder).config.linear_conv_kernel_dim
        self._memory: dict[int, Tensor] = {}
        self._recent: dict[int, Tensor] = {}
        # Of the last pass: by layer the inputs of its convolution `[B, N, C]` and what its nodes would add; which
        # inputs the convolution of a node reads `[B, N, W + 1]`, and which nodes it reads, itself among them
        # `[B, 1, N, N]`.
        self._inputs: dict[int, Tensor] = {}
        self._added: dict[int, Added] = {}
        self._reads: Tensor
        self._ancestors: Tensor

    def order(self, rows: Sequence[int]) -> None:
        """Only these rows are left, in this order."""
        for held in (self._memory, self._recent):
            held.update({layer: each[list(rows)] for layer, each in held.items()})

    def read_prompt(self, layer: int, states: Tensor) -> Tensor:
        """Return what the layer answers to hidden states `[1, P, D]` of one whole prompt, which becomes a row."""
        module = self._modules[layer]
        inputs = pad(module.in_proj_qkv(states), (0, 0, self._window - 1, 0))
        mixed = conv1d(inputs.mT, module.conv1d.weight, groups=module.conv_dim).mT
        asked = heads(module, silu(mixed), states)
        memory = asked[0].new_zeros(1, module.num_v_heads, module.head_k_dim, module.head_v_dim)
        reads = torch.ones(CHUNK, CHUNK, dtype=torch.bool, device=states.device).tril()
        parts = []
        for chunk in zip(*(each.split(CHUNK, dim=2) for each in asked), strict=True):
            count = chunk[0].shape[2]
            out, added = read_and_add(chunk, reads[None, None, :count, :count], memory)
            parts.append(out)
            memory = remembered(memory, added, reads.new_ones(1, count), added.fading[..., -1])
        recent = inputs[:, inputs.shape[1] - self._window + 1 :]
        for held, own in ((self._memory, memory), (self._recent, recent)):
            held[layer] = torch.cat([held[layer], own]) if layer in held else own
        return answered(module, torch.cat(parts, dim=2), states)

    def follow(self, trees: Sequence[Tree], layout: Packet) -> None:
        """A pass over these trees comes, as they are laid out."""
        width = self._window
        reads = np.zeros((len(trees), layout.tokens.shape[1], width), dtype=np.int64)
        for row, tree in zip(reads, trees, strict=True):
            for node, parent in enumerate(tree.parents):
                row[node] = [*(range(width - 1) if parent < 0 else row[parent, 1:]), width - 1 + node]
        device = layout.tokens.device
        self._reads = torch.from_numpy(reads).to(device, non_blocking=True)
        alone = torch.ones(len(trees), 1, 1, dtype=torch.bool, device=device)
        self._ancestors = (alone if layout.tree is None else layout.tree)[:, None]

    def read_trees(self, layer: int, states: Tensor) -> Tensor:
        """Return what the layer answers to hidden states `[B, N, D]` of the trees that are followed."""
        module = self._modules[layer]
        inputs = self._inputs[layer] = module.in_proj_qkv(states)
        row = torch.arange(len(states), device=states.device)[:, None, None]
        read = torch.cat([self._recent[layer], inputs], dim=1)[row, self._reads]  # [B, N, W + 1, C]
        asked = heads(module, silu((read * module.conv1d.weight[:, 0].T).sum(dim=2)), states)
        out, self._added[layer] = read_and_add(asked, self._ancestors, self._memory[layer])
        return answered(module, out, states)

    def commit(self, paths: Sequence[Sequence[int]]) -> None:
        """The root and these nodes of the last pass's trees stay."""
        device = self._reads.device
        kept = torch.zeros(self._reads.shape[:2], dtype=torch.bool)
        for row, path in zip(kept, paths, strict=True):
            row[[0, *path]] = True
        kept = kept.to(device)
        row, last = torch.arange(len(paths), device=device), torch.tensor([[0, *path][-1] for path in paths]).to(device)
        recent = self._reads[row, last, 1:]
        for layer, added in self._added.items():
            self._memory[layer] = remembered(self._memory[layer], added, kept, added.fading[row, :, last])
            self._recent[layer] = torch.cat([self._recent[layer], self._inputs[layer]], dim=1)[row[:, None], recent]


def heads(module: Any, mixed: Tensor, states: Tensor) -> Sequence[Tensor]:
    """Return queries and keys `[B, H, N, K]`, values `[B, H, N, V]`, strengths and logarithms of decays `[B, H, N]` of
    hidden states `[B, N, D]` and of the convolution's answer to them."""
    counts = (module.num_k_heads, module.num_k_heads, module.num_v_heads)
    parts = zip(mixed.split([module.key_dim, module.key_dim, module.value_dim], dim=-1), counts, strict=True)
    query, key, value = (part.unflatten(-1, (count, -1)).transpose(1, 2).float() for part, count in parts)
    groups = module.num_v_heads // module.num_k_heads
    query, key = (
        (each * torch.rsqrt((each * each).sum(dim=-1, keepdim=True) + EPS)).repeat_interleave(groups, dim=1)
        for each in (query, key)
    )
    strength = module.in_proj_b(states).sigmoid().float()
    decay = -module.A_log.float().exp() * softplus(module.in_proj_a(states).float() + module.dt_bias)
    return query * key.shape[-1] ** -0.5, key, value, strength.mT, decay.float().mT


def read_and_add(asked: Sequence[Tensor], reads: Tensor, memory: Tensor) -> tuple[Tensor, Added]:
    """Return what nodes read by their `heads`, `[B, H, N, V]`, and what they would add: the formula of this file.
    `reads [B, 1, N, N]` are a node's ancestors and itself; it comes after them, so that the system is triangular."""
    query, key, value, strength, decay = asked
    fading = (reads.float() @ decay[..., None])[..., 0]
    faded = (fading[..., None] - fading[..., None, :]).masked_fill(~reads, -torch.inf).exp()  # from j to i
    since = fading.exp()[..., None]
    system = (key @ key.mT) * faded * strength[..., None]
    own = strength[..., None] * (value - since * (key @ memory))
    added = torch.linalg.solve_triangular(system, own, upper=False, unitriangular=True)
    return since * (query @ memory) + ((query @ key.mT) * faded) @ added, Added(key, added, fading)


def remembered(memory: Tensor, added: Added, kept: Tensor, whole: Tensor) -> Tensor:
    """Return the memory with what the nodes `kept [B, N]` add; `whole [B, H]` is the fading at the last of them."""
    left = (whole[..., None] - added.fading).masked_fill(~kept[:, None], -torch.inf).exp()
    return whole.exp()[..., None, None] * memory + (added.key * left[..., None]).mT @ added.value


def answered(module: Any, read: Tensor, states: Tensor) -> Tensor:
    """Return hidden states `[B, N, D]` of what was read, `[B, H, N, V]`, and of the layer's gate."""
    rows = read.transpose(1, 2).to(states.dtype).reshape(-1, module.head_v_dim)
    gated = module.norm(rows, module.in_proj_z(states).reshape(rows.shape))
    return module.out_proj(gated.view(*states.shape[:2], -1))
