"""Attention by kernels is the attention that is computed without them, row by row. (Here by their torch references;
that these and what runs on a GPU agree is tested with the kernels.)"""

import pytest
import torch
from stub_methods import Keeps, chain
from torch import Tensor

from docparse.engine import text_model
from docparse.engine.hooks import RowMethods, Selection, Selector
from docparse.engine.session import DecodeSession
from docparse.engine.text_model import TextModel


class Looks(Selector):
    """Alternately reads everything and shows it, or reads `some` of the visual tokens, each node of a tree others of
    them where `own` says so."""

    def __init__(self, some, turn, *, own=False):
        self.some, self.turn, self.own = some, turn, own
        self.seen: list[Tensor] = []

    def follow(self, tree):
        reads = torch.zeros(len(tree) if self.own else 1, 6, dtype=torch.bool)
        reads[:, self.some] = True
        if self.own and len(tree) > 1:
            for node, token in enumerate(self.some):
                reads[node, token] = False
        self.selection = Selection(reads, len(self.some))

    def select(self, layer):
        self.turn += layer == 0
        return None if (layer + self.turn) % 2 == 0 else self.selection

    def observe(self, layer, weights, real=None):
        self.seen.append(weights if real is None else weights[real])


def readers(wants):
    left = [torch.tensor([0, 1, 3, 4, 7, 8, 9, 10]), torch.tensor([1, 2, 4, 5, 6, 9, 10])]
    return [
        RowMethods(selector=Looks([0, 2, 5], 0)),
        RowMethods(Keeps(left, wants), Looks([1, 3, 4], 0, own=True)),
        RowMethods(),
        RowMethods(selector=Looks([4], 1)),
    ]


def by_kernels(text):
    """The same model, on a machine where kernels run."""

    class ByKernels(TextModel):
        by_kernels = True

    return ByKernels(text.decoder, text.head, text.end, text.axes, text.key)


@pytest.mark.parametrize("rows", [[0], [3], [1, 2], [0, 3], [0, 1, 2, 3]], ids=str)
@pytest.mark.parametrize("nodes", [1, 3])
@pytest.mark.parametrize("wants", [False, True])
def test_it_gives_the_same_logits_and_shows_the_same_attention(toys, rows, nodes, wants):
    toy = toys("m-rope")
    prompts = [toy.prompt(14, 1), toy.prompt(11, 2), toy.prompt(12, 3), toy.prompt(9, 4)]
    sessions, methods = [], []
    for text in (toy.text, by_kernels(toy.text)):
        methods.append([readers(wants)[row] for row in rows])
        sessions.append(DecodeSession(text))
        sessions[-1].prefill([prompts[row] for row in rows], methods[-1])
    for step in range(4):
        trees = [chain([step, 5, 7][:nodes]) if row else chain([step + row]) for row in rows]
        expected, logits = (session.feed(trees) for session in sessions)
        for row in range(len(rows)):
            torch.testing.assert_close(logits[row], expected[row], atol=1e-9, rtol=0)
        assert sessions[0].read == sessions[1].read
        for session in sessions:
            session.commit([(1,) if len(tree) > 1 else () for tree in trees])
    for one, other in zip(*methods, strict=True):
        if one.selector is not None:
            assert len(one.selector.seen) == len(other.selector.seen) == 4
            for seen, same in zip(one.selector.seen, other.selector.seen, strict=True):
                torch.testing.assert_close(seen, same.to(seen.dtype), atol=1e-6, rtol=0)
        if one.compressor is not None:
            assert (
                [len(each) for each in one.compressor.seen]
                == [len(each) for each in other.compressor.seen]
                == [4] * 8 * wants
            )


def test_double_precision_is_not_for_the_kernels(toys, monkeypatch):
    monkeypatch.setattr(text_model, "use_triton", lambda weight: True)
    assert toys("plain", torch.float32).text.by_kernels and toys("plain", torch.bfloat16).text.by_kernels
    assert not toys("plain").text.by_kernels
