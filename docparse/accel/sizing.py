"""How large a tree pays: the nodes that promise the most accepted tokens per second."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from heapq import heapify, heappop, heappush, heappushpop
from typing import Protocol, TypeVar

from docparse.engine.costs import CostCurve

Kind = tuple[str | int | bool, ...]

MEMORY = 64  # observations of one kind after which older ones fade: a draft may be good in one part of a page only


class Rate:
    """How often proposals of one kind were right: `chance`. It begins with what is expected, worth `strength` tries."""

    __slots__ = ("_right", "_tried", "chance")

    def __init__(self, expected: float, strength: float = 4.0) -> None:
        self._right, self._tried = strength * expected, strength
        self.chance = self._right / self._tried

    def learn(self, right: bool, times: int = 1) -> None:
        """So many more proposals, one after the other, were right or wrong."""
        for _ in range(times):
            if self._tried >= MEMORY:
                self._right, self._tried = self._right / 2, self._tried / 2
            self._right += right
            self._tried += 1
        self.chance = self._right / self._tried


class Rates(dict[Kind, Rate]):
    """The rates of all kinds, learnt while the output grows; `prior(kind)` is expected before anything was seen."""

    def __init__(self, prior: Callable[[Kind], float]) -> None:
        super().__init__()
        self._prior = prior

    def __missing__(self, kind: Kind) -> Rate:
        rate = self[kind] = Rate(self._prior(kind))
        return rate


class Budget:
    """How many nodes a step may verify.

    A step of k nodes that expects E of them to be accepted yields (1 + E) / seconds(1 + k) tokens per second. With
    `costs` the best k is taken, which may be 0: then nothing is proposed. Without, every step fills `nodes` nodes.
    """

    def __init__(self, nodes: int, costs: CostCurve | None = None) -> None:
        self.nodes = nodes
        self.seconds = [costs.seconds(1 + k) if costs else 1.0 for k in range(nodes + 1)]
        # what one more node costs at least, however many more are taken; one beyond `nodes` more than it can gain
        self.margins = [
            min((later - here) / ahead for ahead, later in enumerate(self.seconds[k + 1 :], 1)) if costs else -math.inf
            for k, here in enumerate(self.seconds[:-1])
        ] + [math.inf]


class Proposal(Protocol):
    """A continuation that may be cut anywhere. It begins after the last accepted token, or after the first `ahead`
    tokens of an earlier proposal, the `lead`. `rate` is that of its first token."""

    @property
    def rate(self) -> Rate: ...
    @property
    def lead(self) -> Proposal | None: ...
    @property
    def ahead(self) -> int: ...


Steps = Iterator[tuple[int, float]]  # each token, with its chance of being accepted where all before it were
END = (None, 0.0)
P = TypeVar("P", bound=Proposal)


def best_nodes(proposals: Sequence[P], walk: Callable[[P], Steps], budget: Budget) -> tuple[dict[P, int], int]:
    """How far each proposal belongs to the tree of the nodes most likely to be accepted, and how many nodes pay.

    Nodes are taken in the order of their probability, the product of the chances on their path; in that order parents
    come before their children, so every beginning of it is a tree. Equal continuations are merged. What is returned
    names the proposals in the order of the first node that each added.
    """
    seconds, margins = budget.seconds, budget.margins
    nodes: dict[tuple[int, int], int] = {}  # parent and token -> node; the root is 0
    taken: list[tuple[P, int]] = []  # of each node in turn: its proposal and its depth in it
    # minus the probability of a next token, the rank of its proposal, its parent, its depth, the token, what follows;
    # what a proposal says is asked for when its first token is due, and few are
    heap: list[tuple[float, int, int, int, int, Steps | None]] = []
    followers: dict[int, list[int]] = {}  # of those that lead: the ranks of those that they lead to

    def follow(lead: P, depth: int, parent: int, probability: float) -> None:
        """Begin what comes after the first `depth` tokens of `lead`."""
        for rank in followers[id(lead)]:
            if (proposal := proposals[rank]).ahead == depth:
                heappush(heap, (-probability * proposal.rate.chance, rank, parent, 0, 0, None))
                if id(proposal) in followers:
                    follow(proposal, 0, parent, probability)

    for rank, proposal in enumerate(proposals):
        if proposal.lead is None:
            heap.append((-proposal.rate.chance, rank, 0, 0, 0, None))
        else:
            followers.setdefault(id(proposal.lead), []).append(rank)
    heapify(heap)
    for proposal in proposals if followers else ():
        if proposal.lead is None and id(proposal) in followers:
            follow(proposal, 0, 0, 1.0)
    tokens, best, size = 1.0, 1.0 / seconds[0], 0
    count, floor = 0, best * margins[0]  # nodes taken; how likely one more must be
    entry = heappop(heap) if heap else None
    while entry is not None:
        negative, rank, parent, depth, token, steps = entry
        probability, proposal, entry = -negative, proposals[rank], None
        leads = id(proposal) in followers
        if steps is None:
            steps = walk(proposal)
            token, _ = next(steps, END)
        rival = heap[0][0] if heap else 0.0
        while token is not None:
            if probability <= floor:
                return dict(taken[:size]), size
            depth += 1
            node = nodes.setdefault((parent, token), count + 1)
            if node > count:
                count = node
                taken.append((proposal, depth))
                tokens += probability
                if (speed := tokens / seconds[node]) > best:
                    best, size = speed, node
                floor = best * margins[node]
            if leads:
                follow(proposal, depth, node, probability)
                rival = heap[0][0] if heap else 0.0
            token, chance = next(steps, END)
            parent, probability = node, probability * chance
            if -probability >= rival and token is not None:  # another proposal is as likely here
                entry = heappushpop(heap, (-probability, rank, parent, depth, token, steps))
                break
        if entry is None and heap:
            entry = heappop(heap)
    return dict(taken[:size]), size
