"""How large a tree pays: the nodes that promise the most accepted tokens per second."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import heapify, heappop, heappushpop

from docparse.accel.costs import CostCurve

PRIOR_TRIES = 4.0  # what an expectation is worth


class Rate:
    """An estimate of how often proposals of one kind are right: `chance`. It begins with what is expected, worth some
    tries."""

    __slots__ = ("chance", "right", "tried")

    def __init__(self, expected: float) -> None:
        self.right, self.tried = PRIOR_TRIES * expected, PRIOR_TRIES
        self.chance = self.right / self.tried


def learn(rates: Iterable[Rate], right: bool) -> None:
    """Proposals of these kinds, one after the other, were right or wrong."""
    for rate in rates:
        rate.right += right
        rate.tried += 1
        rate.chance = rate.right / rate.tried


class Budget:
    """The number of nodes that a step may verify.

    A step of k nodes that expects E of them to be accepted yields (1 + E) / seconds(1 + k) tokens per second: with
    `costs` the best k is taken, which may be 0; without, `nodes`.
    """

    def __init__(self, nodes: int, costs: CostCurve | None = None) -> None:
        self.nodes = nodes
        self.seconds = [costs.seconds(1 + k) if costs else 1.0 for k in range(nodes + 1)]
        # what one more node costs at least, however many more are taken; one beyond `nodes` more than it can gain
        self.margins = [
            min((later - here) / ahead for ahead, later in enumerate(self.seconds[k + 1 :], 1)) if costs else -math.inf
            for k, here in enumerate(self.seconds[:-1])
        ] + [math.inf]


Steps = Iterator[tuple[int, float]]  # each token, with its chance of being accepted where all before it were
NOTHING = -1  # no token has this id
END = (NOTHING, 0.0)


def best_nodes(chances: Sequence[float], walk: Callable[[int], Steps], budget: Budget) -> tuple[dict[int, int], int]:
    """Return how much of each proposal belongs to the tree of the nodes most likely to be accepted, and how many nodes
    pay.

    A proposal is a continuation that may be cut anywhere: `chances` are those of the first tokens, `walk` gives all
    tokens of the proposal with a number. Nodes are taken in the order of their probability, the product of the chances
    on their path; in that order parents come before their children, so every beginning of it is a tree. Equal
    continuations are merged. What is returned is a length by a proposal's number, in the order of the first node that
    each added.
    """
    seconds, margins = budget.seconds, budget.margins
    nodes: dict[tuple[int, int], int] = {}  # parent and token -> node; the root is 0
    taken: list[tuple[int, int]] = []  # of each node in turn: the number of its proposal and its depth in it
    # the next token of each proposal, the likeliest first: minus its probability, the number of the proposal, its
    # parent, its depth, the token, what follows
    heap: list[tuple[float, int, int, int, int, Steps | None]]
    heap = [(-chance, number, 0, 0, NOTHING, None) for number, chance in enumerate(chances)]
    heapify(heap)
    tokens, best, size = 1.0, 1.0 / seconds[0], 0
    count, floor = 0, best * margins[0]  # nodes taken; how likely one more must be
    entry = heappop(heap) if heap else None
    while entry is not None and -entry[0] > floor:
        negative, number, parent, depth, token, steps = entry
        probability = -negative
        if steps is None:
            steps = walk(number)
            if (token := next(steps, END)[0]) == NOTHING:
                probability = -math.inf
        rival = heap[0][0] if heap else 0.0
        while probability > floor:
            depth += 1
            node = nodes.setdefault((parent, token), count + 1)
            if node > count:
                count = node
                taken.append((number, depth))
                tokens += probability
                if (speed := tokens / seconds[node]) > best:
                    best, size = speed, node
                floor = best * margins[node]
            token, chance = next(steps, END)
            parent, probability = node, probability * chance
            if -probability >= rival:  # another proposal is as likely here
                break
        if token != NOTHING:
            entry = heappushpop(heap, (-probability, number, parent, depth, token, steps))
        else:
            entry = heappop(heap) if heap else None
    return dict(taken[:size]), size
