"""What a bench is asked to measure, checked before anything heavy is loaded."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from docparse.accel.stack import Stack, parse_stack
from docparse.bench.rows import AR
from docparse.errors import EnvironmentProblem, UsageError
from docparse.models import memory
from docparse.models.names import known_family, locate
from docparse.settings import nearest

Drafts = Literal["", "pipeline", "oracle", "none"]
DRAFTS = ("pipeline", "oracle", "none")


@dataclass(frozen=True, kw_only=True)
class Request:
    """What to measure. `data` "" is the page that ships with docparse; `drafts` "" the pipeline's, or with random
    weights the baseline's own output; `max_tokens` 0 the usual limit; `pages` 0 all of them."""

    model: str
    method: str = "hsd"
    data: str = ""
    drafts: Drafts = ""
    draft_noise: float = 0.0
    random_weights: bool = False
    pages: int = 0
    runs: int = 1
    max_tokens: int = 0
    device: str = "auto"
    dtype: str = "auto"
    seed: int = 0

    def __post_init__(self) -> None:
        if self.drafts and self.drafts not in DRAFTS:
            raise UsageError(f"--drafts {self.drafts}: use one of {', '.join(DRAFTS)}{nearest(self.drafts, DRAFTS)}")
        if not 0 <= self.draft_noise <= 1:
            raise UsageError(f"--draft-noise {self.draft_noise:g}: use a share from 0 to 1")
        if self.data and not Path(self.data).exists():
            raise UsageError(f"--data {self.data}: no such file or folder")
        self.stacks()

    def stacks(self) -> dict[str, Stack]:
        """What is compared, by the name that reports use, plain decoding first."""
        return methods_of(self.method)

    def check_model(self) -> None:
        """Raise what loading would raise for a name, a device or weights that are not there, before anything heavy."""
        if self.device != "auto":
            memory.named(self.device)
        if self.random_weights:
            known_family(self.model)
            return
        try:
            locate(self.model, offline=False)
        except EnvironmentProblem as problem:
            if "models pull" not in str(problem):
                raise
            raise EnvironmentProblem(f"{problem}, or measure its speed alone with --random-weights") from None


def methods_of(text: str) -> dict[str, Stack]:
    """Stacks by name, plain decoding first: `hsd,hsd(tau=0.75,n=4),lookup`. A comma before `parameter=` belongs to the
    method before it. Raises `UsageError`."""
    parts: list[str] = []
    for part in re.split(r",(?![^()]*\))", text):
        if parts and re.fullmatch(r"\s*[\w-]+\s*=.*", part):
            parts[-1] += f",{part}"
        else:
            parts.append(part)
    stacks = {AR: Stack()}
    for part in filter(str.strip, parts):
        if part.strip() not in (AR, "none"):
            stacks[part.strip()] = parse_stack(part.strip(), "--method")
    if len(stacks) == 1:
        raise UsageError(f"--method {text!r}: name a method to compare with plain decoding, such as hsd")
    return stacks
