"""What one page or region feeds the decoder at prefill, and where the cache holds it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch import Tensor

if TYPE_CHECKING:
    from docparse.engine.hooks import RowMemory


@dataclass(frozen=True)
class Prompt:
    """One prompt of P tokens, V of them visual, on the model's device.

    - `ids [P]` token ids, with the model's placeholder where a visual token stands;
    - `embeds [P, D]` what the decoder reads: visual tokens already hold the projector's output;
    - `positions [A, P]` position ids on each of the model's A axes;
    - `next_position [A]` the position of the first generated token; each later one is one further on every axis;
    - `visual [P]` True at visual tokens, structural ones included;
    - `structural [V]` True at visual tokens that no method may remove (row breaks, view separators);
    - `boxes [V, 4]` what each visual token sees, as fractions x0, y0, x1, y1 of the picture's width and height; NaN at
      structural tokens; a token of a whole-page view and one of a tile may see the same place;
    - `deepstack` vision features `[V, D]`, one for each of the first decoder layers that adds them (Qwen3-VL).
    """

    ids: Tensor
    embeds: Tensor
    positions: Tensor
    next_position: Tensor
    visual: Tensor
    structural: Tensor
    boxes: Tensor
    deepstack: tuple[Tensor, ...] = ()

    def __len__(self) -> int:
        return int(self.ids.shape[0])

    @property
    def visual_tokens(self) -> int:
        return int(self.structural.shape[0])


@dataclass(frozen=True, eq=False)
class PromptRows:
    """The places where one layer's cache holds a prompt: `visual [V]` the row of each visual token, -1 where it was
    evicted; `text [T]` the rows of all other tokens; `since [1]` how many there are. All in memory that stays."""

    visual: Tensor
    text: Tensor
    since: Tensor

    @classmethod
    def of(cls, prompt: Prompt, memory: RowMemory, kept: Tensor | None = None) -> PromptRows:
        """After all but the rows `kept [K]` were evicted; None: nothing was."""
        kept = torch.arange(len(prompt), device=prompt.visual.device) if kept is None else kept
        row = torch.full((len(prompt),), -1, device=kept.device)
        row[kept] = torch.arange(len(kept), device=kept.device)
        text = (~prompt.visual[kept]).nonzero()[:, 0]
        since = torch.tensor([len(kept)], device=kept.device)
        return cls(*map(memory.hold, (row[prompt.visual], text, since)))
