"""Our attention, lent to a decoder for one pass: causal at prefill, masked by the tree at decode."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NoReturn, cast

import torch
from torch import Tensor, nn
from torch.nn.functional import scaled_dot_product_attention
from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS

from docparse.engine.reading import Reading
from docparse.engine.seams import Compressor
from docparse.errors import EnvironmentProblem

NAME = "docparse"
_lock = threading.Lock()
_users: Counter[int] = Counter()  # passes under way, of each decoder's configuration (by id) and of all (0)
_previous: dict[int, str | None] = {}


@dataclass(frozen=True)
class Pass:
    """What the attention of one pass needs to know.

    `biases[l]` is layer l's additive mask `[B, 1, G * N, S]`, rows in the order of the folded queries; None where every
    query reads all the keys; `reading` says what the rows' methods choose of them. Without `biases` the pass is a
    prefill of one prompt: causal, shown to `compressor`, and `seen` collects the layers that asked.
    """

    biases: Sequence[Tensor | None] | None = None
    reading: Reading | None = None
    compressor: Compressor | None = None
    seen: set[int] = field(default_factory=set)

    def check(self, layers: int) -> None:
        """Raise `EnvironmentProblem` after a prefill in which a layer attended by means of its own."""
        if len(self.seen) < layers:
            _refuse("attention of its own, outside transformers' AttentionInterface")


def attend(
    module: nn.Module,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor | None,
    scaling: float | None = None,
    docparse_pass: Pass | None = None,
    **kwargs: Any,
) -> tuple[Tensor, None]:
    """Attention of queries `[B, KV * G, N, D]` over keys and values `[B, KV, S, D]`; `[B, N, KV * G, D]`.

    Grouped query heads are folded into the query axis instead of repeating keys and values for each of them.
    """
    if docparse_pass is None:
        _refuse("layers that keep arguments from their attention")
    refuse_variants(key.shape[2], **kwargs)
    rows, heads, count, width = query.shape
    layer = cast(int, module.layer_idx)
    scale = width**-0.5 if scaling is None else scaling
    if docparse_pass.biases is None:
        docparse_pass.seen.add(layer)
        out = _prompt(docparse_pass.compressor, layer, query, key, value, scale)
    else:
        bias = docparse_pass.biases[layer]
        folded = query.reshape(rows, key.shape[1], -1, width)
        if docparse_pass.reading is None:
            out = scaled_dot_product_attention(folded, key, value, attn_mask=bias, scale=scale)
        else:
            out = docparse_pass.reading.attend(layer, folded, key, value, bias, scale)
        out = out.reshape(rows, heads, count, -1)
    return out.transpose(1, 2), None


def _prompt(
    compressor: Compressor | None, layer: int, query: Tensor, key: Tensor, value: Tensor, scale: float
) -> Tensor:
    """A prompt's attention to itself, as far as it enters this layer; zeros where it does not: nobody reads them."""
    entering = None
    if compressor is not None:
        compressor.watch(layer, query[0], key[0], scale)
        entering = compressor.enters(layer)
    if entering is None:
        return _causal(query, key, value, scale)
    out = query.new_zeros(*query.shape[:3], value.shape[3])
    out[:, :, entering] = _causal(query[:, :, entering], key[:, :, entering], value[:, :, entering], scale)
    return out


def _causal(query: Tensor, key: Tensor, value: Tensor, scale: float) -> Tensor:
    """A prompt's attention to itself. Fused kernels take grouped heads in half precision, and on a CPU in any; for the
    others the heads are repeated, because all the scores of a page at once would be larger by far."""
    groups = query.shape[1] // key.shape[1]
    if groups > 1 and not key.is_cpu and key.dtype not in (torch.float16, torch.bfloat16):
        key, value = key.repeat_interleave(groups, 1), value.repeat_interleave(groups, 1)
        groups = 1
    return scaled_dot_product_attention(query, key, value, is_causal=True, scale=scale, enable_gqa=groups > 1)


@contextmanager
def attending(decoder: nn.Module) -> Iterator[None]:
    """The decoder's attention is ours inside; afterwards, whatever happened, its own, and nothing stays registered.

    Passes may be nested and may overlap, of one decoder or of several, also in threads.
    """
    config = cast(Any, decoder).config
    _enter(config)
    try:
        yield
    finally:
        _leave(config)


def _enter(config: Any) -> None:
    with _lock:
        if not _users[0]:
            ALL_ATTENTION_FUNCTIONS[NAME] = attend
        if not _users[id(config)]:
            _previous[id(config)] = config._attn_implementation
            config._attn_implementation = NAME
        _users.update((0, id(config)))


def _leave(config: Any) -> None:
    with _lock:
        _users.subtract((0, id(config)))
        if not _users[id(config)]:
            config._attn_implementation = _previous.pop(id(config))
            del _users[id(config)]
        if not _users[0]:
            del ALL_ATTENTION_FUNCTIONS[NAME]


def refuse_variants(
    positions: int,
    sliding_window: int | None = None,
    softcap: float | None = None,
    s_aux: Tensor | None = None,
    **_: Any,
) -> None:
    """Raise `EnvironmentProblem` for attention that this function does not compute: it would give wrong results.

    A sliding window no shorter than the positions at hand changes nothing and is accepted.
    """
    if sliding_window is not None and sliding_window < positions:
        _refuse(f"a sliding window of {sliding_window} positions, shorter than the {positions} of this page")
    if softcap is not None:
        _refuse("soft-capped attention scores")
    if s_aux is not None:
        _refuse("attention sinks")


def refuse_config(config: Any, positions: int) -> None:
    """The same from a decoder's configuration, before anything runs over up to `positions` positions (0: unknown)."""
    kinds = set(getattr(config, "layer_types", None) or ("full_attention",))
    window = getattr(config, "sliding_window", None) or 0
    if any("sliding" in kind for kind in kinds) and not 0 < positions <= window:
        _refuse(f"a sliding window of {window} positions, fewer than a page may need")
    if strange := sorted(kind for kind in kinds if kind != "full_attention" and "sliding" not in kind):
        _refuse(f"layers of kind {', '.join(strange)}")
    refuse_variants(0, softcap=getattr(config, "attn_logit_softcapping", None))


def _refuse(what: str) -> NoReturn:
    raise EnvironmentProblem(f"the model's text decoder has {what}, which docparse cannot run: choose another model")
