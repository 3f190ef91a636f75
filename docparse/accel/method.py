"""What a method is: a frozen dataclass of its hyper-parameters that acts on a seam of the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal, Protocol

from docparse.accel.drafts import Speculation
from docparse.engine.hooks import Compressor, Proposer, Selector
from docparse.errors import UsageError

if TYPE_CHECKING:
    from docparse.accel.pruning import Kept, Picture, Visual
    from docparse.engine.prompt import Prompt


Regions = Literal["auto", "always", "never", "only"]


class Method(Protocol):
    """Any method. `name` is what `--accel` calls it, `seam` the one it acts on."""

    name: ClassVar[str]
    seam: ClassVar[str]


class Pruning(Method, Protocol):
    """A method on the `prune` seam. It decides before the prefill which visual tokens the decoder reads, and keeps
    nothing from one view to the next."""

    def prune(self, visual: Visual, page: Picture) -> Kept:
        """Return the tokens that stay, at least one of the view."""


class Compressing(Method, Protocol):
    """A method on the `compress` seam. `uniform`: all heads of a layer keep the same rows, and keep them to the end."""

    uniform: ClassVar[bool]

    def compressor(self, prompt: Prompt) -> Compressor:
        """Return what decides for one output."""


class Selecting(Method, Protocol):
    """A method on the `select` seam."""

    def selector(self, prompt: Prompt, layers: int) -> Selector:
        """Return what decides for one output of a model with so many layers."""


class Drafting(Method, Protocol):
    """A method on the `propose` seam, to be inherited from: what it does not say of itself is as most have it.

    `reads_drafts`: it proposes what stands in the page's drafts, as much as the cost of a pass lets pay; for a method
    that does not, nobody need make drafts."""

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

    def proposer(self, speculation: Speculation) -> Proposer:
        """Return what proposes for one output."""


def check_ranges(method: Method, **ranges: tuple[float, float]) -> None:
    """Raise `UsageError` for a hyper-parameter outside its least and greatest value."""
    for name, (least, most) in ranges.items():
        if not least <= getattr(method, name) <= most:
            value = f"{name}={getattr(method, name):g}"
            raise UsageError(f"--accel {method.name}: {value}: use a value from {least:g} to {most:g}")
