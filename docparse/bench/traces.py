"""What the pictures of a bench report show of one page: attention, kept visual tokens, fixation and acceptance."""

from __future__ import annotations

import msgspec

Corners = tuple[float, float, float, float]  # x0, y0, x1, y1 as fractions of the picture's width and height


class Fixation(msgspec.Struct, frozen=True, kw_only=True):
    """What the layers that do not read the whole picture read of it at one step, and what had been written by then.

    `read` are numbers of the page's visual tokens, `attention` what a layer that reads all of them spent on each of
    these (mean over heads and over the nodes of the step); `text` are the last characters of the `tokens` written.
    """

    step: int
    tokens: int
    text: str
    read: tuple[int, ...]
    attention: tuple[float, ...]


class Accepted(msgspec.Struct, frozen=True, kw_only=True):
    """One step: how many tokens stood before it, how many were proposed, how many of those accepted, by source."""

    position: int
    proposed: int
    accepted: dict[str, int]

    @property
    def end(self) -> int:
        """Return how many tokens stand after it: what was accepted, and the model's own."""
        return self.position + sum(self.accepted.values()) + 1


class MethodTrace(msgspec.Struct, frozen=True, kw_only=True):
    """One method on the page.

    `image_attention[l]` is the share of layer l's attention that goes to visual tokens, mean over the steps of
    decoding, empty where the method leaves the heads of a layer different rows. `focal` are the layers that read the
    whole picture while others do not. `kept[i]` is the share of layers and heads that hold visual token i when decoding
    begins, empty where nothing is removed. `text` is the Markdown that was written.
    """

    method: str
    text: str = ""
    image_attention: tuple[float, ...] = ()
    focal: tuple[int, ...] = ()
    kept: tuple[float, ...] = ()
    fixations: tuple[Fixation, ...] = ()
    acceptance: tuple[Accepted, ...] = ()


class Trace(msgspec.Struct, frozen=True, kw_only=True):
    """One page read once more by every method after the race, with somebody watching.

    `picture` is a data URI of the page, `width` x `height` pixels. `boxes` are what the visual tokens see, structural
    ones left out; empty for a model that reads a page by regions, which has no tokens of the page as a whole.
    """

    model: str
    page: str
    picture: str
    width: int
    height: int
    boxes: tuple[Corners, ...] = ()
    methods: tuple[MethodTrace, ...] = ()
