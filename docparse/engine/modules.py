"""A decoder that the lean one does not fit runs as it is, module by module, with our attention lent for one pass."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn, cast

import torch
from torch import Tensor, nn
from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS

from docparse.engine.attention import Attention
from docparse.errors import EnvironmentProblem

NAME = "docparse"
SLIDING = "sliding_attention"
LINEAR = "linear_attention"
GATED_DELTA = ("qwen3_5_text",)  # decoders whose linear layers `engine.recurrent` computes
REFERENCE = "reference_sliding_attention"  # over what is written alone; the prompt is read whole (Unlimited-OCR)
_lent = threading.Lock()  # one pass at a time: what is lent is a setting of the decoder, and a name in a common table


def run_modules(
    decoder: nn.Module,
    embeds: Tensor,
    positions: Tensor,
    attention: Attention,
    visual: Tensor | None = None,
    deepstack: Sequence[Tensor] = (),
) -> Tensor:
    """Hidden states `[B, N, D]` of embeddings of that shape at positions `[A, B, N]`; see `Lean` for the others."""
    more: dict[str, Any] = {"visual_pos_masks": visual, "deepstack_visual_embeds": deepstack} if deepstack else {}
    places = positions if len(positions) > 1 else positions[0]
    with attending(decoder, attention):
        out = decoder(inputs_embeds=embeds, position_ids=places, use_cache=False, **more)
    return cast(Tensor, out.last_hidden_state)


@contextmanager
def attending(decoder: nn.Module, attention: Attention) -> Iterator[None]:
    """Replace the decoder's attention inside, and only there. Passes of other threads wait."""
    module: Any = decoder
    config, linear = module.config, linear_layers(decoder)

    def attend(
        module: Any, query: Tensor, key: Tensor, value: Tensor, mask: Any, scaling: float | None = None, **more: Any
    ) -> tuple[Tensor, None]:
        refuse_variants(**more)
        layer = module.layer_idx - sum(each < module.layer_idx for each in linear)
        attention.store(layer, torch.stack((key, value)))
        return attention.attend(layer, query, query.shape[3] ** -0.5 if scaling is None else scaling), None

    with _lent:
        own, config._attn_implementation = config._attn_implementation, NAME
        ALL_ATTENTION_FUNCTIONS[NAME] = attend
        for layer, each in linear.items():
            each.forward = lambda hidden_states, own=layer, **_: cast(Any, attention.linear)(own, hidden_states)
        try:
            yield
        finally:
            for each in linear.values():
                del each.forward
            config._attn_implementation = own
            del ALL_ATTENTION_FUNCTIONS[NAME]


def layer_kinds(config: Any) -> list[str]:
    """Return what kind of attention each layer has, as transformers calls it."""
    count = config.num_hidden_layers
    return list(getattr(config, "layer_types", None) or ["full_attention"] * count)[:count]


def linear_layers(decoder: Any) -> dict[int, Any]:
    """Return the modules of linear attention by the layers that they are in."""
    return {i: decoder.layers[i].linear_attn for i, kind in enumerate(layer_kinds(decoder.config)) if kind == LINEAR}


def refuse_variants(softcap: float | None = None, s_aux: Tensor | None = None, **_: Any) -> None:
    """Raise `EnvironmentProblem` for attention that we do not compute: it would give wrong results."""
    if softcap is not None:
        refuse("soft-capped attention scores")
    if s_aux is not None:
        refuse("attention sinks")


def refuse_config(config: Any) -> None:
    """Raise `EnvironmentProblem` where a decoder's configuration asks for attention that we do not compute. A sliding
    window no shorter than the positions that the model knows never slides, and is accepted."""
    kinds = set(layer_kinds(config))
    window = getattr(config, "sliding_window", None) or 0
    if SLIDING in kinds and window < config.max_position_embeddings:
        refuse(f"a sliding window of {window} positions, fewer than the model's {config.max_position_embeddings}")
    known = {REFERENCE} if REFERENCE in kinds else {"full_attention", SLIDING}
    known |= {LINEAR} if getattr(config, "model_type", "") in GATED_DELTA else set()
    if strange := sorted(kinds - known):
        refuse(f"layers of kind {', '.join(strange)}")
    refuse_variants(getattr(config, "attn_logit_softcapping", None))


def refuse(what: str) -> NoReturn:
    """Raise `EnvironmentProblem`."""
    raise EnvironmentProblem(f"the model's text decoder has {what}, which docparse cannot run: choose another model")
