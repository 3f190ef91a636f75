"""Visual tokens removed before prefill: a method decides view by view, and the prompt follows."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from docparse.accel.eviction import after_vision
from docparse.types import PrunedView

if TYPE_CHECKING:
    import numpy as np
    from torch import Tensor

    from docparse.accel.method import Pruning
    from docparse.engine.prompt import Prompt


@dataclass(frozen=True)
class Visual:
    """The N tokens of one view of a picture that may be removed, in reading order; structural ones are left out.

    `embeds [N, D]` are the projector's output, as the decoder would read it, `boxes [N, 4]` what each token sees, as
    fractions x0, y0, x1, y1 of the picture's width and height, from 0 to 1, and `words [T, D]` the embeddings of the
    instruction behind the picture.
    """

    embeds: Tensor
    boxes: Tensor
    words: Tensor | None = None


@dataclass(frozen=True)
class Picture:
    """The picture of one view: `pixels` (uint8 RGB [height, width, 3]) as the processor was given them. The encoder
    sees them resized to `width` x `height`, each channel divided by `std` times 255."""

    pixels: np.ndarray
    width: int
    height: int
    std: tuple[float, ...]


@dataclass(frozen=True)
class Kept:
    """The part of a view that stays: the tokens `rows [K]` (ascending) with the embeddings `embeds [K, D]`, at the
    positions that they had. `figures` say how that was decided, for reports."""

    rows: Tensor
    embeds: Tensor
    figures: Mapping[str, float] = field(default_factory=dict)


def pruned(
    prompt: Prompt, method: Pruning, views: Sequence[tuple[int, Picture]]
) -> tuple[Prompt, tuple[PrunedView, ...]]:
    """Return the prompt with the visual tokens that `method` keeps, and how many of each view those are.

    `views` are the visual tokens (their number, structural ones included) and the picture of each view, in the order of
    the tokens. Text, structural tokens and the positions of what stays are left as they are; features that are added
    inside the decoder (deepstack) follow their tokens. Raises `ValueError` where views and visual tokens do not agree.
    """
    if sum(count for count, _ in views) != prompt.visual_tokens:
        raise ValueError(f"views of {[count for count, _ in views]} tokens, a prompt with {prompt.visual_tokens}")
    places = prompt.visual.nonzero()[:, 0]  # [V] of the visual tokens in the prompt
    stays, embeds = prompt.structural.clone(), prompt.embeds.clone()
    words = prompt.embeds[len(prompt) - after_vision(prompt) :]
    record = []
    begin = 0
    for count, picture in views:
        tokens = begin + (~prompt.structural[begin : begin + count]).nonzero()[:, 0]
        begin += count
        if not len(tokens):
            continue
        at = places[tokens]
        visual = Visual(prompt.embeds[at], prompt.boxes[tokens], words)
        kept = checked(method.prune(visual, picture), visual)
        stays[tokens[kept.rows]] = True
        embeds[at[kept.rows]] = kept.embeds
        record.append(PrunedView(total=len(tokens), kept=len(kept.rows), figures=dict(kept.figures)))
    rows = ~prompt.visual
    rows[places[stays]] = True
    left = replace(
        prompt,
        ids=prompt.ids[rows],
        embeds=embeds[rows],
        positions=prompt.positions[:, rows],
        visual=prompt.visual[rows],
        structural=prompt.structural[stays],
        boxes=prompt.boxes[stays],
        deepstack=tuple(features[stays] for features in prompt.deepstack),
    )
    return left, tuple(record)


def checked(kept: Kept, visual: Visual) -> Kept:
    """Return `kept`. Raises `TypeError` or `ValueError`, one line, where it is not what `Kept` promises of `visual`."""
    if not isinstance(kept, Kept):
        raise TypeError(f"prune returned {type(kept).__name__}, not Kept(rows, embeds)")
    rows, (count, width) = kept.rows, visual.embeds.shape
    if rows.ndim != 1 or rows.dtype.is_floating_point or rows.dtype.itemsize < 4:
        raise ValueError(f"prune kept rows of {rows.dtype} {list(rows.shape)}: give indices, int64 [K]")
    if not 0 < len(rows) <= count or rows[0] < 0 or rows[-1] >= count or not (rows.diff() > 0).all():
        raise ValueError(f"prune kept rows that are not at least one of 0..{count - 1}, ascending, each once")
    if kept.embeds.shape != (len(rows), width):
        raise ValueError(
            f"prune kept embeds {list(kept.embeds.shape)} for {len(rows)} rows: give [{len(rows)}, {width}]"
        )
    return kept


def exact(embeds: Tensor) -> Tensor:
    """Return the same numbers in the precision in which tokens are compared: float32 at least."""
    return embeds.float() if embeds.itemsize < 4 else embeds


def others(rows: Tensor, count: int) -> Tensor:
    """Return which of `count` tokens are not among `rows`, in order."""
    rest = rows.new_ones(count)
    rest[rows] = 0
    return rest.nonzero()[:, 0]


def cosines(one: Tensor, other: Tensor) -> Tensor:
    """Cosine similarities `[K, M]` of the rows of `one [K, D]` and `other [M, D]`; 0 for a row of zeros."""
    return unit(one) @ unit(other).T


def unit(embeds: Tensor) -> Tensor:
    """Return rows of length one; a row of zeros stays."""
    return embeds / embeds.norm(dim=-1, keepdim=True).clamp(min=sys.float_info.epsilon)
