"""FastOCR: at each step a few focal layers read the whole picture, and the others only where these look.

1. *Warm-up*: some steps of full attention tell how much of it each layer spends on the picture.
2. *Focal layers* are the ones that spend most, chosen once for an output, not side by side.
3. *Every later step*: a focal layer reads everything, and what it attends to most is the fixation; the layers after it
   read the fixation and all text. Before the first focal layer of a step the fixation is the last one of the step
   before. Nothing leaves the cache.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from docparse.accel.layout_prior import LayoutPrior
from docparse.accel.method import check_ranges
from docparse.accel.pruning import largest
from docparse.engine.seams import Selector

if TYPE_CHECKING:
    from torch import Tensor

    from docparse.accel.drafts import DraftTokens
    from docparse.engine.prompt import Prompt
    from docparse.engine.tree import Tree

Preset = Literal["safe", "fast"]
Queries = Literal["mean", "union"]
Rank = Literal["share", "peak"]
Layout = Literal["off", "add", "within"]
PRESETS = {"safe": (0.2, 0.2), "fast": (0.05, 0.1)}  # keep, focal; what the paper sets for quality, and for speed
ROUNDING = 1e-9  # 0.1 * 30 is 3.0000000000000004, 0.29 * 100 is 28.999999999999996


@dataclass(frozen=True)
class FastOcr:
    """The method's hyper-parameters.

    `keep` of the visual tokens are the fixation (the paper's rho), `focal` of the layers are focal, at least one of
    them, and at least `gap` layers apart; None: as the `preset` says. The warm-up takes `warmup` steps.

    A step is a pass of the decoder, whatever it verifies: with drafts it has a query for each node of the tree. Then
    the fixation is what the attention of all nodes, averaged, is largest at (`mean`), or the union of what each is
    largest at (`union`: nothing that one of them looks at is missed, at up to that many times the rows).

    Beyond the paper: `rank` says what of a layer's attention makes it focal, all that it spends on the picture
    (`share`, the paper's) or what it spends on the tokens that it would fixate (`peak`: who looks everywhere at once
    finds no place).
    `layout` uses what the drafts say about where on the page the output is: tokens of the regions that are proposed are
    read as well (`add`), or the fixation is chosen among them alone (`within`).
    """

    name: ClassVar[str] = "fastocr"
    seam: ClassVar[str] = "select"

    preset: Preset = "safe"
    keep: float | None = None
    focal: float | None = None
    gap: int = 2
    warmup: int = 10
    queries: Queries = "mean"
    rank: Rank = "share"
    layout: Layout = "off"

    def __post_init__(self) -> None:
        check_ranges(self, gap=(1, 1000), warmup=(1, 1_000_000))
        if self.keep is not None:
            check_ranges(self, keep=(0.0, 1.0))
        if self.focal is not None:
            check_ranges(self, focal=(0.0, 1.0))

    @property
    def shares(self) -> tuple[float, float]:
        """Of the visual tokens in the fixation, and of the layers that are focal."""
        keep, focal = PRESETS[self.preset]
        return keep if self.keep is None else self.keep, focal if self.focal is None else self.focal

    def selector(self, prompt: Prompt, layers: int, drafts: Sequence[DraftTokens] = ()) -> FastOcrSelector:
        return FastOcrSelector(self, prompt, layers, drafts)


class FastOcrSelector(Selector):
    """One output. Structural tokens are read like text and are no part of what is counted.

    `focal` are the focal layers, ascending, once the warm-up is over; `fixation [K]` what the next layer that is not
    focal reads of the picture, structural tokens included. A token that a focal layer no longer holds, because another
    method evicted it there, counts as not attended to; a layer reads what it holds itself of the fixation.
    """

    def __init__(self, method: FastOcr, prompt: Prompt, layers: int, drafts: Sequence[DraftTokens] = ()) -> None:
        keep, self._focal_share = method.shares
        self._method = method
        self._layers = layers
        self._open = (~prompt.structural).nonzero()[:, 0]
        self._fixed = prompt.structural.nonzero()[:, 0]
        self._count = math.ceil(keep * len(self._open) - ROUNDING)
        self._regions = None if method.layout == "off" else LayoutPrior(prompt, drafts)
        self._drafted: Tensor | None = None  # [n_v] where the drafts say that the output is; None: they do not
        self._step = 0
        self._spent: list[Tensor] = [prompt.embeds.new_zeros(())] * layers  # on the picture, summed over the warm-up
        self._last: list[Tensor] = []  # of each layer: the attention [N, n_v] of the last step of the warm-up
        self.focal: tuple[int, ...] = ()
        self.fixation: Tensor | None = None

    @property
    def _warming(self) -> bool:
        return self._step <= self._method.warmup

    def follow(self, tree: Tree) -> None:
        under = None if self._regions is None else self._regions.under(tree)
        self._drafted = None if under is None or not under[self._open].any() else under[self._open]

    def select(self, layer: int) -> Tensor | None:
        if layer == 0:
            self._step += 1
            if not self._warming and not self.focal:
                self._choose()
        if self.wants(layer) or self.fixation is None:
            return None
        if self._method.layout == "add" and self._drafted is not None:
            import torch

            return torch.cat([self.fixation, self._open[self._drafted]]).unique()
        return self.fixation

    def wants(self, layer: int) -> bool:
        return self._warming or layer in self.focal

    def observe(self, layer: int, weights: Tensor) -> None:
        """Attention sums to one, so what falls on the picture is the share that the paper calls R (`rank="share"`)."""
        weights = weights[:, self._open]
        if not self._warming:
            self.fixation = self._fixated(weights)
            return
        counted = weights.topk(self._count).values if self._method.rank == "peak" else weights
        self._spent[layer] = self._spent[layer] + counted.sum(dim=1).mean()
        if self._step == self._method.warmup:
            self._last.append(weights)

    def _choose(self) -> None:
        """After the warm-up: the focal layers, and what the deepest of them saw last."""
        import torch

        spent = torch.stack(self._spent).tolist()
        self.focal = focal_layers(spent, self._focal_share, self._method.gap)
        self.fixation = self._fixated(self._last[self.focal[-1]])
        self._last.clear()

    def _fixated(self, weights: Tensor) -> Tensor:
        """The visual tokens that the nodes' attention `[N, n_v]` is largest at, with the structural ones."""
        import torch

        count = self._count
        if self._method.layout == "within" and self._drafted is not None:
            weights = weights.masked_fill(~self._drafted, -1.0)
            count = min(count, int(self._drafted.sum()))
        if self._method.queries == "union":
            chosen = torch.cat([largest(each, count) for each in weights]).unique()
        else:
            chosen = largest(weights.mean(dim=0), count)
        return torch.cat([self._open[chosen], self._fixed]).sort().values


def focal_layers(spent: Sequence[float], share: float, gap: int) -> tuple[int, ...]:
    """Layers by what they spend on the picture, most first, each at least `gap` from those chosen before, until `share`
    of all layers are (rounded down, at least one); ascending. Of equal ones the first."""
    most = max(1, math.floor(share * len(spent) + ROUNDING))
    chosen: list[int] = []
    for layer in sorted(range(len(spent)), key=lambda each: -spent[each]):
        if len(chosen) < most and all(abs(layer - other) >= gap for other in chosen):
            chosen.append(layer)
    return tuple(sorted(chosen))
