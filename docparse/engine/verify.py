"""Greedy verification: how far the model agrees with a tree, read from the logits of one pass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from docparse.engine.seams import Acceptance, Verified
from docparse.engine.tree import Tree
from docparse.errors import PageError

GREEDY = Acceptance()
NO_NUMBER = -1  # in place of a token
NO_NUMBERS = "the model computes no numbers here: its weights are damaged, or float16 is too narrow for it"


@dataclass(frozen=True)
class Scores:
    """What acceptance needs of the logits, on the host.

    `best [B, N]` is each node's argmax; `surprise [B, N]` is -log p of that argmax, and `own [B, N]` is -log p of the
    node's own token at its parent (0 at roots). The last two exist only where a row has `tau < 1`.
    """

    best: np.ndarray
    surprise: np.ndarray | None = None
    own: np.ndarray | None = None


@torch.inference_mode()
def score(logits: Tensor, trees: Sequence[Tree], acceptances: Sequence[Acceptance]) -> Scores:
    """Reduce logits `[B, N, V]` on the device and fetch the result in one transfer.

    Raises `PageError` where logits of a tree's own nodes are no numbers.
    """
    most, best = logits.max(dim=-1)
    wrong = most.isnan()
    if all(acceptance.tau >= 1.0 for acceptance in acceptances):
        return _checked(Scores(best.masked_fill_(wrong, NO_NUMBER).cpu().numpy()), trees)
    rows, count, _ = logits.shape
    index = np.zeros((3, rows, count), dtype=np.int64)  # row, parent, token of every node; padding reads node 0
    index[0] = np.arange(rows)[:, None]
    for row, tree in enumerate(trees):
        index[1, row, 1 : len(tree)] = tree.parents[1:]
        index[2, row, 1 : len(tree)] = tree.tokens[1:]
    row, parent, token = torch.from_numpy(index).to(logits.device)
    # row by row, because all logits in float32 would be twice what the model wrote: gigabytes for a batch of trees
    total = torch.stack([torch.logsumexp(each.float(), dim=-1) for each in logits])
    surprise = total - logits.gather(-1, best[..., None])[..., 0].float()
    own = total[row, parent] - logits[row, parent, token].float()
    # token ids are below 2^24, so a float holds them exactly
    fetched = torch.stack([best.masked_fill_(wrong, NO_NUMBER).float(), surprise, own]).cpu().numpy()
    return _checked(Scores(fetched[0].astype(np.int64), fetched[1], fetched[2]), trees)


def _checked(scores: Scores, trees: Sequence[Tree]) -> Scores:
    if any((scores.best[row, : len(tree)] == NO_NUMBER).any() for row, tree in enumerate(trees)):
        raise PageError(NO_NUMBERS)
    return scores


def accept(tree: Tree, row: int, scores: Scores, acceptance: Acceptance = GREEDY) -> Verified:
    """Walk down from the root while the most probable child is good enough (HSD, algorithm 1, equation 10)."""
    best = scores.best[row].tolist()
    path: list[int] = []
    node = 0
    while True:
        # children come after their parent: one look at the tree finds all that the model itself would write
        after = zip(tree.parents[node + 1 :], tree.tokens[node + 1 :], strict=True)
        for child, (parent, token) in enumerate(after, node + 1):
            if parent == node and token == best[node]:
                path.append(child)
                node = child
        if (second := _second_best(tree, node, row, scores, acceptance)) is None:
            return Verified(tree, tuple(path), best[node])
        path.append(second)
        node = second


def _second_best(tree: Tree, node: int, row: int, scores: Scores, acceptance: Acceptance) -> int | None:
    """The most probable child of a node of which no child is the argmax, where it is good enough."""
    if acceptance.tau >= 1.0 or scores.own is None or scores.surprise is None:
        return None
    own = scores.own[row]
    child = min(tree.children(node), key=lambda each: float(own[each]), default=None)
    if child is None or not accepts(float(scores.surprise[row, node]), float(own[child]), acceptance):
        return None
    return child


def accepts(best: float, child: float, acceptance: Acceptance) -> bool:
    """Equation (10) for a child that is not the argmax, given -log p of the argmax and of the child.

    Products instead of quotients: where p of the argmax rounds to 1 its logarithm is 0, and nothing else is accepted
    unless `tau = 0`.
    """
    if acceptance.rule == "ratio":
        return bool(np.exp(best - child) >= acceptance.tau)
    return best >= acceptance.tau * child
