"""Attention by kernels is the attention that is computed without them. (Here in their torch reference; that this and
what runs on a GPU agree is tested with the kernels.)"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
import torch
from torch import Tensor

from docparse.engine import passes, selective_attention
from docparse.engine.hooks import Compressor, Selection, Selector
from docparse.engine.selective_attention import RowMethods, SelectiveAttention
from docparse.engine.session import DecodeSession
from docparse.engine.tree import Candidate, Tree


class Looks(Selector):
    """Alternately reads everything and shows it, or reads `some` of the visual tokens, each node of a tree others of
    them where `own` says so."""

    def __init__(self, some: Sequence[int], turn: int, *, own: bool = False) -> None:
        self.some, self.turn, self.own = torch.tensor(some), turn, own
        self.seen: list[Tensor] = []

    def follow(self, tree: Tree) -> None:
        own = torch.arange(len(self.some)) != torch.arange(len(tree))[:, None]
        self.selection = Selection(self.some, own if self.own and len(tree) > 1 else None)

    def select(self, layer: int) -> Selection | None:
        self.turn += layer == 0
        return None if self.needs_attention(layer) else self.selection

    def needs_attention(self, layer: int) -> bool:
        return (layer + self.turn) % 2 == 0

    def observe(self, layer: int, weights: Tensor) -> None:
        self.seen.append(weights)


class Evicts(Compressor):
    def __init__(self, rows: Sequence[Tensor], wants: bool = False) -> None:
        self.rows = rows
        self.asks = wants
        self.heads: list[int] = []

    def on_prefill_layer(self, layer: int, query: Tensor, key: Tensor, scale: float) -> None:
        pass

    def keep(self) -> Sequence[Tensor]:
        return self.rows

    def needs_attention(self, layer: int) -> bool:
        return self.asks

    def observe(self, layer: int, weights: Tensor) -> None:
        self.heads.append(weights.shape[0])


def readers(wants: bool) -> list[RowMethods]:
    left = [torch.tensor([0, 1, 3, 4, 7, 8, 9, 10]), torch.tensor([1, 2, 4, 5, 6, 9, 10])]
    return [
        RowMethods(selector=Looks([0, 2, 5], 0)),
        RowMethods(Evicts(left, wants), Looks([1, 3, 4], 0, own=True)),
        RowMethods(),
        RowMethods(selector=Looks([4], 1)),
    ]


def by_weights(self: SelectiveAttention, layer: int, query: Tensor, scale: float) -> Tensor:
    """In place of `attend`: whatever is wanted, all weights are computed."""
    chosen = [None if each.selector is None else each.selector.select(layer) for each in self._readers]
    self._note(layer, chosen)
    return self._with_weights(layer, chosen, query, scale).transpose(1, 2)


def chain(words: Sequence[int]) -> Tree:
    return Tree.grow(words[0], [Candidate(words[1:], "any")], len(words))


@pytest.mark.parametrize("rows", [[0], [3], [1, 2], [0, 3], [0, 1, 2, 3]], ids=str)
@pytest.mark.parametrize("nodes", [1, 3])
def test_it_gives_the_same_logits_and_shows_the_same_attention(toys: Any, monkeypatch, rows, nodes: int) -> None:
    toy = toys("m-rope")
    calls = []
    own, listed = SelectiveAttention.attend, selective_attention.attend_listed
    monkeypatch.setattr(selective_attention, "attend_listed", lambda *given: calls.append(1) or listed(*given))
    prompts = [toy.prompt(14, 1), toy.prompt(11, 2), toy.prompt(12, 3), toy.prompt(9, 4)]
    sessions, methods = [], []
    for _ in range(2):
        methods.append([readers(False)[row] for row in rows])
        sessions.append(DecodeSession(toy.text))
        sessions[-1].prefill([prompts[row] for row in rows], methods[-1])
    for step in range(4):
        trees = [chain([step, 5, 7][:nodes]) if row else chain([step + row]) for row in rows]
        monkeypatch.setattr(SelectiveAttention, "attend", by_weights)
        expected = sessions[0].feed(trees)
        monkeypatch.setattr(SelectiveAttention, "attend", own)
        logits = sessions[1].feed(trees)
        for row, tree in enumerate(trees):
            torch.testing.assert_close(logits[row, : len(tree)], expected[row, : len(tree)], atol=1e-5, rtol=0)
        assert sessions[0].read == sessions[1].read
        for session in sessions:
            session.commit([(1,) if len(tree) > 1 else () for tree in trees])
    assert len(calls) == 8
    for one, other in zip(*methods, strict=True):
        if one.selector is not None:
            assert len(one.selector.seen) == len(other.selector.seen) == 4
            for seen, same in zip(one.selector.seen, other.selector.seen, strict=True):
                torch.testing.assert_close(seen, same.to(seen.dtype), atol=1e-6, rtol=0)


def test_who_wants_the_weights_of_every_head_is_shown_them(toys: Any, monkeypatch) -> None:
    toy = toys("plain")
    method = readers(True)[1]
    session = DecodeSession(toy.text)
    session.prefill([toy.prompt(11, 2)], [method])
    session.feed([chain([1, 2])])
    assert method.compressor.heads == [4, 4]


def test_double_precision_is_not_for_the_kernels(monkeypatch) -> None:
    monkeypatch.setattr(passes, "use_triton", lambda query: True)
    assert passes.uses_kernels(torch.zeros(1)) and passes.uses_kernels(torch.zeros(1).bfloat16())
    assert not passes.uses_kernels(torch.zeros(1).double())
