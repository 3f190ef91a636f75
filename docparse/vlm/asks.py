"""A picture with what the model is asked about it, and its answer as blocks of the page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import msgspec
import numpy as np

from docparse.accel.drafts import DraftTokens
from docparse.engine.generation import Ending, Generation
from docparse.models.family import Dialect, Frame, Reading
from docparse.types import Block, Box, PrunedView
from docparse.vlm.drafts import Text


@dataclass(frozen=True)
class Ask:
    """A picture (uint8 RGB [height, width, 3]) of the part `box` of a page, what the model is told to do with it, and
    the dialect it answers in. `drafts` are made when the size of the picture as the model sees it is known. More than
    `most` tokens are no answer, where that is known."""

    pixels: np.ndarray
    box: Box
    instruction: str
    dialect: Dialect
    drafts: Callable[[Frame], Sequence[DraftTokens]]
    most: int | None = None


@dataclass(frozen=True)
class Answer:
    """What the model wrote: tokens, their text, and its blocks in the `frame` of the picture. `resized` says where the
    picture had to be made smaller, from what to what; `pruned` how many of its visual tokens the model read; `chosen`
    what was decided about it where nobody said how to accelerate it; `overran` that it wrote more than the picture has
    room for."""

    frame: Frame
    generation: Generation
    text: Text
    reading: Reading
    resized: str
    pruned: tuple[PrunedView, ...] = ()
    chosen: str = ""
    overran: bool = False

    @classmethod
    def unread(cls, ask: Ask, why: Ending = "interrupted") -> Answer:
        """Of what there was no time or no memory for."""
        nothing = Reading((), (), boxed=False)
        return cls(Frame(ask.box, 1, 1), Generation(ending=why), Text("", ()), nothing, "")

    @property
    def blocks(self) -> list[Block]:
        """Each with its number of tokens, and of those that were drafts; markup between blocks counts for the first."""
        shares = self.text.shares([start for start, _ in self.reading.extents])
        tokens = [0] * len(self.reading.blocks)
        drafted = list(tokens)
        for share, source in zip(shares, self.generation.sources, strict=True) if tokens else ():
            tokens[share] += 1
            drafted[share] += source != ""
        return [
            msgspec.structs.replace(block, source="vlm", tokens=tokens[i], draft_tokens=drafted[i])
            for i, block in enumerate(self.reading.blocks)
        ]

    def as_draft(self, source: str) -> DraftTokens:
        """The output itself, without its end, as a draft of another one."""
        kept = sum(end < len(self.text.characters) for end in self.text.ends) + 1
        shares = self.text.shares([start for start, _ in self.reading.extents])[:kept]
        starts = [i for i, share in enumerate(shares) if i == 0 or share != shares[i - 1]]
        return DraftTokens(tuple(self.generation.tokens[:kept]), source, tuple(starts))
