"""A model that is only a function from prefix to next token, and the greedy verification of trees against it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pytest

from docparse.engine.seams import Proposer, Verified
from docparse.engine.tree import Tree

NextToken = Callable[[Sequence[int]], int]


@dataclass
class Run:
    """An output, the trees that were verified for it, and what was accepted of each."""

    tokens: list[int]
    trees: list[Tree] = field(default_factory=list)
    paths: list[tuple[int, ...]] = field(default_factory=list)

    @property
    def aal(self) -> float:
        return sum(map(len, self.paths)) / max(1, len(self.paths))

    @property
    def nodes(self) -> int:
        """Draft tokens verified."""
        return sum(len(tree) - 1 for tree in self.trees)


def _verify(tree: Tree, tokens: Sequence[int], model: NextToken) -> Verified:
    """The path of `tree` that the model itself would write after `tokens`."""
    prefix, path, node = list(tokens), [], 0
    while True:
        wanted = model(prefix)
        child = next((child for child in tree.children(node) if tree.tokens[child] == wanted), None)
        if child is None:
            return Verified(tree, tuple(path), wanted)
        path.append(child)
        prefix.append(wanted)
        node = child


@pytest.fixture(scope="session")
def decode() -> Callable[[NextToken, Proposer, int], Run]:
    """Speculative decoding of `length` tokens at tau = 1 with a table for a model."""

    def decode(model: NextToken, proposer: Proposer, length: int) -> Run:
        run = Run([model([])])
        while len(run.tokens) < length:
            tree = proposer.propose(run.tokens)
            assert tree.tokens[0] == run.tokens[-1]
            verified = _verify(tree, run.tokens, model)
            run.trees.append(tree)
            run.paths.append(verified.path)
            run.tokens += [*(tree.tokens[node] for node in verified.path), verified.free]
            proposer.observe(verified, 0.0)
        del run.tokens[length:]
        return run

    return decode


@pytest.fixture(scope="session")
def script() -> Callable[[Sequence[int]], NextToken]:
    """A model that writes a given text, and counts on from there."""

    def script(text: Sequence[int]) -> NextToken:
        return lambda prefix: text[len(prefix)] if len(prefix) < len(text) else 10_000 + len(prefix)

    return script
