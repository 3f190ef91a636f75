"""The published models as a cost model sees them: what a pass reads, computes and launches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from docparse.bench.prediction.hardware import EXPERT

BYTES = 2  # of a number in bfloat16


class Page(NamedTuple):
    """What a family's processor makes of an A4 page at 200 dpi (1654 x 2339 pixels): visual tokens in the prompt, and
    patches in the vision tower."""

    visual_tokens: int
    patches: int


PAGES = {
    "dots.ocr": Page(4956, 19824),
    "hunyuan-ocr": Page(3871, 15184),
    "qwen3-vl-2b": Page(3796, 15184),
    "qwen3-vl": Page(3796, 15184),
    "deepseek-ocr": Page(903, 13696),  # six tiles of 640 x 640 and the page at 1024 x 1024, 16 x 16 pixels a patch
}


@dataclass(frozen=True)
class Experts:
    """Routed experts: `active` of `count` in each of `layers` layers read a token; `size` are the parameters of one, in
    all layers together."""

    count: int
    active: int
    layers: int
    size: int

    def touched(self, tokens: float) -> float:
        """How many of a layer's experts `tokens` tokens of one pass need, as if each chose its own at random."""
        return self.count * (1 - (1 - self.active / self.count) ** tokens)


@dataclass(frozen=True)
class Shape:
    """A model at its published size.

    `dense` are the parameters that every pass reads: the decoder without its embeddings and routed experts, and the
    head. `kv_bytes` are those of one position in all layers, `width` is query heads times head size. `operators` is how
    many a plain decode pass launches. `vision` are the parameters of the vision tower, `vision_attention` its
    attention's operations for each pair of patches.
    """

    model: str
    layers: int
    width: int
    kv_bytes: int
    dense: int
    experts: Experts | None
    operators: int
    vision: int
    vision_attention: int
    page: Page

    @property
    def active(self) -> int:
        """The parameters that one token meets."""
        return self.dense + (self.experts.active * self.experts.size if self.experts else 0)

    def read(self, tokens: float) -> float:
        """Bytes of weights that a pass over `tokens` tokens reads."""
        return BYTES * (self.dense + (self.experts.touched(tokens) * self.experts.size if self.experts else 0))

    def launched(self, tokens: float) -> float:
        """Operators of that pass, one after the other for each expert."""
        routed = self.experts
        return self.operators + (EXPERT.value * routed.layers * routed.touched(tokens) if routed else 0)
