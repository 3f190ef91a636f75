"""The training path: the native model's own weights, run on batches of equal pages, with two auxiliary losses.

It computes what the native classes compute (a test holds that), but on dense batches without padding on the left,
with fused norms and one set of rotary angles for the whole batch, which takes about half the time on a CPU.

Auxiliary losses: *dense*, a linear head predicts the characters whose centre lies in each patch, so that the vision
tower learns letters before the decoder can use them; *pointer*, one attention head of two layers is asked to look at
the visual token under the next character.
"""

from __future__ import annotations

from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from transformers import Qwen3VLForConditionalGeneration

from training import tokens
from training.samples import IGNORE, SLOTS, Batch

POINTER_LAYERS = (1, 3)
POINTER_HEAD = 0
QUERIES = 512  # of causal attention on a CPU, at a time
Angles = tuple[Tensor, Tensor]


class Reader(nn.Module):
    """A native model and the head of the dense loss."""

    def __init__(self, model: Qwen3VLForConditionalGeneration) -> None:
        super().__init__()
        self.model = model
        self.dense = nn.Linear(model.lm_head.in_features, 4 * SLOTS * tokens.PRINTED)

    def forward(self, batch: Batch, noise: float = 0.0) -> dict[str, Tensor]:
        """The losses and accuracies of a batch; `noise` is the share of the decoder's inputs made random."""
        seen = self.see(batch.patches, batch.rows, batch.columns)
        result = self._dense_loss(seen, batch.dense)
        if not batch.decode:
            return result
        hidden, pointing = self._decode(seen, batch, noise)
        valid = batch.ids != tokens.PAD
        logits = self.model.lm_head(hidden[valid])
        result["text"] = F.cross_entropy(logits, batch.ids[valid])
        result["text_accuracy"] = (logits.argmax(-1) == batch.ids[valid]).float().mean()
        known = batch.pointer >= 0
        scores = [score[known] for score in pointing]
        target = batch.pointer[known]
        result["pointer"] = torch.stack([F.cross_entropy(score, target) for score in scores]).mean()
        result["pointer_accuracy"] = (scores[-1].argmax(-1) == target).float().mean()
        return result

    def see(self, patches: Tensor, rows: int, columns: int) -> Tensor:
        """Visual tokens `(B, V, width)` of grey patches `(B, 4V, 64)`."""
        tower: Any = self.model.model.visual
        grey = tower.patch_embed.proj.weight.flatten(2).sum(1)  # the three channels are equal
        x = F.linear(patches, grey, tower.patch_embed.proj.bias)
        cos, sin = _vision_angles(tower, rows, columns)
        for block in tower.blocks:
            attention = block.attn
            mixed = attention.qkv(block.norm1(x)).unflatten(-1, (3, attention.num_heads, -1))
            q, k, v = (part.transpose(1, 2) for part in mixed.unbind(2))
            out = _attend(_turn(q, cos, sin), _turn(k, cos, sin), v, causal=False)
            x = x + attention.proj(out.transpose(1, 2).flatten(2))
            x = x + block.mlp(block.norm2(x))
        return tower.merger(x.flatten(0, 1)).unflatten(0, (len(patches), -1))

    def _dense_loss(self, seen: Tensor, target: Tensor) -> dict[str, Tensor]:
        logits = self.dense(seen).unflatten(-1, (4, SLOTS, tokens.PRINTED))
        loss = F.cross_entropy(logits.flatten(0, -2), target.flatten(), reduction="none", ignore_index=IGNORE)
        weight = torch.where(target > 0, 1.0, 0.15).flatten()  # most patches are empty
        printed = target > 0
        return {
            "dense": (loss * weight).sum() / weight.sum(),
            "dense_accuracy": (logits[printed].argmax(-1) == target[printed]).float().mean(),
        }

    def _decode(self, seen: Tensor, batch: Batch, noise: float) -> tuple[Tensor, list[Tensor]]:
        """Hidden states of the text `(B, T, width)`, and where the pointing heads look, `(B, T, V)` each."""
        decoder: Any = self.model.model.language_model
        count = seen.shape[1]
        ids = torch.cat([torch.full_like(batch.ids[:, :1], tokens.BOS), batch.ids[:, :-1]], 1)
        if noise:
            wrong = (torch.rand(ids.shape, device=ids.device) < noise) & (ids > tokens.IDS["\n"])
            ids = torch.where(wrong, torch.randint_like(ids, tokens.FIRST + 1, tokens.UNKNOWN), ids)
        x = torch.cat([self._embed(tokens.VISION_START, seen), seen, self._embed(tokens.VISION_END, seen),
                       decoder.embed_tokens(ids)], 1)  # fmt: skip
        positions = token_positions(batch.rows, batch.columns, 1 + ids.shape[1], ids.device)
        cos, sin = decoder.rotary_emb(x, positions[:, None])
        pointing = []
        for index, layer in enumerate(decoder.layers):
            x, q, k = _layer(layer, x, (cos[:, None], sin[:, None]))
            if index in POINTER_LAYERS:
                group = layer.self_attn.num_key_value_groups
                q, k = q[:, POINTER_HEAD, 2 + count :], k[:, POINTER_HEAD // group, 1 : 1 + count]
                pointing.append(q @ k.transpose(1, 2) * layer.self_attn.scaling)
        return _norm(decoder.norm, x[:, 2 + count :]), pointing

    def _embed(self, token: int, like: Tensor) -> Tensor:
        return self.model.model.language_model.embed_tokens.weight[token].expand(len(like), 1, -1)

    @torch.no_grad()
    def read(self, batch: Batch, limit: int) -> list[str]:
        """Greedy text of every page, at most `limit` characters."""
        decoder: Any = self.model.model.language_model
        seen = self.see(batch.patches, batch.rows, batch.columns)
        count, device = len(seen), seen.device
        start = [self._embed(token, seen) for token in (tokens.VISION_START, tokens.VISION_END, tokens.BOS)]
        x = torch.cat([start[0], seen, *start[1:]], 1)
        positions = token_positions(batch.rows, batch.columns, 2, device)[:, None].expand(-1, count, -1)
        done, found, cache = torch.zeros(count, dtype=torch.bool, device=device), [], None
        for _ in range(limit):
            out = decoder(inputs_embeds=x, position_ids=positions, past_key_values=cache, use_cache=True)
            cache = out.past_key_values
            following = self.model.lm_head(out.last_hidden_state[:, -1]).argmax(-1)
            following = torch.where(done, tokens.PAD, following)
            found.append(following)
            done |= following == tokens.EOS
            if done.all():
                break
            x, positions = decoder.embed_tokens(following[:, None]), positions[..., -1:] + 1
        return [tokens.decode(ids) for ids in torch.stack(found, 1).tolist()]


def token_positions(rows: int, columns: int, text: int, device: torch.device) -> Tensor:
    """M-RoPE positions `(3, 1 + rows * columns + text)` of a page between its marks, then `text` more tokens."""
    height = 1 + torch.arange(rows, device=device).repeat_interleave(columns)
    width = 1 + torch.arange(columns, device=device).repeat(rows)
    page = torch.stack([torch.ones_like(height), height, width])
    after = (1 + max(rows, columns) + torch.arange(text, device=device)).expand(3, -1)
    return torch.cat([torch.zeros_like(page[:, :1]), page, after], 1)


def _vision_angles(tower: Any, rows: int, columns: int) -> Angles:
    """Cosines and sines `(patches, head size)` of the patches' rows and columns, in merge order."""
    frequencies = tower.rotary_pos_emb.inv_freq
    row, column = torch.meshgrid(torch.arange(2 * rows), torch.arange(2 * columns), indexing="ij")
    places = torch.stack([row, column], -1).view(rows, 2, columns, 2, 2).transpose(1, 2).reshape(-1, 2, 1)
    angles = (places.to(frequencies.device) * frequencies).flatten(1).repeat(1, 2)
    return angles.cos(), angles.sin()


def _layer(layer: Any, x: Tensor, angles: Angles) -> tuple[Tensor, Tensor, Tensor]:
    """A decoder layer on whole sequences; also its queries and keys `(B, heads, tokens, head size)`."""
    attention = layer.self_attn
    h = _norm(layer.input_layernorm, x)
    shape = (-1, attention.head_dim)
    q = _turn(_norm(attention.q_norm, attention.q_proj(h).unflatten(-1, shape)).transpose(1, 2), *angles)
    k = _turn(_norm(attention.k_norm, attention.k_proj(h).unflatten(-1, shape)).transpose(1, 2), *angles)
    v = attention.v_proj(h).unflatten(-1, shape).transpose(1, 2)
    out = _attend(q, k, v, causal=True)
    x = x + attention.o_proj(out.transpose(1, 2).flatten(2))
    return x + layer.mlp(_norm(layer.post_attention_layernorm, x)), q, k


def _attend(q: Tensor, k: Tensor, v: Tensor, causal: bool) -> Tensor:
    """Attention of `(B, heads, tokens, head size)`; keys and values may have fewer heads."""
    if q.device.type != "cpu" or not torch.is_autocast_enabled("cpu"):
        return F.scaled_dot_product_attention(q, k, v, is_causal=causal, enable_gqa=True)
    # In bfloat16, plain products take 60 % of the time of the CPU's fused kernel (measured on Zen 4).
    with torch.autocast("cpu", enabled=False):
        groups = q.shape[1] // k.shape[1]
        q, k, v = (q * q.shape[-1] ** -0.5).bfloat16(), *(x.bfloat16().repeat_interleave(groups, 1) for x in (k, v))
        if not causal:
            return (q @ k.mT).softmax(-1) @ v
        starts = range(0, q.shape[2], QUERIES)
        return torch.cat([_attend_back(q[:, :, start : start + QUERIES], k, v, start) for start in starts], 2)


def _attend_back(q: Tensor, k: Tensor, v: Tensor, first: int) -> Tensor:
    """Causal attention of the queries from position `first` on; the keys after them are left out of the products."""
    end = first + q.shape[2]
    scores = q @ k[:, :, :end].mT
    scores = scores + torch.full(scores.shape[-2:], float("-inf"), dtype=scores.dtype).triu(1 + first)
    return scores.softmax(-1) @ v[:, :, :end]


def _norm(norm: Any, x: Tensor) -> Tensor:
    return F.rms_norm(x, x.shape[-1:], norm.weight.to(x.dtype), norm.variance_epsilon)


def _turn(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    first, second = x.chunk(2, -1)
    return x * cos + torch.cat((-second, first), -1) * sin
