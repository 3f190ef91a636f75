"""A method that evicts what it is told and keeps what it is shown, trees of one branch, and
proposers of right and of any trees."""

from __future__ import annotations

import random
from collections.abc import Sequence

from torch import Tensor

from docparse.accel.method import Acceptance
from docparse.engine.hooks import Compressor
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


class Oracle:
    """Knows the answer, and proposes its next `count` tokens as one chain."""

    acceptance = Acceptance()

    def __init__(self, answer: Sequence[int], count: int) -> None:
        self.answer, self.count = answer, count

    def propose(self, tokens: Sequence[int]) -> Tree:
        return chain([tokens[-1], *self.answer[len(tokens) : len(tokens) + self.count]])


class Trees:
    """Proposes trees of right, half-right and random candidates of any shape, in any order."""

    def __init__(self, answer: Sequence[int], seed: int, acceptance: Acceptance = Acceptance()) -> None:  # noqa: B008
        self.answer, self.dice, self.acceptance = answer, random.Random(seed), acceptance

    def propose(self, tokens: Sequence[int]) -> Tree:
        dice, candidates = self.dice, []
        for _ in range(dice.randrange(5)):
            begin, length = len(tokens) + dice.choice((0, 0, 0, 1, -1)), dice.randrange(1, 9)
            words = list(self.answer[max(0, begin) : begin + length]) or [dice.randrange(50)]
            if dice.random() < 0.5:
                words[dice.randrange(len(words))] = dice.randrange(50)
            candidates.append(Candidate(words, dice.choice("ab")))
        return Tree.grow(tokens[-1], candidates, dice.randrange(1, 24))
