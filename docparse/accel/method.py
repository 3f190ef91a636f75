"""What a method is: a frozen dataclass of its hyper-parameters that acts on a seam of the engine."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol

from docparse.accel.drafts import Speculation
from docparse.engine.hooks import Compressor, Selector
from docparse.errors import UsageError

if TYPE_CHECKING:
    from docparse.accel.pruning import Kept, Picture, Visual
    from docparse.engine.prompt import Prompt
    from docparse.engine.tree import Tree


Regions = Literal["auto", "always", "never", "only"]
Rule = Literal["log-ratio", "ratio"]


def between(least: float, most: float, usual: Any) -> Any:
    """Return a hyper-parameter that is `usual` unless something else is said, from `least` to `most`; None stays."""
    return field(default=usual, metadata={"range": (least, most)})


class Method(ABC):
    """Any method. `name` is what `--accel` calls it, `seam` the one it acts on."""

    name: ClassVar[str]
    seam: ClassVar[str]

    def __post_init__(self) -> None:
        """Raise `UsageError` for a hyper-parameter outside its least and greatest value."""
        for each in fields(self):  # type: ignore[arg-type]  # methods are dataclasses
            value, (least, most) = getattr(self, each.name), each.metadata.get("range", (None, None))
            if least is not None and value is not None and not least <= value <= most:
                said = f"{each.name}={value:g}"
                raise UsageError(f"--accel {self.name}: {said}: use a value from {least:g} to {most:g}")

    def check_layers(self, layers: int) -> None:  # noqa: B027 - most name none
        """Raise `UsageError` where a hyper-parameter names a layer that a model of so many `layers` has not."""


class Pruning(Method):
    """A method on the `prune` seam. It decides before the prefill which visual tokens the decoder reads, and keeps
    nothing from one view to the next."""

    seam: ClassVar[str] = "prune"

    @abstractmethod
    def prune(self, visual: Visual, picture: Picture) -> Kept:
        """Return the tokens that stay, at least one of the view."""


class Compressing(Method):
    """A method on the `compress` seam. `uniform`: all heads of a layer keep the same rows, and keep them to the end."""

    seam: ClassVar[str] = "compress"
    uniform: ClassVar[bool] = False

    @abstractmethod
    def compressor(self, prompt: Prompt) -> Compressor:
        """Return what decides for one output."""


class Selecting(Method):
    """A method on the `select` seam."""

    seam: ClassVar[str] = "select"

    @abstractmethod
    def selector(self, prompt: Prompt, layers: int) -> Selector:
        """Return what decides for one output of a model with so many layers."""


@dataclass(frozen=True)
class Acceptance:
    """When a proposed token is accepted (HSD, equation 10): at a node with argmax `u` its most probable child `c`, iff
    `c == u` or, where `tau < 1`, `-log p(u) >= tau * -log p(c)` (`log-ratio`) or `p(c) >= tau * p(u)` (`ratio`)."""

    tau: float = 1.0
    rule: Rule = "log-ratio"


class Proposer(Protocol):
    """Proposes what one row of the batch may say next. It is made for one output and keeps that output's state."""

    acceptance: Acceptance

    def propose(self, tokens: Sequence[int]) -> Tree:
        """Return a tree whose root is the last of the output's `tokens`; `Tree.bare` proposes nothing."""


class Drafting(Method):
    """A method on the `propose` seam; what it does not say of itself is as most have it.

    `reads_drafts`: it proposes what stands in the page's drafts, as much as the cost of a pass lets pay; for a method
    that does not, nobody need make drafts."""

    seam: ClassVar[str] = "propose"
    reads_drafts: ClassVar[bool] = False

    @property
    def lossless(self) -> bool:
        """Return whether the tokens are those of plain greedy decoding, whatever is proposed."""
        return True

    @property
    def region_stage(self) -> Regions:
        """Return when the regions of a page are read before it."""
        return "never"

    @property
    def smaller_model(self) -> str | None:
        """Return the name of the model that proposes, "" where one is needed and not named; None: it needs none."""
        return None

    @abstractmethod
    def proposer(self, speculation: Speculation) -> Proposer:
        """Return what proposes for one output."""
