"""What decoding one output gave, and the record of its steps."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

Ending = Literal["stop", "length", "loop", "interrupted", "memory"]
STAGES = ("prefill", "propose", "forward", "accept", "commit")


class Step(NamedTuple):
    """One verification pass: nodes fed (root included), candidates by source, how many were accepted, seconds by stage.
    `read` are the rows of the cache that each layer read, the nodes aside, where a method evicts or selects rows;
    `rows` how many outputs shared the pass."""

    fed: int
    proposed: dict[str, int]
    accepted: int
    seconds: tuple[float, ...]  # propose, forward, accept, commit
    read: tuple[int, ...] = ()
    rows: int = 1


@dataclass
class Generation:
    """One output. `tokens` includes the end token where the model wrote one.

    `sources[i]` says who proposed token i, "" where the model added it itself. The first token comes from the prefill,
    every step adds `accepted + 1` more, less what was cut: `len(tokens) == accepted + free`. Of the prompt's visual
    tokens `kept_visual_tokens` were in the cache after the prefill, mean over layers and heads.

    Bytes of its keys and values: `prefill_bytes` of the whole prompt, before anything is evicted; `prompt_bytes` of
    what is left of it when decoding begins; `cache_bytes` the most that its rows held while it was decoded. What is
    reserved beside them and holds nothing yet, `spare_bytes`, is its equal share of the batch's, the most.
    """

    tokens: list[int] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)
    ending: Ending = "length"
    prompt_tokens: int = 0
    visual_tokens: int = 0
    kept_visual_tokens: float = 0.0
    prefill_seconds: float = 0.0
    prefill_bytes: int = 0
    prompt_bytes: int = 0
    cache_bytes: int = 0
    spare_bytes: int = 0
    steps: list[Step] = field(default_factory=list)

    @property
    def accepted(self) -> int:
        """Return the draft tokens that are part of the output."""
        return sum(source != "" for source in self.sources)

    @property
    def aal(self) -> float:
        """Average acceptance length: accepted draft tokens per verification step, over all steps."""
        return self.accepted / len(self.steps) if self.steps else 0.0

    def accepted_by_source(self) -> dict[str, int]:
        return dict(Counter(source for source in self.sources if source))

    def seconds(self) -> dict[str, float]:
        """Return seconds by stage; of what a batch shared each of its rows has an equal part."""
        sums = [sum(step.seconds[i] / step.rows for step in self.steps) for i in range(4)]
        return dict(zip(STAGES, [self.prefill_seconds, *sums], strict=True))
