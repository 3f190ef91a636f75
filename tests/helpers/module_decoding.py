"""A decoder as transformers runs it, with its own attention and cache, one token at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from docparse.engine.prompt import Prompt
from docparse.engine.text_model import TextModel


def picture_inputs(prompt: Prompt) -> dict[str, Any]:
    """What a decoder with deepstack is given besides the embeddings of a prompt."""
    if not prompt.deepstack:
        return {}
    return {"visual_pos_masks": prompt.visual[None], "deepstack_visual_embeds": list(prompt.deepstack)}


@torch.no_grad()
def module_logits(text: TextModel, embeds: Tensor, positions: Tensor, past: Any = None, **extra: Any) -> Tensor:
    """Logits `[N, V]` after `embeds [N, D]` at `positions [A, N]`, which join the cache."""
    positions = positions[:, None] if text.axes > 1 else positions
    extra |= {} if past is None else {"past_key_values": past}
    out = text.decoder(inputs_embeds=embeds[None], position_ids=positions, use_cache=True, **extra)
    return text.head(out.last_hidden_state[0])


def sequential(text: TextModel, prompt: Prompt, tokens: Sequence[int]) -> tuple[Tensor, Any]:
    """Logits `[1 + T, V]` after the prompt and after each of `tokens`, one pass for each; the cache they fill."""
    from transformers import DynamicCache

    past = DynamicCache(config=text.config)
    rows = [module_logits(text, prompt.embeds, prompt.positions, past, **picture_inputs(prompt))[-1]]
    for i, token in enumerate(tokens):
        embeds = text.embed(torch.tensor([token]))
        rows.append(module_logits(text, embeds, (prompt.next_position + i)[:, None], past)[-1])
    return torch.stack(rows), past
