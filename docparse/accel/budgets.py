"""A budget given as another method's: both read as many rows in a decode step, so their attention costs the same.

A step's attention, `L * (8 D^2 + 4 s D)` (`docparse.bench.measures`), differs only in `s`, the rows that a layer reads,
mean over the layers: a share of the prompt's prunable visual tokens and one of all others, linear in the budget. What
is written while decoding is not counted: h2o and streamingllm thin it out as well.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, cast

from docparse.accel.method import Compressing, Method, Pruning, Selecting
from docparse.errors import UsageError

if TYPE_CHECKING:
    from docparse.accel.pruning import Kept, Picture, Visual
    from docparse.engine.hooks import Compressor, Selector
    from docparse.engine.prompt import Prompt

BUDGETS = ("budget", "keep", "ratio")  # the parameters that are one, at most one in a method


def budget_of(method: Method | type[Method]) -> str | None:
    """Return the name of the method's budget, if it has one."""
    names = [field.name for field in fields(cast(Any, method))]
    return next((name for name in BUDGETS if name in names), None)


def shares_read(method: Method, layers: int) -> tuple[float, float]:
    """Return what a layer reads at a step of the prunable visual tokens, and of all others, mean over the layers.

    A method of which that is more than its budget says so itself, `reads(layers)`. Raises `UsageError` where it depends
    on the page.
    """
    if reads := getattr(method, "reads", None):
        return cast("tuple[float, float]", reads(layers))
    name = budget_of(method)
    if name is None:
        raise UsageError(f"--accel match:{method.name}: it has no budget to match")
    share = getattr(method, name)
    return share, 1.0 if method.seam == "prune" or getattr(method, "visual", False) else share


@dataclass(frozen=True)
class Matched:
    """`method` with the budget at which it reads as many rows of a prompt as `like`. `layers` are the model's. Raises
    `UsageError` where there is nothing to match."""

    method: Method
    like: Method
    layers: int = 1

    def __post_init__(self) -> None:
        _, others = shares_read(self.like, self.layers)
        if self.method.seam == "prune" and others < 1:
            raise UsageError(
                f"--accel {self.name}: {self.like.name} removes text as well, and pruning cannot: match a method that "
                "removes only visual tokens"
            )

    @property
    def name(self) -> str:
        return self.method.name

    @property
    def seam(self) -> str:
        return self.method.seam

    @property
    def uniform(self) -> bool:
        return cast(Compressing, self.method).uniform

    def resolved(self, visual: int, others: int) -> Method:
        """Return the method for a prompt with so many prunable visual tokens and so many others; the budget nearest to
        the one looked for where that is out of its range."""
        name = cast(str, budget_of(self.method))

        def rows(method: Method) -> float:
            seen, read = shares_read(method, self.layers)
            return seen * visual + read * others

        low, high = self._at(name, 0.1), self._at(name, 0.9)
        slope = (rows(high) - rows(low)) / 0.8
        budget = 0.1 + (rows(self.like) - rows(low)) / slope if slope else 1.0
        least, most = (0.0, 0.99) if name == "ratio" else (0.01, 1.0)
        return self._at(name, min(max(budget, least), most))

    def _at(self, name: str, budget: float) -> Method:
        return replace(cast(Any, self.method), **{name: budget})

    def _for(self, prompt: Prompt) -> Any:
        visual = int((~prompt.structural).sum())
        return self.resolved(visual, len(prompt) - visual)

    def compressor(self, prompt: Prompt) -> Compressor:
        return cast(Compressing, self._for(prompt)).compressor(prompt)

    def selector(self, prompt: Prompt, layers: int) -> Selector:
        return cast(Selecting, self._for(prompt)).selector(prompt, layers)

    def prune(self, visual: Visual, picture: Picture) -> Kept:
        """Prune one view alone: whatever is matched must leave other tokens as they are."""
        return cast(Pruning, self.resolved(len(visual.embeds), 0)).prune(visual, picture)
