"""Greedy verification: how far the model agrees with a tree, read from the logits of one pass."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from docparse.accel.method import Acceptance
from docparse.engine.session import TreeLogits
from docparse.engine.tree import Tree
from docparse.errors import PageError

GREEDY = Acceptance()
Process = Callable[[Tensor, Tree], Tensor]  # of a row's logits [N, V] after the nodes of its tree
NODES = 64  # of which probabilities are computed at once
NO_NUMBER = -1  # in place of a token
NO_NUMBERS = "the model computes no numbers here: its weights are damaged, or float16 is too narrow for it"


class Scores(NamedTuple):
    """The part of a row's logits that acceptance needs, on the host: `best [N]`, the argmax at each of its nodes.

    Where a row of the batch has `tau < 1` also `surprise [N]`, -log p of that argmax, and `own [N]`, -log p of the
    node's own token at its parent.
    """

    best: Sequence[int]
    surprise: Sequence[float] = ()
    own: Sequence[float] = ()


class Verified(NamedTuple):
    """The result of a step: the accepted nodes in order, without the root, and the token the model adds."""

    path: tuple[int, ...]
    free: int


def score(
    logits: TreeLogits,
    trees: Sequence[Tree],
    acceptances: Sequence[Acceptance],
    processes: Sequence[Process | None] = (),
) -> list[Scores]:
    """Reduce logits on the device and fetch the result in one transfer.

    `processes` (one for each row, or none at all) change a row's logits before anything is read from them. Raises
    `PageError` where logits of a tree's own nodes are no numbers.
    """
    likely = any(each.tau < 1.0 for each in acceptances)
    own = logits.own
    if any(processes):
        changed = [
            _reduced(logits[row] if process is None else process(logits[row], tree), [tree], [0], likely)
            for row, (tree, process) in enumerate(zip(trees, processes, strict=True))
        ]
        ends = list(accumulate(map(len, trees)))
        reduced, own = torch.cat(changed, dim=1), list(map(slice, [0, *ends], ends))
    else:
        reduced = _reduced(logits.every, trees, [each.start for each in own], likely)
    of_all = reduced.tolist()
    scores = [Scores(*(each[nodes] for each in of_all)) for nodes in own]
    if any(NO_NUMBER in each.best for each in scores):
        raise PageError(NO_NUMBERS)
    return scores


def _reduced(logits: Tensor, trees: Sequence[Tree], begins: Sequence[int], likely: bool) -> Tensor:
    """Return of logits `[T, V]` the best tokens `[1, T]`; where something less `likely` may be accepted what `Scores`
    holds, `[3, T]`, of trees whose nodes begin at `begins`. Of roots and padding it is anything."""
    most, best = logits.max(dim=-1)
    best.masked_fill_(most.isnan(), NO_NUMBER)
    if not likely:
        return best[None]
    index = np.zeros((2, len(logits)), dtype=np.int64)  # parent and token of every node
    for begin, tree in zip(begins, trees, strict=True):
        index[:, begin : begin + len(tree)] = tree.parents, tree.tokens
        index[0, begin] = 0
        index[0, begin : begin + len(tree)] += begin
    parent, token = torch.from_numpy(index).to(logits.device)
    # in parts, because all logits in float32 would be twice what the model wrote: gigabytes for a batch of trees
    total = torch.cat([torch.logsumexp(each.float(), dim=-1) for each in logits.split(NODES)])
    # token ids are below 2^24, so a float holds them exactly
    return torch.stack([best.float(), total - most.float(), total[parent] - logits[parent, token].float()])


def accept(tree: Tree, scores: Scores, acceptance: Acceptance = GREEDY) -> Verified:
    """Walk down from the root while the most probable child is good enough (HSD, algorithm 1, equation 10)."""
    best = scores.best
    path: list[int] = []
    node = 0
    while True:
        # children come after their parent: one look at the tree finds all that the model itself would write
        after = zip(tree.parents[node + 1 :], tree.tokens[node + 1 :], strict=True)
        for child, (parent, token) in enumerate(after, node + 1):
            if parent == node and token == best[node]:
                path.append(child)
                node = child
        others = tree.children(node) if acceptance.tau < 1.0 else ()
        second = min(others, key=scores.own.__getitem__, default=None)
        if second is None or not accepts(scores.surprise[node], scores.own[second], acceptance):
            return Verified(tuple(path), int(best[node]))
        path.append(second)
        node = second


def accepts(best: float, child: float, acceptance: Acceptance) -> bool:
    """Equation (10) for a child that is not the argmax, given -log p of the argmax and of the child.

    Products instead of quotients: where p of the argmax rounds to 1 its logarithm is 0, and nothing else is accepted
    unless `tau = 0`.
    """
    if not np.isfinite(child):  # banned
        return False
    if acceptance.rule == "ratio":
        return bool(np.exp(best - child) >= acceptance.tau)
    return best >= acceptance.tau * child
