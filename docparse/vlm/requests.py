"""A picture with what a model is asked about it, and its answer as blocks of the page."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Protocol, TypeVar

import msgspec
import numpy as np

from docparse.accel.drafts import DraftTokens
from docparse.logits import Sampling
from docparse.models.family import Dialect, Frame, ParsedOutput
from docparse.types import Block, Box, PrunedView
from docparse.vlm.drafts import Text
from docparse.vlm.generation import Ending, Generation

if TYPE_CHECKING:
    from docparse.accel.method import Drafting
    from docparse.layout.reader import Stopwatch
    from docparse.models.family import Family


def never() -> bool:
    """There is all the time in the world."""
    return False


@dataclass(frozen=True, eq=False)
class VlmRequest:
    """A picture (uint8 RGB [height, width, 3]) of the part `box` of a page, what the model is told to do with it, and
    the dialect it answers in. `drafts` are made when the size of the picture as the model sees it is known. An answer
    has at most `max_tokens` tokens, and more than `room` are no answer, where that is known; it is cut when `stop`
    says so. Seconds go to `clock`, and `progress` hears how many tokens there are, and whether those are all. Without
    `sampling` every token is the most probable one."""

    pixels: np.ndarray
    box: Box
    instruction: str
    dialect: Dialect
    drafts: Callable[[Frame], Sequence[DraftTokens]]
    max_tokens: int
    clock: Stopwatch
    room: int | None = None
    stop: Callable[[], bool] = never
    progress: Callable[[int, bool], None] = lambda tokens, over: None
    sampling: Sampling | None = None


@dataclass(frozen=True)
class VlmAnswer:
    """The model's answer: tokens, their text, and its blocks in the `frame` of the picture. `resized` says where the
    picture had to be made smaller, from what to what; `pruned` how many of its visual tokens the model read; `chosen`
    what was decided about it where nobody said how to accelerate it; `overran` that it wrote more than the picture has
    room for."""

    frame: Frame
    generation: Generation
    text: Text
    reading: ParsedOutput
    resized: str = ""
    pruned: tuple[PrunedView, ...] = ()
    chosen: str = ""
    overran: bool = False

    @classmethod
    def unread(cls, request: VlmRequest, why: Ending = "interrupted") -> VlmAnswer:
        """Return the answer to what there was no time or no memory for."""
        nothing = ParsedOutput((), (), boxed=False)
        return cls(Frame(request.box, 1, 1), Generation(ending=why), Text("", ()), nothing)

    @cached_property
    def blocks(self) -> list[Block]:
        """Return the blocks, each with its tokens and those drafted of them; markup between counts for the first."""
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
        """Return the output itself, without its end, as a draft of another one."""
        kept = sum(end < len(self.text.characters) for end in self.text.ends) + 1
        shares = self.text.shares([start for start, _ in self.reading.extents])[:kept]
        starts = [i for i, share in enumerate(shares) if i == 0 or share != shares[i - 1]]
        return DraftTokens(tuple(self.generation.tokens[:kept]), source, tuple(starts))


Result = TypeVar("Result")
Dialogue = Generator[
    Sequence[VlmRequest], Sequence[VlmAnswer], Result
]  # asks, is sent the answers, and ends in a result


class Model(Protocol):
    """The model that answers requests, as far as those who ask must know it: a family's conventions, and the method
    that reads drafts, if any. `tokenizer` is there where drafts are read."""

    @property
    def family(self) -> Family: ...
    @property
    def tokenizer(self) -> object: ...
    @property
    def method(self) -> Drafting | None: ...


class RequestQueue(Protocol):
    """Requests on their way, many at once, in any order."""

    def submit(self, requests: Sequence[VlmRequest]) -> None:
        """Take these in; they are answered as there is room, the oldest first."""

    def advance(self) -> list[tuple[VlmRequest, VlmAnswer | Exception]]:
        """Go on a little; return what has been answered, or has failed. Raises `DeviceLost` where nothing more can."""

    def restarted(self) -> RequestQueue:
        """Return the same with nothing on its way."""
