"""Who looks over a method's shoulder: wrappers around its seams that note what passes through and change nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from torch import Tensor

from docparse.accel.drafts import DraftTokens
from docparse.engine.hooks import Compressor, Kept, Picture, Selection, Selector, Visual
from docparse.engine.prompt import Prompt
from docparse.vlm.engine import VlmEngine

Views = list[tuple[Visual, Kept]]


@dataclass(frozen=True)
class Look:
    """What layers that do not read the whole picture read of it at a step (counted from 1): `read [K]` numbers of
    visual tokens, and the `attention [K]` that a layer which reads all of them spent on each."""

    step: int
    read: np.ndarray
    attention: np.ndarray


class Seen:
    """What was noted of one prompt and its output.

    The n visual tokens that may be removed are counted as they were before any was: `boxes [n, 4]`, and of each the
    share of layers and heads that hold it, `kept [n]`. `spent[l]` is what layer l's attention spent on the picture,
    summed over `steps`; `focal` the layers that read it whole when others last did not.
    """

    def __init__(self, prompt: Prompt, views: Views) -> None:
        self.prompt = prompt
        self.open = (~prompt.structural).cpu().numpy()
        if views:
            self.boxes = torch.cat([visual.boxes for visual, _ in views]).cpu().numpy()
            firsts = np.cumsum([0, *(len(visual.boxes) for visual, _ in views)])
            rows = [kept.rows.cpu().numpy() + first for (_, kept), first in zip(views, firsts, strict=False)]
            numbers = np.concatenate(rows)
        else:
            self.boxes = prompt.boxes.cpu().numpy()[self.open]
            numbers = np.arange(len(self.boxes))
        self.number = np.full(len(self.open), -1)  # [V] of the prompt's tokens, in the count of all
        self.number[self.open] = numbers
        self.kept = np.zeros(len(self.boxes))
        self.kept[numbers] = 1.0
        self.removes = bool(views)
        self.spent: list[float] = []
        self.steps = 0
        self.focal: tuple[int, ...] = ()
        self.looks: list[Look] = []

    def hold(self, rows: Sequence[Tensor]) -> None:
        """Of each layer only these rows of the prompt stay, `[K]`, or `[KV, K]` a head."""
        held = np.zeros(len(self.prompt))
        for layer in rows:
            heads = 1 if layer.dim() == 1 else len(layer)
            held += np.bincount(layer.flatten().cpu().numpy(), minlength=len(held)) / heads
        visual = held[self.prompt.visual.cpu().numpy()] / len(rows)
        self.kept[self.number[self.open]] = visual[self.open]
        self.removes = True

    def step(self, shares: Sequence[float], chosen: Sequence[Selection | None], attention: Tensor) -> None:
        """A step: what each layer spent on the picture and read of it (None: all), and what `attention [V]` a layer
        that reads all of it pays."""
        self.steps += 1
        before = self.spent or [0.0] * len(shares)
        self.spent = [one + other for one, other in zip(before, shares, strict=True)]
        selected = [each for each in chosen if each is not None]
        if not selected:
            return
        self.focal = tuple(layer for layer, each in enumerate(chosen) if each is None)
        read = selected[-1].tokens.cpu().numpy()
        read = read[self.open[read]]
        self.looks.append(Look(self.steps, self.number[read], attention.float().cpu().numpy()[read]))


class Recorder:
    """One method reading a page. `prompts` are those that it read, in order: the page's own after its regions'."""

    def __init__(self) -> None:
        self.prompts: list[Seen] = []
        self.views: Views = []  # pruned since the last prompt

    def watching(self, engine: VlmEngine) -> VlmEngine:
        """Return the engine with this recorder in it. What heads hold apart no selector can be asked about: then
        attention is not recorded."""
        pruning: Any = engine.pruning and _Watched(engine.pruning, self)
        compressing: Any = engine.compressing and _Watched(engine.compressing, self)
        selecting: Any = engine.selecting
        if engine.compressing is None or engine.compressing.uniform:
            selecting = _Watched(engine.selecting, self)
        return replace(engine, pruning=pruning, compressing=compressing, selecting=selecting)

    def seen(self, prompt: Prompt) -> Seen:
        """Return what is noted of this prompt; the views pruned last were its own."""
        if not self.prompts or self.prompts[-1].prompt is not prompt:
            self.prompts.append(Seen(prompt, self.views.copy()))
            self.views.clear()
        return self.prompts[-1]


class _Forwarding:
    """Around a method, or what it makes for a prompt: what is not said otherwise is the inner one's."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


class _Watched(_Forwarding):
    """A method on any of the seams, with the recorder beside it; without one, of the seam that chooses what is read."""

    def __init__(self, inner: Any, recorder: Recorder) -> None:
        super().__init__(inner)
        self.recorder = recorder

    def prune(self, visual: Visual, page: Picture) -> Kept:
        kept: Kept = self.inner.prune(visual, page)
        self.recorder.views.append((visual, kept))
        return kept

    def compressor(self, prompt: Prompt) -> Any:
        return _Compressor(self.inner.compressor(prompt), self.recorder.seen(prompt))

    def selector(self, prompt: Prompt, layers: int, drafts: Sequence[DraftTokens] = ()) -> Any:
        inner = self.inner.selector(prompt, layers, drafts) if self.inner else _ReadsAll()
        return _Selector(inner, self.recorder.seen(prompt), layers)


class _Compressor(_Forwarding):
    def __init__(self, inner: Compressor, seen: Seen) -> None:
        super().__init__(inner)
        self.seen = seen

    def keep(self) -> Sequence[Tensor]:
        kept: Sequence[Tensor] = self.inner.keep()
        self.seen.hold(kept)
        return kept


class _ReadsAll(Selector):
    def select(self, layer: int) -> None:
        return None

    def needs_attention(self, layer: int) -> bool:
        return False

    def observe(self, layer: int, weights: Tensor) -> None:
        return None


class _Selector(_Forwarding):
    """Asks to be shown every layer, and passes on what the inner selector wants itself."""

    def __init__(self, inner: Selector, seen: Seen, layers: int) -> None:
        super().__init__(inner)
        self.seen, self.last = seen, layers - 1
        self.open = ~seen.prompt.structural
        self.chosen: list[Selection | None] = []
        self.shares: list[float] = []
        self.whole = torch.zeros(len(self.open), device=self.open.device)

    def select(self, layer: int) -> Selection | None:
        self.chosen.append(self.inner.select(layer))
        return self.chosen[-1]

    def needs_attention(self, layer: int) -> bool:
        return True

    def observe(self, layer: int, weights: Tensor) -> None:
        if self.inner.needs_attention(layer):
            self.inner.observe(layer, weights)
        attention = weights.mean(dim=0)
        self.shares.append(float(attention[self.open].sum()))
        if self.chosen[layer] is None:
            self.whole = attention
        if layer == self.last:
            self.seen.step(self.shares, self.chosen, self.whole)
            self.chosen, self.shares = [], []
