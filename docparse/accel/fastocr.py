"""FastOCR: at each step a few focal layers read the whole picture, and the others only where these look.

1. *Warm-up*: some steps of full attention tell how much of it each layer spends on the picture.
2. *Focal layers* are the ones that spend most, chosen once for an output, not side by side.
3. *Every later step*: a focal layer reads everything, and what it attends to most is the fixation; the layers after it
   read the fixation and all text. Before the first focal layer of a step the fixation is the last one of the step
   before. Nothing leaves the cache.

`mode=paper` has no gap between focal layers, and takes the first fixation of an output from its first layer.
"""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from docparse.accel.eviction import after_vision, attention
from docparse.accel.method import Selecting, between
from docparse.engine.hooks import RowMemory, Selection, Selector
from docparse.errors import UsageError

if TYPE_CHECKING:
    from torch import Tensor

    from docparse.engine.prompt import Prompt

Preset = Literal["safe", "fast"]
Rank = Literal["share", "peak"]
PRESETS = {"safe": (0.2, 0.2), "fast": (0.05, 0.1)}  # keep, focal; what the paper sets for quality, and for speed
ROUNDING = 1e-9  # 0.1 * 30 is 3.0000000000000004, 0.29 * 100 is 28.999999999999996


@dataclass(frozen=True)
class FastOcr(Selecting):
    """`keep` of the visual tokens are the fixation (the paper's rho), `focal` of the layers are focal, at least one;
    None: as the `preset` says. They are at least `gap` layers apart; None: 2, with `mode=paper` 1. `layers` names them
    instead, as in `0/3`. The warm-up takes `warmup` steps; 0: the prefill's attention, of the words after the picture,
    stands for it.

    Before the first focal layer of a step the others read the last fixation of the step before; without `reuse`, and
    with `mode=paper` where there is none yet, what the first layer looks at most, which then reads everything.

    With drafts every node of the tree is a query, and in the layers after a focal one reads its own fixation, just as
    if it had been decoded alone. What goes on to the next pass, and what the warm-up counts, are the nodes that became
    output.

    `rank`: a layer is focal by all that it spends on the picture (`share`, the paper's) or on what it would fixate
    (`peak`).
    """

    name: ClassVar[str] = "fastocr"

    preset: Preset = "safe"
    keep: float | None = between(0.0, 1.0, None)
    focal: float | None = between(0.0, 1.0, None)
    gap: int | None = between(1, 1000, None)
    layers: str = ""
    warmup: int = between(0, 1_000_000, 10)
    rank: Rank = "share"
    reuse: bool = True
    mode: Literal["ours", "paper"] = "ours"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not re.fullmatch(r"(\d+(/\d+)*)?", self.layers):
            raise UsageError(f"--accel fastocr: layers={self.layers}: write numbers of layers, such as 0/3")

    @property
    def shares(self) -> tuple[float, float]:
        """Return the shares of the visual tokens in the fixation and of the layers that are focal."""
        keep, focal = PRESETS[self.preset]
        return keep if self.keep is None else self.keep, focal if self.focal is None else self.focal

    @property
    def apart(self) -> int:
        """Return the least distance of two focal layers."""
        return self.gap or (1 if self.mode == "paper" else 2)

    def named(self, layers: int) -> tuple[int, ...]:
        """Return the focal layers that are named, ascending; `UsageError` where a model of so many layers has fewer."""
        found = sorted({int(layer) for layer in self.layers.split("/") if layer})
        if found and found[-1] >= layers:
            raise UsageError(f"--accel fastocr: layers={self.layers}: the model has layers 0 to {layers - 1}")
        return tuple(found)

    def check_layers(self, layers: int) -> None:
        self.named(layers)

    def focal_count(self, layers: int) -> int:
        """Return how many of so many layers are focal at most: those named, else their share, at least one."""
        return len(self.named(layers)) or max(1, math.floor(self.shares[1] * layers + ROUNDING))

    def reads(self, layers: int) -> tuple[float, float]:
        """Return what a layer reads of the visual tokens and of all others, mean over the layers."""
        whole = self.focal_count(layers) / layers
        return whole + (1 - whole) * self.shares[0], 1.0

    def selector(self, prompt: Prompt, layers: int) -> FastOcrSelector:
        return FastOcrSelector(self, prompt, layers)


class FastOcrSelector(Selector):
    """One output. Structural tokens are read like text and are no part of what is counted.

    `focal` are the focal layers, ascending, once the warm-up is over. A token that a focal layer no longer holds,
    because another method evicted it there, counts as not attended to; a layer reads what it holds itself of the
    fixation. All that differs between steps of the warm-up, or between those after it, is in a mask over the visual
    tokens, which stays where it is: so a pass can be captured.
    """

    def __init__(self, method: FastOcr, prompt: Prompt, layers: int) -> None:
        import torch

        self._method = method
        self._open = ~prompt.structural  # [V] the tokens that compete
        competing = int(self._open.sum())
        self._count = math.ceil(method.shares[0] * competing - ROUNDING)
        self._asking = after_vision(prompt)  # how many words of the prompt a warm-up of 0 steps goes by
        self._rows = prompt.visual.nonzero()[:, 0]  # [V] of the prompt
        self._left = method.warmup  # tokens of the warm-up that are still to come
        self._spent: list[Tensor] = [prompt.embeds.new_zeros(())] * layers  # on the picture, summed over the warm-up
        self._seen: dict[int, Tensor] = {}  # by layer: the warm-up's attention [N, V] in this pass
        self._known = False  # whether some step has had a fixation
        self._anew = False  # whether this step begins with what the first layer looks at
        self._chosen: Tensor  # [N, V] the fixations of this pass's nodes
        self._fixation: Selection | None = None  # what the next layer that is not focal reads
        self._last = torch.zeros_like(self._open)  # [V] what the last step fixated
        self._structural = len(self._open) - competing
        self.focal: tuple[int, ...] = ()

    def on_prefill_layer(self, layer: int, query: Tensor, key: Tensor, scale: float) -> None:
        if self._method.warmup:
            return
        first = key.shape[1] - self._asking
        weights = attention(query[:, first:], key, scale, first=first).mean(dim=0)[:, self._rows]
        self._seen[layer] = weights.to(query.dtype)
        if layer == len(self._spent) - 1:
            self._warm_up(self._seen, range(self._asking), self._asking - 1)

    def settle(self, memory: RowMemory) -> None:
        self._open, self._last = memory.hold(self._open), memory.hold(self._last)

    def begin(self) -> Hashable:
        self._seen = {}
        paper = self._method.mode == "paper" and not self._known
        self._anew = bool(self.focal) and (paper or not self._method.reuse)
        return self._method, self.focal, self._anew, self._count, self._structural

    def select(self, layer: int) -> Selection | None:
        if not self.focal or layer in self.focal or (layer == 0 and self._anew):
            return None
        if layer == 0:
            self._fixation = self._selection(self._last[None])
        return self._fixation

    def observe(self, layer: int, weights: Tensor) -> None:
        if not self.focal:
            self._seen[layer] = weights
            return
        self._chosen = self._largest(weights)
        self._fixation = self._selection(self._chosen)

    def left(self) -> Mapping[int, Tensor]:
        """Return what every layer saw in the warm-up; later what the deepest focal layer's nodes fixate."""
        return {self.focal[-1]: self._chosen} if self.focal else self._seen

    def on_commit(self, path: Sequence[int], left: Mapping[int, Tensor]) -> None:
        nodes = [0, *path]
        if self.focal:
            self._last.copy_(left[self.focal[-1]][nodes[-1]])
            self._known = True
        else:
            self._warm_up(left, nodes[: self._left], nodes[-1])

    def _warm_up(self, seen: Mapping[int, Tensor], nodes: Sequence[int], last: int) -> None:
        """Attention sums to one, so what falls on the picture is the share that the paper calls R (`rank="share"`).

        Once it is over, focal layers are chosen, and (but in the paper) what the deepest of them saw at the `last` node
        goes on to the next step.
        """
        import torch

        for layer, each in seen.items():
            counted = each[list(nodes)][:, self._open]
            if self._method.rank == "peak":
                counted = counted.topk(self._count).values
            self._spent[layer] = self._spent[layer] + counted.sum()
        self._left = max(0, self._left - len(nodes))
        if self._left:
            return
        most = self._method.focal_count(len(self._spent))
        named = self._method.named(len(self._spent))
        self.focal = named or focal_layers(torch.stack(self._spent).tolist(), most, self._method.apart)
        if self._method.mode != "paper":
            self._last.copy_(self._largest(seen[self.focal[-1]])[last])
            self._known = True

    def _largest(self, weights: Tensor) -> Tensor:
        """Return at which visual tokens attention `[N, V]` is largest, of equal ones the first; bool `[N, V]`."""
        import torch

        order = weights.masked_fill(~self._open, -1.0).argsort(dim=-1, descending=True, stable=True)
        first = torch.zeros_like(weights, dtype=torch.bool).scatter_(1, order[:, : self._count], True)
        return first & self._open

    def _selection(self, fixated: Tensor) -> Selection:
        """Return what is read where nodes fixate `[N, V]`."""
        return Selection(fixated | ~self._open, len(fixated) * self._count + self._structural)


def focal_layers(spent: Sequence[float], most: int, gap: int) -> tuple[int, ...]:
    """Return at most so many layers by what they spend on the picture, most first, each at least `gap` from those
    chosen before; ascending. Of equal ones the first."""
    chosen: list[int] = []
    for layer in sorted(range(len(spent)), key=lambda each: -spent[each]):
        if len(chosen) < most and all(abs(layer - other) >= gap for other in chosen):
            chosen.append(layer)
    return tuple(sorted(chosen))
