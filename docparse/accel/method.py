"""What a method is: a frozen dataclass of its hyper-parameters that acts on a seam of the engine."""

from __future__ import annotations

from typing import ClassVar, Protocol

from docparse.accel.drafts import Speculation
from docparse.engine.seams import Proposer, Pruner
from docparse.errors import UsageError


class Method(Protocol):
    """Any method. `name` is what `--accel` calls it, `seam` the one it acts on."""

    name: ClassVar[str]
    seam: ClassVar[str]


class Pruning(Method, Pruner, Protocol):
    """A method on the `prune` seam."""


class Drafting(Method, Protocol):
    """A method on the `propose` seam."""

    def proposer(self, speculation: Speculation) -> Proposer:
        """What proposes for one output."""


def check_ranges(method: Method, **ranges: tuple[float, float]) -> None:
    """Raise `UsageError` for a hyper-parameter outside its least and greatest value."""
    for name, (least, most) in ranges.items():
        if not least <= getattr(method, name) <= most:
            value = f"{name}={getattr(method, name):g}"
            raise UsageError(f"--accel {method.name}: {value}: use a value from {least:g} to {most:g}")
