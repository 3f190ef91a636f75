"""Prompt-lookup decoding, a baseline: what followed the last tokens where they stood before, in prompt and output.

After Saxena, "Prompt Lookup Decoding" (2023), https://github.com/apoorvumang/prompt-lookup-decoding: the longest window
that occurred before, its first occurrence, a fixed number of tokens.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from docparse.accel.drafts import OUTPUT, PROMPT, Speculation
from docparse.accel.index import NgramIndex
from docparse.accel.method import Acceptance, Drafting, Proposer, between
from docparse.engine.tree import Candidate, Tree


@dataclass(frozen=True)
class Lookup(Drafting):
    """Windows of at most `n` tokens; `tokens` of what followed are proposed (3 and 10 in the published code)."""

    name: ClassVar[str] = "lookup"

    n: int = between(1, 16, 3)
    tokens: int = between(1, 256, 10)

    def proposer(self, speculation: Speculation) -> Proposer:
        return LookupProposer(self, speculation.prompt)


class LookupProposer:
    acceptance = Acceptance()

    def __init__(self, method: Lookup, prompt: Sequence[int]) -> None:
        self._method = method
        self._index = NgramIndex(method.n, prompt)
        self._prompt = len(prompt)

    def propose(self, tokens: Sequence[int]) -> Tree:
        index = self._index
        index.extend(tokens[len(index.tokens) - self._prompt :])
        end = len(index.tokens)
        for length in range(min(index.n, end), 0, -1):
            place = index.after(index.tokens[-length:])[0]
            if place < end:
                follow = index.tokens[place : place + self._method.tokens]
                candidate = Candidate(follow, OUTPUT if place >= self._prompt else PROMPT)
                return Tree.grow(tokens[-1], [candidate], self._method.tokens)
        return Tree.bare(tokens[-1])
