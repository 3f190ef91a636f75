"""The shapes of the published models, counted on the meta device: no weights, no memory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from transformers import DynamicCache

from docparse.bench.prediction.shapes import BYTES, PAGES, Experts, Shape
from docparse.models.names import known_family


@cache
def shape_of(model: str) -> Shape:
    """One of `PAGES`, counted on the meta device. Raises `KeyError` for another."""
    page = PAGES[model]
    family = known_family(model)
    config: Any = family.full_config()
    text = getattr(config, "text_config", config)
    with _on_meta():
        built: Any = family.build(config).eval()
        decoder: Any = family.decoder(built)
        operators = _operators(decoder, text.hidden_size)
    head, embedding = built.get_output_embeddings().weight, built.get_input_embeddings().weight
    head_size = getattr(text, "head_dim", None) or text.hidden_size // text.num_attention_heads
    experts = _experts(decoder, text)
    body = _size(decoder) - embedding.numel()
    return Shape(
        model=model,
        layers=text.num_hidden_layers,
        width=text.num_attention_heads * head_size,
        kv_bytes=2 * text.num_hidden_layers * text.num_key_value_heads * head_size * BYTES,
        dense=body + head.numel() - (experts.count * experts.size if experts else 0),
        experts=experts,
        operators=operators,
        vision=_size(built) - body - embedding.numel() - (0 if head is embedding else head.numel()),
        vision_attention=_vision_attention(config.vision_config),
        page=page,
    )


@contextmanager
def _on_meta() -> Iterator[None]:
    """Without memory, in bfloat16: other precisions launch other operators."""
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.bfloat16)
    try:
        with torch.device("meta"), torch.no_grad():
            yield
    finally:
        torch.set_default_dtype(before)


def _size(module: Any) -> int:
    return sum(parameter.numel() for parameter in module.parameters())


def _vision_attention(tower: Any) -> int:
    """Two products of the tower's width in every layer; 0 for towers of windows and tiles, which have little of it."""
    given = tower if isinstance(tower, dict) else tower.to_dict()
    width = given.get("embed_dim") or given.get("hidden_size") or 0
    return 4 * width * (given.get("depth") or given.get("num_hidden_layers") or 0)


def _experts(decoder: Any, text: Any) -> Experts | None:
    """The matrices of a layer's routed experts are stacked, an expert first."""
    stacked = {name: each for name, each in decoder.named_parameters() if ".mlp.experts." in name}
    if not stacked:
        return None
    count = next(iter(stacked.values())).shape[0]
    layers = len({name.partition(".mlp.")[0] for name in stacked})
    return Experts(count, text.num_experts_per_tok, layers, sum(each.numel() for each in stacked.values()) // count)


class _Launches(TorchDispatchMode):
    """Counts operators; views are none."""

    count = 0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.count += not (func.is_view or "view" in str(func))
        return func(*args, **(kwargs or {}))


def _operators(decoder: Any, hidden: int) -> int:
    """Of a pass over one token, with a cache that holds another."""
    cached, token = DynamicCache(), torch.empty(1, 1, hidden)
    decoder(inputs_embeds=token, past_key_values=cached, use_cache=True)
    with _Launches() as launches:
        decoder(inputs_embeds=token, past_key_values=cached, use_cache=True)
    return launches.count
