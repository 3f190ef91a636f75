"""How large a tree pays: the nodes that promise the most accepted tokens per second."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from docparse.engine.costs import CostCurve
from docparse.engine.tree import Candidate, Tree

Kind = tuple[str | int | bool, ...]

MEMORY = 64  # observations of one kind after which older ones fade: a draft may be good in one part of a page only


class Rates:
    """How often a proposal of each kind was right, learnt while the output grows.

    `prior(kind)` is the rate expected before anything was seen, worth `strength` observations.
    """

    def __init__(self, prior: Callable[[Kind], float], strength: float = 4.0) -> None:
        self._prior, self._strength = prior, strength
        self._seen: dict[Kind, list[float]] = {}  # right, tried

    def __getitem__(self, kind: Kind) -> float:
        right, tried = self._seen.get(kind) or self._begin(kind)
        return right / tried

    def learn(self, kind: Kind, right: bool) -> None:
        seen = self._seen.get(kind) or self._begin(kind)
        if seen[1] >= MEMORY:
            seen[0], seen[1] = seen[0] / 2, seen[1] / 2
        seen[0] += right
        seen[1] += 1

    def _begin(self, kind: Kind) -> list[float]:
        seen = self._seen[kind] = [self._strength * self._prior(kind), self._strength]
        return seen


class Budget:
    """How many nodes a step may verify.

    A step of k nodes that expects E of them to be accepted yields (1 + E) / seconds(1 + k) tokens per second. With
    `costs` the best k is taken, which may be 0: then nothing is proposed. Without, every step fills `nodes` nodes.
    """

    def __init__(self, nodes: int, costs: CostCurve | None = None) -> None:
        self.nodes = nodes
        self._seconds = [costs.seconds(1 + k) for k in range(nodes + 1)] if costs else []
        # what one more node costs at least, however many more are taken
        self._margins = [
            min((later - here) / ahead for ahead, later in enumerate(self._seconds[k + 1 :], 1))
            for k, here in enumerate(self._seconds[:-1])
        ]

    def speed(self, nodes: int, tokens: float) -> float:
        """Tokens per second of a step that verifies `nodes` nodes and gains `tokens`, the free one included."""
        return tokens / self._seconds[nodes] if self._seconds else tokens

    def worth(self, chance: float, nodes: int, best: float) -> bool:
        """Whether, beyond `nodes` nodes, more of at most this `chance` can be faster than `best` tokens per second."""
        if nodes >= self.nodes:
            return False
        return not self._seconds or chance > best * self._margins[nodes]


@dataclass
class Proposal:
    """A continuation that may be cut anywhere. `steps` gives each token with its chance of being accepted, where all
    before it were. It begins after the last accepted token, or after the first `after` tokens of an earlier proposal,
    the `lead`."""

    source: str
    origin: tuple[int, int]
    steps: Iterator[tuple[int, float]]
    lead: Proposal | None = None
    after: int = 0
    tokens: list[int] = field(default_factory=list)  # as far as they were taken

    def path(self, length: int) -> list[int]:
        """All tokens from the last accepted one to its own token number `length`."""
        before = self.lead.path(self.after) if self.lead else []
        return before + self.tokens[:length]

    def candidate(self, length: int) -> Candidate:
        path = self.path(length)
        draft, offset = self.origin
        return Candidate(path, self.source, (draft, offset + length - len(path)))


def best_tree(root: int, proposals: Sequence[Proposal], budget: Budget) -> Tree:
    """The tree of the nodes most likely to be accepted, as many as pay; equal continuations are merged.

    Nodes are taken in the order of their probability, the product of the chances on their path; in that order parents
    come before their children, so every beginning of it is a tree.
    """
    nodes: dict[tuple[int, int], int] = {}  # parent and token -> node; the root is 0
    taken: list[tuple[int, int]] = []  # of each node in turn: its proposal and its depth in it
    heap: list[tuple[float, int, int]] = []  # minus the probability of a next token, its proposal, its parent
    ranks = {id(proposal): rank for rank, proposal in enumerate(proposals)}
    waiting: defaultdict[tuple[int, int], list[int]] = defaultdict(list)  # proposal and length -> those it leads to
    for rank, proposal in enumerate(proposals):
        waiting[ranks[id(proposal.lead)] if proposal.lead else -1, proposal.after].append(rank)

    def advance(rank: int, parent: int, probability: float) -> None:
        """The next token of a proposal, and the first of those that begin here."""
        proposal = proposals[rank]
        led = waiting.pop((rank, len(proposal.tokens)), ())
        for token, chance in islice(proposal.steps, 1):
            proposal.tokens.append(token)
            heapq.heappush(heap, (-probability * chance, rank, parent))
        for follower in led:
            advance(follower, parent, probability)

    for rank in waiting.pop((-1, 0), ()):
        advance(rank, 0, 1.0)
    tokens, best, size = 1.0, budget.speed(0, 1.0), 0
    while heap and budget.worth(-heap[0][0], len(taken), best):
        negative, rank, parent = heapq.heappop(heap)
        node = nodes.get((parent, proposals[rank].tokens[-1]))
        if node is None:
            node = nodes[parent, proposals[rank].tokens[-1]] = len(nodes) + 1
            taken.append((rank, len(proposals[rank].tokens)))
            tokens -= negative
            speed = budget.speed(len(taken), tokens)
            if speed > best:
                best, size = speed, len(taken)
        advance(rank, node, -negative)
    lengths = dict(taken[:size])  # of each proposal that is part of it; depths of one grow
    return Tree.grow(root, [proposals[rank].candidate(length) for rank, length in lengths.items()], size)
