"""`--accel auto`: for each page the methods that are likely to pay for themselves, and why.

The rules follow what the methods cost and gain (docs/benchmarks/methods.md); which of their numbers are measured and
which are reasoned is said at each. Speculation needs drafts, an output long enough to draft, and a device on which a
pass over several tokens costs less than as many passes. What changes the text is used only where that was asked for:
FastOCR where reading the picture is a good part of a pass, more than choosing what to read costs, and the output is
much longer than the warm-up; RTPrune where the prompt is much of the work and the page is not full of text. Methods
that evict rows are never chosen: FastOCR reads as little, and on documents they lose most.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import ClassVar

from docparse.accel.costs import CostCurve
from docparse.accel.drafts import TEXT_LAYER
from docparse.accel.fastocr import FastOcr
from docparse.accel.hsd import Hsd
from docparse.accel.method import Method, between
from docparse.accel.rtprune import RtPrune
from docparse.errors import UsageError

ACCEPTED = {TEXT_LAYER: 0.92}  # of tokens: measured with 5 % of them wrong (docs/benchmarks/hsd.md)
ACCEPTED_OTHERWISE = 0.87  # measured with 10 % wrong
CHOOSING = 0.0004  # seconds a layer that choosing and gathering rows takes: measured on a CPU core
# What follows is reasoned, not measured.
SHORT_OUTPUT = 16  # tokens of output below which there is nothing to gain
MIN_SPEEDUP = 1.05  # times faster, what speculation must promise
READING = 0.1  # share of a pass that goes into reading the picture, from which reading less of it pays
WARM_UPS = 4  # lengths of FastOCR's warm-up that an output must have
PROMPT = 0.2  # share of a page's time that goes into its prompt, from which a shorter one pays
FULL_DENSITY = 0.3  # text density from which every token of the picture may hold text


@dataclass(frozen=True)
class PageFacts:
    """Facts about a page, known before the model reads it.

    `source` and number of tokens (`drafted`) of the longest draft, 0 where there is none; tokens of the prompt, those
    of the picture among them; `density`, the share of the page's pixels on an edge. Of the model: bytes of the weights
    that a pass reads and of one row of the cache in all layers, how many `layers` there are, the `costs` of a pass, the
    `device` it runs on, and whether it is `windowed`: reads only a part of what it wrote.
    """

    source: str
    drafted: int
    prompt: int
    visual: int
    density: float
    weight_bytes: int
    row_bytes: int
    layers: int
    costs: CostCurve
    device: str
    windowed: bool = False


@dataclass(frozen=True)
class MethodChoice:
    """The methods for a page, in the order of their seams, and the reasons, one phrase."""

    methods: tuple[Method, ...]
    why: str


@dataclass(frozen=True)
class Auto(Method):
    """`lossy`: methods that may change the text are candidates, too: FastOCR with its `keep` and `layers`, RTPrune with
    its `most`, the papers' values where nothing is said. With a `keep` of 1 or a `most` of 0 they are none. From a text
    density of `full` on nothing is pruned."""

    name: ClassVar[str] = "auto"
    seam: ClassVar[str] = "all"

    lossy: bool = False
    keep: float | None = None
    layers: str = ""
    most: float = between(0.0, 0.99, RtPrune.most)
    full: float = between(0.0, 1.0, FULL_DENSITY)

    def __post_init__(self) -> None:
        if not self.lossy and (self.keep, self.layers, self.most, self.full) != (None, "", RtPrune.most, FULL_DENSITY):
            raise UsageError("--accel auto: keep, layers, most and full belong to lossy methods: add lossy=true")
        super().__post_init__()
        self.reading.named(sys.maxsize)  # checks the others

    @property
    def reading(self) -> FastOcr:
        """Return FastOCR as it is a candidate."""
        return FastOcr(keep=self.keep, layers=self.layers)

    @property
    def candidates(self) -> tuple[Method, ...]:
        """Return what a page may be read with, in the order of the seams."""
        if not self.lossy:
            return (Hsd(),)
        lossy: list[tuple[Method, bool]] = [(RtPrune(most=self.most), self.most > 0), (self.reading, self.keep != 1)]
        return (*(method for method, used in lossy if used), Hsd(tau=0.75))

    def choose(self, page: PageFacts) -> MethodChoice:
        """Return the candidates that suit the page."""
        gain, why = speculation(page)
        verdicts = {
            "hsd": (gain > 1, why),
            "fastocr": _reading(page, self.reading),
            "rtprune": _prompt(page, page.drafted / gain, self.full),
        }
        chosen = tuple(method for method in self.candidates if verdicts[method.name][0])
        return MethodChoice(chosen, "; ".join(verdicts[method.name][1] for method in self.candidates[::-1]))


def speculation(page: PageFacts) -> tuple[float, str]:
    """Return how many times faster drafts promise to be, 1 where they are not worth while; and why."""
    if page.drafted < SHORT_OUTPUT:
        return 1.0, "little or nothing to draft"
    accepted = ACCEPTED.get(page.source, ACCEPTED_OTHERWISE)
    gain = promise(page.costs, accepted)
    if gain < MIN_SPEEDUP:
        return 1.0, f"on {page.device} a pass over several tokens costs as much as several passes"
    return gain, f"drafts from {page.source}"


def promise(costs: CostCurve, accepted: float) -> float:
    """Return tokens per second of the best chain of draft tokens over those of plain decoding, when each token is
    accepted with this probability where all before it were."""
    tokens = best = 1.0
    for length in range(1, max(costs.points)):
        tokens += accepted**length
        best = max(best, tokens * costs.seconds(1) / costs.seconds(1 + length))
    return best


def _reading(page: PageFacts, method: FastOcr) -> tuple[bool, str]:
    """Return whether a pass spends much on the picture: it reads all weights, and the cache once."""
    if page.windowed:
        why = "what is chosen of a picture is read with all that was written, and this model reads the last of it"
        return False, why
    share = page.visual * page.row_bytes / (page.weight_bytes + page.prompt * page.row_bytes)
    if share < READING:
        return False, "the picture is a small part of what a pass reads"
    unread = 1 - method.reads(page.layers)[0]
    if unread * share * page.costs.seconds(1) < page.layers * CHOOSING:
        return False, "choosing what to read of the picture takes longer than reading it"
    if page.drafted < WARM_UPS * method.warmup:
        return False, "the output is short beside FastOCR's warm-up"
    return True, "the picture is much of what a pass reads"


def _prompt(page: PageFacts, passes: float, full: float) -> tuple[bool, str]:
    """Return whether the prompt takes much of the page's time, and has tokens without text."""
    if page.density >= full:
        return False, "the page is full of text"
    many = max(page.costs.points)
    prefill, decode = page.prompt * page.costs.seconds(many) / many, max(passes, 1.0) * page.costs.seconds(1)
    if prefill < PROMPT * (prefill + decode):
        return False, "the prompt is a small part of the work"
    return True, "a long prompt and room on the page"
