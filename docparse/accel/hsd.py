"""Hierarchical speculative decoding (HSD): drafts of a page, aligned with the output and verified as a tree.

SpecDecode, one step: (1) *windowed alignment*, in `following`: where the last n accepted tokens stand in the drafts,
and what the paper leaves open: beginnings of blocks, and the way back after an error in a draft; (2) the *prefix tree*,
in `sizing`: as many nodes as pay; (3) *verification* in one pass, (4) *greedy acceptance* and (5) *commit* are the
engine's. The paper's two stages, regions and page, both call this.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from docparse.accel.costs import CostCurve, PassCosts
from docparse.accel.drafts import EARLIER, OCR, OUTPUT, TEXT_LAYER, DraftTokens, Speculation
from docparse.accel.following import Following, Without
from docparse.accel.hsd_paper import PaperProposer
from docparse.accel.index import DraftIndex
from docparse.accel.method import Acceptance, Drafting, Proposer, Regions, Rule, between
from docparse.accel.sizing import Budget, best_nodes
from docparse.engine.tree import Tree


@dataclass(frozen=True)
class Hsd(Drafting):
    """The last `n` accepted tokens are the window that is looked up; `tau` and `rule` say when a token is accepted
    (equation 10; tau = 1: the greedy output). A tree has at most `nodes` nodes; fewer where more do not pay. `regions`:
    whether the region stage runs; `only`: it is all that is read, and not lossless.

    `text_layer`, `ocr`, `output`, `earlier`: which sources of drafts are used; earlier pages only with tau = 1, as
    below it drafts may change what is written. `mode=paper`: nothing that the paper does not have, and always both
    stages. `without` one of our extensions, to see what that one gains.
    """

    name: ClassVar[str] = "hsd"
    reads_drafts: ClassVar[bool] = True

    tau: float = between(0.0, 1.0, 1.0)
    n: int = between(1, 16, 3)
    rule: Rule = "log-ratio"
    nodes: int = between(1, 256, 64)
    regions: Regions = "auto"
    text_layer: bool = True
    ocr: bool = True
    output: bool = True
    earlier: bool = True
    mode: Literal["ours", "paper"] = "ours"
    without: Without = "nothing"

    @property
    def region_stage(self) -> Regions:
        return "always" if self.mode == "paper" and self.regions == "auto" else self.regions

    @property
    def lossless(self) -> bool:
        return self.tau == 1.0 and self.regions != "only"

    def proposer(self, speculation: Speculation) -> Proposer:
        given = speculation.drafts
        drafts = [draft if self.uses(draft.source) else DraftTokens((), draft.source) for draft in given]
        if self.mode == "paper":
            return PaperProposer(Acceptance(self.tau, self.rule), self.n, self.nodes, drafts)
        return HsdProposer(self, drafts, speculation.costs)

    def uses(self, source: str) -> bool:
        switches = {TEXT_LAYER: self.text_layer, OCR: self.ocr, OUTPUT: self.output, EARLIER: self.earlier}
        return switches.get(source, True)


class HsdProposer:
    """One output's drafts, and how far it follows them."""

    def __init__(self, method: Hsd, drafts: Sequence[DraftTokens], costs: PassCosts | None) -> None:
        self.acceptance = Acceptance(method.tau, method.rule)
        self._index = DraftIndex(method.n, drafts, quotable=method.output)
        self._following = Following(self._index, method.nodes, method.without)
        self._nodes, self._costs = method.nodes, None if method.without == "sizing" else costs
        self._budgets: dict[CostCurve | None, Budget] = {}

    def propose(self, tokens: Sequence[int]) -> Tree:
        """Steps 1 and 2: align the last tokens with the drafts, merge what follows there into a tree."""
        index, following = self._index, self._following
        following.advance(tokens[len(index.tokens) - index.output :])
        guesses = following.guesses
        chances = [guess.rate.chance for guess in guesses]
        lengths, size = best_nodes(chances, lambda number: following.steps(guesses[number]), self._budget())
        candidates = (index.proposal(guesses[number].place, length) for number, length in lengths.items())
        return Tree.grow(tokens[-1], candidates, size)

    def _budget(self) -> Budget:
        curve = self._costs.now if self._costs else None
        if curve not in self._budgets:
            self._budgets[curve] = Budget(self._nodes, curve)
        return self._budgets[curve]
