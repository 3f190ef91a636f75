"""A model with the methods that accelerate it, and what becomes of a request: a prompt, an output, an answer."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter
from typing import Any

import torch

from docparse.accel.auto import Auto
from docparse.accel.costs import PassCosts
from docparse.accel.drafts import DraftModel, DraftTokens, Speculation
from docparse.accel.fastv import FastV
from docparse.accel.method import Drafting, Proposer
from docparse.accel.pruning import Picture, pruned
from docparse.accel.stack import Stack, parse_stack
from docparse.engine.hooks import RowMethods
from docparse.engine.prompt import Prompt
from docparse.errors import EnvironmentProblem, UsageError
from docparse.models.family import Encoded, Family, Frame
from docparse.settings import Settings
from docparse.types import PrunedView
from docparse.vlm.drafts import Text, text_of
from docparse.vlm.loaded import Vlm, load, page_facts
from docparse.vlm.loop_guard import before_loop
from docparse.vlm.pass_costs import calibrate
from docparse.vlm.requests import VlmAnswer, VlmRequest
from docparse.vlm.row import USUAL, Limits, Row

SEEN_TOGETHER = 4096  # tokens of prompts whose pictures are seen in one pass; a large page has as many alone


@dataclass(frozen=True, eq=False)
class Encoding:
    """A request with its picture as the model's processor prepares it, and with its drafts; `engine` has the methods
    that suit it, and `chosen` says how that was decided."""

    request: VlmRequest
    encoded: Encoded
    drafts: Sequence[DraftTokens]
    engine: VlmEngine
    chosen: str

    @property
    def frame(self) -> Frame:
        return Frame(self.request.box, self.encoded.width, self.encoded.height)


@dataclass(frozen=True, eq=False)
class Started:
    """A request whose output is under way, and what pruning left of its views."""

    encoding: Encoding
    row: Row
    views: tuple[PrunedView, ...]


@dataclass(frozen=True)
class VlmEngine:
    """A loaded model and the methods that accelerate it, with the smaller model that one may need.

    `auto` takes of them what suits the picture at hand. `limits` say when outputs end, their length aside; `costs` what
    a pass costs.
    """

    vlm: Vlm
    stack: Stack = Stack()  # noqa: RUF009 - it is frozen
    costs: PassCosts | None = None
    smaller: Vlm | None = None
    limits: Limits = USUAL
    auto: Auto | None = None

    @classmethod
    def load(cls, settings: Settings) -> VlmEngine:
        """Return the engine with model and acceleration of the settings. Raises `EnvironmentProblem`."""
        placed = partial(load, device=settings.device, dtype=settings.dtype, offline=settings.offline)
        return cls.of(placed(settings.model), parse_stack(settings.accel), placed)

    @classmethod
    def of(cls, vlm: Vlm, stack: Stack, placed: Callable[[str], Vlm], limits: Limits = USUAL) -> VlmEngine:
        """Return the engine with what a stack's methods need; `placed` loads the smaller model that drafts."""
        auto = stack.auto
        stack = Stack(auto.candidates if auto else stack.methods)
        if auto is None:
            check_fits(stack, vlm)
        stack = stack.of_layers(vlm.text.layers)
        engine = cls(vlm, stack, limits=limits, auto=auto)
        if engine.method is not None and engine.method.smaller_model:
            smaller = placed(engine.method.smaller_model)
            check_drafts(smaller, vlm)
            return replace(engine, smaller=smaller)
        if not engine.reads_drafts:
            return engine
        costs = PassCosts(lambda rows: calibrate(vlm.text, batch=rows))
        costs.of(1)  # now, because measuring takes seconds which are no page's
        return replace(engine, costs=costs)

    @property
    def family(self) -> Family:
        return self.vlm.family

    @property
    def tokenizer(self) -> Any:
        return self.vlm.processor.tokenizer

    @property
    def method(self) -> Drafting | None:
        """Return what proposes drafts, if anything does."""
        return self.stack.drafting

    @property
    def reads_drafts(self) -> bool:
        """Return whether drafts of a page would be used."""
        return self.method is not None and self.method.reads_drafts

    # ---- before the output

    def encode(self, request: VlmRequest) -> Encoding:
        """Return the request with its picture prepared and its drafts made; the model does not run yet."""
        with request.clock("encode"):
            encoded = self.vlm.encode(request.pixels, request.instruction)
        with request.clock("draft"):
            frame = Frame(request.box, encoded.width, encoded.height)
            drafts = request.drafts(frame) if self.reads_drafts else ()
            engine, chosen = self._suited(request, encoded, drafts)
        return Encoding(request, encoded, drafts, engine, chosen)

    def _suited(self, request: VlmRequest, encoded: Encoded, drafts: Sequence[DraftTokens]) -> tuple[VlmEngine, str]:
        """Without the methods that do not suit what is asked, and what was decided; as it is where all was said. It is
        decided as if the picture were alone: what a page says must not depend on what is read beside it."""
        if self.auto is None or self.costs is None:
            return self, ""
        pixels = request.pixels if self.auto.lossy else None
        choice = self.auto.choose(page_facts(self.vlm, encoded, pixels, drafts, self.costs.of(1)))
        left_out = {method.seam for method in self.auto.candidates} - {method.seam for method in choice.methods}
        kept = Stack(tuple(method for method in self.stack.methods if method.seam not in left_out))
        return replace(self, auto=None, stack=kept), f"{Stack(choice.methods)} ({choice.why})"

    def start(self, encodings: Sequence[Encoding]) -> Iterator[Started]:
        """Run the vision tower over pictures, a few together, prune, and make the rows; the decoder does not run
        yet."""
        left = list(encodings)
        while left:
            count = together([len(each.encoded.visual) for each in left])
            group, left = left[:count], left[count:]
            began = perf_counter()
            prompts = self.vlm.prompts([each.encoded for each in group])
            if (device := self.vlm.text.device).type != "cpu":
                torch.accelerator.synchronize(device)  # what it still computes is not the prefill's time
            spent = perf_counter() - began
            for encoding, prompt in zip(group, prompts, strict=True):
                encoding.request.clock.add("vision", spent * len(prompt) / sum(map(len, prompts)))
                yield self._started(encoding, prompt)

    def _started(self, encoding: Encoding, prompt: Prompt) -> Started:
        request, clock, engine = encoding.request, encoding.request.clock, encoding.engine
        most = min(request.max_tokens, self._room(prompt))
        limits = replace(self.limits, max_tokens=min(most, request.room or most))
        views: tuple[PrunedView, ...] = ()
        if (pruning := engine.stack.pruning) is not None:
            with clock("prune"):
                std, seen = encoding.encoded.std, encoding.encoded.views
                pictures = [(each.tokens, Picture(request.pixels, each.width, each.height, std)) for each in seen]
                prompt, views = pruned(prompt, pruning, pictures)  # positions stay: so does the room
        with clock("draft"):
            proposer = engine._proposer(encoding, prompt)
        reader = engine._reader(prompt)
        drawn = () if request.sampling is None else (request.sampling,)
        rules = (*self.vlm.text.processors, *drawn)
        return Started(encoding, Row(self.vlm.text, prompt, proposer, limits, reader, request.stop, rules), views)

    def _room(self, prompt: Prompt) -> int:
        """Return how many tokens the model can write before it leaves the positions it was trained on."""
        context = getattr(self.vlm.text.config, "max_position_embeddings", None) or sys.maxsize
        return max(1, int(context) - len(prompt))

    def _proposer(self, encoding: Encoding, prompt: Prompt) -> Proposer | None:
        if self.method is None:
            return None
        smaller = None
        if self.smaller is not None:
            told = self.smaller.encode(encoding.request.pixels, encoding.request.instruction)
            smaller = DraftModel(self.smaller.text, self.smaller.prompt(told))
        return self.method.proposer(Speculation(encoding.drafts, prompt.ids.tolist(), self.costs, smaller))

    def _reader(self, prompt: Prompt) -> RowMethods:
        evicts, reads = self.stack.compressing, self.stack.selecting
        return RowMethods(
            None if evicts is None else evicts.compressor(prompt),
            None if reads is None else reads.selector(prompt, self.vlm.text.layers),
        )

    # ---- after it

    def answer(self, started: Started) -> VlmAnswer:
        """Return what was written as text and blocks. What runs on to a limit is cut where it begins to repeat itself;
        the tokens after that belong to what came last."""
        encoding, output = started.encoding, started.row.generation
        request, frame = encoding.request, encoding.frame
        for stage, seconds in output.seconds().items():  # its share of what the batch took
            request.clock.add(stage, seconds)
        with request.clock("parse"):
            kept = before_loop(output.tokens) if output.ending in ("loop", "length") else len(output.tokens)
            text = text_of(output.tokens[:kept], self.tokenizer, self.vlm.text.end)
            text = Text(text.characters, text.ends + text.ends[-1:] * (len(output.tokens) - kept))
            reading = request.dialect.read(text.characters, frame)
        overran = output.ending == "length" and len(output.tokens) == request.room
        resized = encoding.encoded.resized
        return VlmAnswer(frame, output, text, reading, resized, started.views, encoding.chosen, overran)

    def free(self) -> None:
        for vlm in filter(None, (self.vlm, self.smaller)):
            vlm.text.free()
        gc.collect()
        if self.vlm.text.device.type != "cpu":
            torch.accelerator.empty_cache()


def check_drafts(smaller: Vlm, larger: Vlm) -> None:
    """Raise `EnvironmentProblem` where a token of the smaller model is another one, or none, of the larger, and where
    it cannot take back a token that the larger one refused.

    Models of a family may pad their vocabularies to different sizes.
    """
    written, read = (vlm.processor.tokenizer.get_vocab() for vlm in (smaller, larger))
    if written != read or smaller.text.vocabulary > larger.text.vocabulary:
        raise EnvironmentProblem(f"{smaller.name} cannot draft for {larger.name}: they write different tokens")
    if smaller.text.recurrent:
        raise EnvironmentProblem(
            f"{smaller.name} cannot draft: its linear attention cannot take back what {larger.name} refuses: use hsd"
        )


def check_fits(stack: Stack, vlm: Vlm) -> None:
    """Raise `UsageError` for a method that does not know how the model reads: only the last tokens that it wrote, or
    what was before in a state that forgets no row."""
    compressing = None if stack.compressing is None or stack.compressing.uniform else stack.compressing
    if vlm.text.window is not None and (method := stack.selecting or compressing):
        raise UsageError(
            f"--accel {method.name}: {vlm.name} reads only the last {vlm.text.window} tokens that it wrote, and "
            f"{method.name} decides for all of them: use hsd, rtprune, vlcache, aircache or fastv"
        )
    if vlm.text.recurrent and isinstance(stack.compressing, FastV):
        raise UsageError(
            f"--accel {stack.compressing.name}: {vlm.name} has layers of linear attention, which go on reading what it "
            "drops: use vlcache, aircache or rtprune"
        )


def together(lengths: Sequence[int]) -> int:
    """Return how many of the first prompts go through the vision tower in one pass: few large ones, many small ones."""
    total, count = 0, 0
    while count < len(lengths) and (not count or total + lengths[count] <= SEEN_TOGETHER):
        total, count = total + lengths[count], count + 1
    return count
