"""HSD's alignment and tree as the paper has them, without what docparse adds: `hsd(mode=paper)`.

After Liao et al., "HSD" (2026), https://arxiv.org/abs/2602.12957, algorithm 1: windows of exactly n tokens, every place
where one stands in a draft, all that follows there to the end of that draft, merged into one tree.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, repeat

from docparse.accel.drafts import EARLIER, REGION, DraftTokens
from docparse.accel.index import DraftIndex
from docparse.accel.method import Acceptance
from docparse.accel.sizing import Budget, best_nodes
from docparse.engine.tree import Tree


class PaperProposer:
    """One output's drafts: an unordered set, each region one of them.

    The drafts of a page are what the region stage wrote, and the pipeline's only where that did not run. The paper
    bounds no tree; here one has at most `nodes` nodes, those nearest to the root.
    """

    def __init__(self, acceptance: Acceptance, n: int, nodes: int, drafts: Sequence[DraftTokens]) -> None:
        self.acceptance = acceptance
        wrote = any(draft.source == REGION for draft in drafts)
        used = [draft for draft in drafts if (draft.source == REGION if wrote else draft.source != EARLIER)]
        self._index = DraftIndex(n, [part for draft in used for part in regions_of(draft)], quotable=False)
        self._nodes = nodes

    def propose(self, tokens: Sequence[int]) -> Tree:
        """Steps 1 and 2; nothing while fewer than n tokens are written."""
        index = self._index
        places = index.after(tokens[-index.n :]) if len(tokens) >= index.n else ()
        suffixes = [index.tokens[place : index.stop(place)] for place in places]
        even = [0.5] * len(places)  # so that the likeliest nodes are those nearest to the root
        lengths, _ = best_nodes(even, lambda number: zip(suffixes[number], repeat(0.5)), Budget(self._nodes))
        candidates = (index.proposal(places[number], length) for number, length in lengths.items())
        return Tree.grow(tokens[-1], candidates, self._nodes)


def regions_of(draft: DraftTokens) -> list[DraftTokens]:
    """Return each region of a draft as a draft of its own."""
    end = len(draft.tokens)
    bounds = pairwise(sorted({0, end, *(start for start in draft.starts if start < end)}))
    return [DraftTokens(draft.tokens[begin:stop], draft.source) for begin, stop in bounds]
