"""A method that evicts what it is told and keeps what it is shown, trees of one branch, and a proposer of any trees."""

from __future__ import annotations

import random
from collections.abc import Sequence

from torch import Tensor

from docparse.engine.hooks import Acceptance, Compressor
from docparse.engine.tree import Candidate, Tree


class Keeps(Compressor):
    """Keeps given rows of each layer; where `wants` says so, it looks at the attention of every step."""

    def __init__(self, rows: Sequence[Tensor], wants: bool = False) -> None:
        self.rows, self.watches = rows, wants
        self.watched: dict[int, tuple[Tensor, Tensor, float]] = {}
        self.seen: list[Tensor] = []

    def on_prefill_layer(self, layer: int, query: Tensor, key: Tensor, scale: float) -> None:
        self.watched[layer] = (query.clone(), key.clone(), scale)

    def keep(self) -> Sequence[Tensor]:
        return self.rows

    def observe(self, layer: int, weights: Tensor) -> None:
        self.seen.append(weights)


def chain(words: Sequence[int]) -> Tree:
    return Tree.grow(words[0], [Candidate(words[1:], "any")], len(words))


class Trees:
    """Proposes trees of any shape, of which some branches begin as `written` goes on."""

    acceptance = Acceptance()

    def __init__(self, written, seed):
        self.written, self.dice = written, random.Random(seed)

    def propose(self, tokens):
        candidates = []
        for _ in range(self.dice.randrange(4)):
            right = list(self.written[len(tokens) : len(tokens) + self.dice.randrange(6)])
            wrong = [self.dice.randrange(50) for _ in range(self.dice.randrange(3))]
            candidates.append(Candidate([*right, *wrong], "tree"))
        return Tree.grow(tokens[-1], candidates, 9)
