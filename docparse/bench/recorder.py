"""Who looks over a method's shoulder: wrappers around its seams that note what passes through and change nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import torch
from torch import Tensor

from docparse.accel.drafts import DraftTokens
from docparse.engine.hooks import Compressor, Kept, Picture, Selection, Selector, Visual
from docparse.engine.prompt import Prompt
from docparse.engine.tree import Tree
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
        pruning = engine.pruning and _Watched(engine.pruning, self)
        compressing = engine.compressing and _Watched(engine.compressing, self)
        selecting = engine.selecting
        if engine.compressing is None or engine.compressing.uniform:
            selecting = _Watched(engine.selecting, self)
        return replace(engine, pruning=pruning, compressing=compressing, selecting=selecting)

    def seen(self, prompt: Prompt) -> Seen:
        """Return what is noted of this prompt; the views pruned last were its own."""
        if not self.prompts or self.prompts[-1].prompt is not prompt:
            self.prompts.append(Seen(prompt, self.views.copy()))
            self.views.clear()
        return self.prompts[-1]


class _Watched:
    """A method on any of the seams, with the recorder beside it."""

    name: ClassVar[str] = "watched"
    seam: ClassVar[str] = "watched"
    uniform: ClassVar[bool] = False  # whether the method's is true is asked before it is wrapped

    def __init__(self, inner: Any, recorder: Recorder) -> None:
        self._inner, self._recorder = inner, recorder

    def prune(self, visual: Visual, page: Picture) -> Kept:
        kept: Kept = self._inner.prune(visual, page)
        self._recorder.views.append((visual, kept))
        return kept

    def compressor(self, prompt: Prompt) -> Compressor:
        return _Compressor(self._inner.compressor(prompt), self._recorder.seen(prompt))

    def selector(self, prompt: Prompt, layers: int, drafts: Sequence[DraftTokens] = ()) -> Selector:
        inner = None if self._inner is None else self._inner.selector(prompt, layers, drafts)
        return _Selector(inner, self._recorder.seen(prompt), layers)


class _Compressor:
    def __init__(self, inner: Compressor, seen: Seen) -> None:
        self._inner, self._seen = inner, seen
        self.continues = inner.continues
        self.on_prefill_layer, self.prefill_rows = inner.on_prefill_layer, inner.prefill_rows
        self.needs_attention, self.observe, self.evict = inner.needs_attention, inner.observe, inner.evict

    def keep(self) -> Sequence[Tensor]:
        kept = self._inner.keep()
        self._seen.hold(kept)
        return kept


class _Selector:
    """Asks to be shown every layer, and passes on what the inner selector wants itself; without one all is read."""

    def __init__(self, inner: Selector | None, seen: Seen, layers: int) -> None:
        self._inner, self._seen, self._layers = inner, seen, layers
        self._open = ~seen.prompt.structural
        self._begin()

    def on_prefill_layer(self, layer: int, query: Tensor, key: Tensor, scale: float) -> None:
        if self._inner is not None:
            self._inner.on_prefill_layer(layer, query, key, scale)

    def _begin(self) -> None:
        self._chosen: list[Selection | None] = []
        self._shares: list[float] = []
        self._whole = torch.zeros(len(self._open), device=self._open.device)

    def follow(self, tree: Tree) -> None:
        if self._inner is not None:
            self._inner.follow(tree)

    def on_commit(self, path: Sequence[int]) -> None:
        if self._inner is not None:
            self._inner.on_commit(path)

    def select(self, layer: int) -> Selection | None:
        chosen = None if self._inner is None else self._inner.select(layer)
        self._chosen.append(chosen)
        return chosen

    def needs_attention(self, layer: int) -> bool:
        return True

    def observe(self, layer: int, weights: Tensor) -> None:
        if self._inner is not None and self._inner.needs_attention(layer):
            self._inner.observe(layer, weights)
        attention = weights.mean(dim=0)
        self._shares.append(float(attention[self._open].sum()))
        if self._chosen[layer] is None:
            self._whole = attention
        if layer == self._layers - 1:
            self._seen.step(self._shares, self._chosen, self._whole)
            self._begin()
