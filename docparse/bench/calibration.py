"""`docparse bench --calibrate MODEL`: what its presets may be, by what each setting loses of the model's own output.

A loss is the mean over the pages, and is within the bound if it is with its standard error: the strongest of many
settings owes something to these pages.

1. The model reads the pages as it is, and it is noted how much attention each layer spends on the picture.
2. *Focal layers* for FastOCR: the fewest of those that spend most which lose no more than the bound.
3. *Budgets*, each method alone: from mild to strong, up to the first that loses more than the bound.
4. *Presets* are made of what was found; what they lose together decides in the end.
5. *Density*: `auto(lossy=true)` may prune more than the presets where there is less text on a page, if at least the
   sparsest half of the pages can bear it.

Each stack is tried with `hsd` and plain decoding's output as the draft, which confirms what the model says under the
stack, ten times as fast. `hsd(tau=0.75)`, which every preset has besides, is the paper's, and is not measured here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import takewhile
from typing import Any, ClassVar

import msgspec
import numpy as np
from torch import Tensor

from docparse.accel.auto import Auto
from docparse.accel.fastocr import FastOcr, focal_layers
from docparse.accel.rtprune import RtPrune
from docparse.accel.stack import Stack, parse_stack
from docparse.bench.data.pages import BenchPage
from docparse.bench.measures import MeasuredPage
from docparse.bench.race import Race, told
from docparse.bench.request import BenchRequest
from docparse.bench.rows import AR
from docparse.bench.run import model_of, race_of
from docparse.bench.scoring.metrics import character_error_rate, edit_distance
from docparse.engine.hooks import Selector
from docparse.engine.prompt import Prompt
from docparse.errors import DeviceLost, InputError, UsageError
from docparse.sizes import counted
from docparse.vlm.calibrated import Calibration, weights_hash
from docparse.vlm.engine import VlmEngine
from docparse.vlm.image_prep import page_image
from docparse.vlm.loaded import load, text_density

BOUND = 0.01  # of what plain decoding has right: a point of CER, as in the headlines of a report
KEEP = 0.2  # the paper's share of visual tokens in the fixation, at which focal layers are chosen
FOCAL = (0.1, 0.2, 0.34, 0.5)  # shares of focal layers: the paper's two, and more for shallow models
KEEPS = (0.5, 0.2, 0.1, 0.05)
RATIOS = (0.05, 0.1, 0.2, 0.3)
BUDGETS = (0.75, 0.5, 0.25, 0.1)
LONGER = 1.25  # times the tokens of the longest plain output: what writes more has lost the page
SPARSE = 0.5  # share of the pages: what only a few can bear is luck
QUICK, ALWAYS = "hsd", "hsd(tau=0.75)"  # with which stacks are tried, and which every preset has


@dataclass
class Profile(Selector):
    """A method on the `select` seam that reads everything and adds up what each layer spends on the picture."""

    seam: ClassVar[str] = "select"
    spent: np.ndarray
    structural: Tensor | None = None  # of the output at hand

    def selector(self, prompt: Prompt, layers: int) -> Selector:
        return replace(self, structural=prompt.structural)

    def select(self, layer: int) -> None:
        return None

    def observe(self, layer: int, weights: Tensor) -> None:
        """Plain decoding has trees of one node, which nothing pads."""
        assert self.structural is not None
        self.spent[layer] += float(weights.mean(dim=0)[~self.structural].sum())


@dataclass
class Calibrating:
    """Pages with what plain decoding wrote of them, and what every stack that was tried lost of that."""

    race: Race
    pages: Sequence[BenchPage]
    plain: Sequence[MeasuredPage]
    say: Callable[[str], None]
    densities: Sequence[float] = ()
    lost: dict[str, float] = field(default_factory=dict)
    by_page: dict[str, list[float]] = field(default_factory=dict)

    @property
    def by_truth(self) -> bool:
        """Return whether the loss is in characters that are wrong, else by the distance to plain decoding's text."""
        return all(page.truth is not None for page in self.pages)

    def within(self, spelled: str) -> bool:
        """Return whether a stack loses no more than the bound, its standard error included; it is tried once."""
        if spelled not in self.lost:
            self.by_page[spelled] = losses = self._losses(spelled)
            self.lost[spelled] = sum(losses) / len(losses)
            self.say(f"{spelled}: {_points(self.lost[spelled]):+.1f} ± {_points(_error(losses)):.1f} points")
        return _fits(self.by_page[spelled])

    def ladder(self, *mild_to_strong: str) -> list[str]:
        """Return those before the first that loses too much."""
        return list(takewhile(self.within, mild_to_strong))

    def together(self, *ladders: Sequence[str]) -> str:
        """Return the strongest of each as one preset. While that loses too much, what loses most alone is milder, and
        left out where it was the mildest."""
        left = [list(each) for each in ladders if each]
        while left and not self.within("+".join(each[-1] for each in left)):
            max(left, key=lambda each: self.lost[each[-1]]).pop()
            left = [each for each in left if each]
        return "+".join([*(each[-1] for each in left), ALWAYS])

    def sparsest(self, spelled: str) -> tuple[float, float]:
        """Return the share of the pages, sparsest first, that stay within the bound, and the density that is too
        much."""
        self.within(spelled)
        order = np.argsort(self.densities)
        losses = [self.by_page[spelled][k] for k in order]
        if not (count := max((k for k in range(1, len(losses) + 1) if _fits(losses[:k])), default=0)):
            return 0.0, 0.0
        return count / len(order), math.ceil(100 * self.densities[order[count - 1]] + 1) / 100

    def _losses(self, spelled: str) -> list[float]:
        """Return the loss of each page; one that fails is lost, and all are where the model cannot have the method."""
        try:
            engine = VlmEngine.of(self.race.vlm, parse_stack(f"{spelled}+{QUICK}"), load)
        except UsageError as error:
            self.say(str(error))
            return [1.0] * len(self.pages)
        race = replace(self.race, methods={AR: self.race.methods[AR], spelled: engine})
        losses = []
        for page, plain in zip(self.pages, self.plain, strict=True):
            try:
                losses.append(self._of_page(page, race.attempt(page, spelled, plain), plain))
            except DeviceLost:
                raise
            except Exception as error:
                self.say(f"{page.name} {spelled}: {told(error)}")
                losses.append(1.0)
        return losses

    def _of_page(self, page: BenchPage, attempt: MeasuredPage, plain: MeasuredPage) -> float:
        if not self.by_truth or page.truth is None:
            return edit_distance(attempt.text, plain.text)
        now, before = (character_error_rate(each.markdown, page.truth) for each in (attempt, plain))
        return now - before


def calibration(request: BenchRequest, pages: Sequence[BenchPage], say: Callable[[str], None]) -> Calibration:
    """Return what the presets of the model should be, measured on these pages; nothing is stored."""
    vlm = model_of(request, request.calibrate, say)
    race = race_of(request, vlm, request.stacks)
    read: list[tuple[BenchPage, MeasuredPage, np.ndarray, float]] = []
    for page in pages:
        try:
            plain, looks = _profiled(race, page)
            with page.open() as content:
                density = text_density(page_image(content, vlm.family, race.pipeline.engines.ocr_dpi).pixels)
        except DeviceLost:
            raise
        except Exception as error:
            say(f"{page.name}: left out: {told(error)}")
            continue
        read.append((page, plain, looks, density))
        say(f"{page.name}: {sum(map(len, plain.tokens))} tokens by plain decoding")
    if not read:
        raise InputError(f"--calibrate {request.calibrate}: plain decoding could read no page of {request.data}")
    known, written, spent, densities = zip(*read, strict=True)
    longest = max(sum(map(len, each.tokens)) for each in written)
    most = min(race.settings.output_tokens, math.ceil(LONGER * longest))  # all are cut at the same token
    limited = msgspec.structs.replace(race.settings, max_tokens=most)
    found = Calibrating(replace(race, settings=limited, drafts="oracle"), known, written, say, densities)
    presets, focal = _presets(found, np.stack(spent), vlm.text.layers)
    return Calibration(
        weights=weights_hash(vlm.folder) if vlm.folder else "",
        model=vlm.name,
        date=datetime.now(UTC).date().isoformat(),
        data=request.data,
        pages=len(known),
        unit="points of CER" if found.by_truth else "edit distance to plain decoding's text, %",
        bound=100 * BOUND,
        focal=focal,
        presets={name: str(parse_stack(stack)) for name, stack in presets.items()},
        lost={name: _points(lost) for name, lost in found.lost.items()},
    )


def _fits(losses: Sequence[float]) -> bool:
    """Return whether the mean over pages, with its standard error, is within the bound."""
    return sum(losses) / len(losses) + _error(losses) <= BOUND


def _error(losses: Sequence[float]) -> float:
    """The standard error of the mean over pages; 0 for a single page, which tells nothing of others."""
    return float(np.std(losses, ddof=1)) / math.sqrt(len(losses)) if len(losses) > 1 else 0.0


def _points(lost: float) -> float:
    """Return a share in hundredths, as it is told and as it is kept."""
    return round(100 * lost, 2)


def _profiled(race: Race, page: BenchPage) -> tuple[MeasuredPage, np.ndarray]:
    """A page by plain decoding, and what each layer spent on the picture: nothing is known where a model reads only a
    part of what it wrote, which FastOCR is not for."""
    spent, engine = np.zeros(race.vlm.text.layers), race.methods[AR]
    if race.vlm.text.window is None:
        watched: Any = Profile(spent)
        engine = replace(engine, stack=Stack((watched,)))
    return replace(race, methods={AR: engine}).attempt(page, AR), spent


def lines(found: Calibration) -> Iterator[str]:
    """Yield what was measured and what presets are by it."""
    yield f"{found.model}, {counted(found.pages, 'page')} of {found.data}: {found.unit}, lost to plain decoding"
    yield from (f"{lost:+8.1f}  {name}" for name, lost in found.lost.items())
    yield f"Focal layers: {found.focal[0]}, the same on {found.focal[1]:.0%} of the pages."
    yield f"At most {found.bound:g} lost:"
    yield from (f"{name:>16}  {stack}" for name, stack in found.presets.items())


def _presets(found: Calibrating, spent: np.ndarray, layers: int) -> tuple[dict[str, str], tuple[str, float]]:
    """Return what the presets stand for, from `spent [P, L]`; the focal layers, and on what share of pages they are the
    same."""
    named, stable = _focal(found, spent, layers)
    fastocr = found.ladder(*(f"fastocr(keep={keep},layers={named})" for keep in KEEPS))
    rtprune = found.ladder(*(f"rtprune(most={most})" for most in RATIOS))
    caches = [found.ladder(*(f"{name}(budget={share})" for share in BUDGETS)) for name in ("aircache", "vlcache")]
    smallest = max(caches, key=len)  # the more settings it can take, the less it leaves
    presets = {
        "balanced": found.together(fastocr),
        "fast": found.together(rtprune, smallest, fastocr),
        "auto(lossy=true)": _auto(found, parse_stack(found.together(rtprune, fastocr))),
    }
    return presets, (named, stable)


def _focal(found: Calibrating, spent: np.ndarray, layers: int) -> tuple[str, float]:
    """The fewest layers that lose no more than the bound, else those that lose least; the paper's rule ranks them."""

    def most(page: np.ndarray, share: float) -> str:
        count = max(1, math.floor(share * layers))
        return "/".join(map(str, focal_layers(page.tolist(), count, FastOcr().apart)))

    sets = {most(spent.mean(axis=0), share): share for share in reversed(FOCAL)}
    tried = {f"fastocr(keep={KEEP},layers={named})": named for named in reversed(sets)}
    chosen = next((each for each in tried if found.within(each)), None)
    named = tried[chosen or min(tried, key=lambda each: found.lost[each])]
    same = [most(page, sets[named]) == named for page in spent]
    return named, sum(same) / len(same)


def _auto(found: Calibrating, stack: Stack) -> str:
    """`auto(lossy=true)` with the values of a stack, but so many tokens pruned, up to a density, that most go over all
    pages; what is not in the stack is no candidate."""
    pruning, reading = stack.pruning, stack.selecting
    keep, layers, beside = 1.0, "", ""
    if isinstance(reading, FastOcr):
        keep, layers, beside = reading.keep or KEEP, reading.layers, f"+{Stack((reading,))}"
    most = pruning.most if isinstance(pruning, RtPrune) else 0.0
    best = (most, most, 1.0)
    for ratio in RATIOS:
        share, full = found.sparsest(f"rtprune(most={ratio}){beside}") if ratio >= most else (0.0, 0.0)
        if share >= SPARSE and ratio * share >= best[0]:
            best = (ratio * share, ratio, full)
    return str(Stack((Auto(True, keep, layers, *best[1:]),)))
