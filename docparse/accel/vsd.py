"""Vanilla speculative decoding (VSD), a baseline: a smaller model of the same family writes the draft token by token.

After Leviathan et al., "Fast Inference from Transformers via Speculative Decoding" (2023), with greedy drafts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from docparse.accel.drafts import MODEL, DraftModel, Speculation
from docparse.accel.method import Acceptance, Drafting, Proposer, between
from docparse.engine.tree import Candidate, Tree
from docparse.errors import UsageError


@dataclass(frozen=True)
class Vsd(Drafting):
    """`model` names the smaller model (a family or a folder), which drafts `tokens` tokens a step."""

    name: ClassVar[str] = "vsd"

    model: str = ""
    tokens: int = between(1, 256, 5)

    @property
    def smaller_model(self) -> str:
        return self.model

    def proposer(self, speculation: Speculation) -> Proposer:
        if speculation.model is None:
            raise UsageError("vsd needs a smaller model of the same family to draft: name it as vsd:model=NAME")
        return VsdProposer(self.tokens, speculation.model)


class VsdProposer:
    """Keeps the smaller model's cache in step with the output; all its time, prefill included, is time to propose."""

    acceptance = Acceptance()

    def __init__(self, count: int, model: DraftModel) -> None:
        from docparse.engine.session import DecodeSession

        self._count = count
        self._prompt = model.prompt
        self._session = DecodeSession(model.text)
        self._fed: list[int] = []  # the tokens after the prompt that its cache holds

    def propose(self, tokens: Sequence[int]) -> Tree:
        if not self._session.rows:
            self._session.prefill([self._prompt])
        agreed = next((i for i, (a, b) in enumerate(zip(self._fed, tokens, strict=False)) if a != b), len(self._fed))
        self._session.rewind([len(self._fed) - agreed])
        del self._fed[agreed:]
        draft: list[int] = []
        pending = list(tokens[agreed:])
        while len(draft) < self._count:
            draft.append(self._next(pending))
            pending = draft[-1:]
        return Tree.grow(tokens[-1], [Candidate(draft, MODEL)], self._count)

    def _next(self, tokens: Sequence[int]) -> int:
        """Feed tokens and keep them; the token that the smaller model writes after them."""
        chain = Tree.grow(tokens[0], [Candidate(tokens[1:], MODEL)], len(tokens))
        logits = self._session.feed([chain])
        self._session.commit([range(1, len(chain))])
        self._fed.extend(tokens)
        return int(logits[0][-1].argmax())
