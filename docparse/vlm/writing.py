"""The model writes: pictures with instructions and drafts in, blocks out."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import torch

from docparse.accel.auto import Auto
from docparse.accel.drafts import DraftModel, DraftTokens, Speculation
from docparse.accel.method import Compressing, Drafting, Pruning, Selecting
from docparse.accel.pruning import pruned
from docparse.accel.stack import Stack, parse_stack
from docparse.accel.vsd import Vsd
from docparse.engine.calibrate import calibrate
from docparse.engine.costs import CostCurve
from docparse.engine.generate import Limits, generate
from docparse.engine.generation import STAGES, Generation
from docparse.engine.prompt import Prompt
from docparse.engine.reading import Reader
from docparse.engine.seams import Picture, Proposer
from docparse.errors import DeviceLost, EnvironmentProblem, ran_out_of_memory
from docparse.layout.reader import Stopwatch
from docparse.models.device import responds
from docparse.models.family import Encoded, Frame
from docparse.settings import Settings
from docparse.types import PrunedView
from docparse.vlm.asks import Answer, Ask
from docparse.vlm.choosing import facts
from docparse.vlm.drafts import Text, text_of
from docparse.vlm.load import load
from docparse.vlm.loaded import Vlm
from docparse.vlm.loops import before_loop

USUAL = Limits()


@dataclass(frozen=True)
class Scribe:
    """A loaded model and the methods that accelerate it: `method` proposes drafts, with the smaller model that it may
    need, `pruning` removes visual tokens, `compressing` rows of the cache, and `selecting` chooses which a layer reads.

    `auto` takes of them what suits the pictures at hand. `limits` say when outputs end, their length aside.
    """

    vlm: Vlm
    method: Drafting | None = None
    costs: CostCurve | None = None
    smaller: Vlm | None = None
    limits: Limits = USUAL
    pruning: Pruning | None = None
    compressing: Compressing | None = None
    selecting: Selecting | None = None
    auto: Auto | None = None

    @classmethod
    def load(cls, settings: Settings) -> Scribe:
        """With the model and the acceleration of the settings. Raises `EnvironmentProblem` where they cannot be had."""
        placed = partial(load, device=settings.device, dtype=settings.dtype, offline=settings.offline)
        return cls.of(placed(settings.model), parse_stack(settings.accel), placed)

    @classmethod
    def of(cls, vlm: Vlm, stack: Stack, placed: Callable[[str], Vlm], limits: Limits = USUAL) -> Scribe:
        """With what a stack's methods need; `placed` loads the smaller model where one of them drafts with it."""
        auto, stack = stack.auto, Stack(stack.auto.candidates) if stack.auto else stack.of_layers(vlm.text.layers)
        method = stack.drafting
        scribe = cls(
            vlm,
            method,
            limits=limits,
            pruning=stack.pruning,
            compressing=stack.compressing,
            selecting=stack.selecting,
            auto=auto,
        )
        if isinstance(method, Vsd):
            smaller = placed(method.model)
            check_same_tokens(smaller, vlm)
            return replace(scribe, smaller=smaller)
        return replace(scribe, costs=calibrate(vlm.text)) if scribe.reads_drafts else scribe

    @property
    def reads_drafts(self) -> bool:
        """Whether drafts of a page would be used."""
        return self.method is not None and self.method.reads_drafts

    @torch.no_grad()
    def write(
        self,
        asks: Sequence[Ask],
        max_tokens: int,
        clock: Stopwatch,
        stop: Callable[[], bool],
        watch: Callable[[int, int], None] | None = None,
    ) -> list[Answer]:
        """An answer to everything asked, decoded as one batch; `watch` hears how many have ended and how many tokens
        there are.

        Raises `MemoryError` where the batch does not fit, after all memory was given back: a smaller one may fit then.
        What is asked alone is tried twice. Raises `DeviceLost` where nothing can be written any more.
        """
        for _ in range(2 if len(asks) == 1 else 1):
            try:
                return self._answers(asks, max_tokens, clock, stop, watch)
            except Exception as error:
                if not responds(self.vlm.text.device):
                    first, *_ = str(error).split("\n")
                    raise DeviceLost(f"the device failed: {first}") from error
                if not ran_out_of_memory(error):
                    raise
            self._free()  # only here: while the error is known, its traceback holds the batch
        raise MemoryError("the device has not enough memory for this page: use a lower --dpi or --max-tokens")

    def _free(self) -> None:
        """Give back all memory but that of the weights."""
        for vlm in filter(None, (self.vlm, self.smaller)):
            vlm.text.free()
        gc.collect()
        if self.vlm.text.device.type != "cpu":
            torch.accelerator.empty_cache()

    def _answers(
        self,
        asks: Sequence[Ask],
        max_tokens: int,
        clock: Stopwatch,
        stop: Callable[[], bool],
        watch: Callable[[int, int], None] | None,
    ) -> list[Answer]:
        with clock("encode"):
            encoded = [self.vlm.encode(ask.pixels, ask.instruction) for ask in asks]
        frames = [Frame(ask.box, each.width, each.height) for ask, each in zip(asks, encoded, strict=True)]
        with clock("draft"):
            drafts = [self._drafts(*each) for each in zip(asks, frames, strict=True)]
            scribe, chosen = self._suited(asks, encoded, drafts)
        outputs, left = scribe._outputs(asks, encoded, drafts, max_tokens, clock, stop, watch)
        _count(clock, outputs)
        resized = [each.resized for each in encoded]
        with clock("parse"):
            answers = [self._answer(*each) for each in zip(asks, frames, outputs, resized, left, strict=True)]
        return [replace(answer, chosen=chosen) for answer in answers]

    def _suited(
        self, asks: Sequence[Ask], encoded: Sequence[Encoded], drafts: Sequence[Sequence[DraftTokens]]
    ) -> tuple[Scribe, str]:
        """Without the methods that do not suit what is asked, and what was decided; as it is where all was said."""
        if self.auto is None or self.costs is None:
            return self, ""
        pixels = [ask.pixels for ask in asks] if self.auto.lossy else []
        choice = self.auto.choose(facts(self.vlm, encoded, pixels, drafts, self._costs(len(asks)) or self.costs))
        left_out = {method.seam for method in self.auto.candidates} - {method.seam for method in choice.methods}
        scribe = replace(
            self,
            auto=None,
            pruning=None if "prune" in left_out else self.pruning,
            selecting=None if "select" in left_out else self.selecting,
            method=None if "propose" in left_out else self.method,
        )
        return scribe, f"{Stack(choice.methods)} ({choice.why})"

    def _outputs(
        self,
        asks: Sequence[Ask],
        encoded: Sequence[Encoded],
        drafts: Sequence[Sequence[DraftTokens]],
        max_tokens: int,
        clock: Stopwatch,
        stop: Callable[[], bool],
        watch: Callable[[int, int], None] | None,
    ) -> tuple[list[Generation], list[tuple[PrunedView, ...]]]:
        """What is written of each picture, and what pruning left of its views."""
        with clock("vision"):
            prompts = [self.vlm.prompt(each) for each in encoded]
            if (device := self.vlm.text.device).type != "cpu":
                torch.accelerator.synchronize(device)  # what it still computes is not the prefill's time
        most = min(max_tokens, self._room(prompts))
        limits = [replace(self.limits, max_tokens=min(most, ask.most or most)) for ask in asks]
        prompts, left = self._pruned(asks, encoded, prompts, clock)  # positions stay: so does the room
        with clock("draft"):
            costs = self._costs(len(asks))
            proposers = [self._proposer(*each, costs) for each in zip(asks, drafts, prompts, strict=True)]
        readers = self._readers(prompts, drafts)
        return generate(self.vlm.text, prompts, proposers, limits, readers=readers, stop=stop, watch=watch), left

    def _pruned(
        self, asks: Sequence[Ask], encoded: Sequence[Encoded], prompts: Sequence[Prompt], clock: Stopwatch
    ) -> tuple[list[Prompt], list[tuple[PrunedView, ...]]]:
        """Each prompt without the visual tokens that the method removes, and what that left of each view."""
        if self.pruning is None:
            return list(prompts), [()] * len(prompts)
        with clock("prune"):
            done = [
                pruned(prompt, self.pruning, _pictures(each, ask.pixels))
                for ask, each, prompt in zip(asks, encoded, prompts, strict=True)
            ]
        return [prompt for prompt, _ in done], [views for _, views in done]

    def _room(self, prompts: Sequence[Prompt]) -> int:
        """How many tokens the model can write before it leaves the positions it was trained on."""
        context = getattr(self.vlm.text.config, "max_position_embeddings", None) or sys.maxsize
        return max(1, int(context) - max(map(len, prompts)))

    def _costs(self, rows: int) -> CostCurve | None:
        """Of a pass over so many rows: k tokens in each cost about what one row of that many more tokens does."""
        if self.costs is None or rows == 1:
            return self.costs
        return CostCurve({size: self.costs.seconds(size * rows) for size in self.costs.points})

    def _drafts(self, ask: Ask, frame: Frame) -> Sequence[DraftTokens]:
        return ask.drafts(frame) if self.reads_drafts else ()

    def _proposer(
        self, ask: Ask, drafts: Sequence[DraftTokens], prompt: Prompt, costs: CostCurve | None
    ) -> Proposer | None:
        if self.method is None:
            return None
        smaller = None
        if self.smaller is not None:
            told = self.smaller.encode(ask.pixels, ask.instruction)
            smaller = DraftModel(self.smaller.text, self.smaller.prompt(told))
        return self.method.proposer(Speculation(drafts, prompt.ids.tolist(), costs, smaller))

    def _readers(self, prompts: Sequence[Prompt], drafts: Sequence[Sequence[DraftTokens]]) -> list[Reader]:
        """What evicts and selects rows of the cache, for each output."""
        evicts, reads = self.compressing, self.selecting
        return [
            Reader(
                None if evicts is None else evicts.compressor(prompt),
                None if reads is None else reads.selector(prompt, self.vlm.text.layers, given),
            )
            for prompt, given in zip(prompts, drafts, strict=True)
        ]

    def _answer(
        self, ask: Ask, frame: Frame, output: Generation, resized: str, pruned: tuple[PrunedView, ...]
    ) -> Answer:
        """What runs on to a limit is cut where it begins to repeat itself; the tokens after that belong to what came
        last."""
        kept = before_loop(output.tokens) if output.ending in ("loop", "length") else len(output.tokens)
        text = text_of(output.tokens[:kept], self.vlm.processor.tokenizer, self.vlm.text.end)
        text = Text(text.characters, text.ends + text.ends[-1:] * (len(output.tokens) - kept))
        reading = ask.dialect.read(text.characters, frame)
        overran = output.ending == "length" and len(output.tokens) == ask.most
        return Answer(frame, output, text, reading, resized, pruned, overran=overran)


def check_same_tokens(smaller: Vlm, larger: Vlm) -> None:
    """Raise `EnvironmentProblem` where a token of the smaller model is another one, or none, of the larger.

    Models of a family may pad their vocabularies to different sizes.
    """
    written, read = (vlm.processor.tokenizer.get_vocab() for vlm in (smaller, larger))
    if written != read or smaller.text.vocabulary > larger.text.vocabulary:
        raise EnvironmentProblem(f"{smaller.name} cannot draft for {larger.name}: they write different tokens")


def _pictures(encoded: Encoded, pixels: np.ndarray) -> list[tuple[int, Picture]]:
    """What each view shows, and with how many visual tokens."""
    scale = encoded.mean, encoded.std
    return [(view.tokens, Picture(pixels, view.width, view.height, *scale)) for view in encoded.views]


def _count(clock: Stopwatch, outputs: Sequence[Generation]) -> None:
    """Seconds of decoding by stage; the longest output of a batch took part in all of its steps."""
    longest = max(outputs, key=lambda output: len(output.steps)).seconds()
    longest["prefill"] = sum(output.prefill_seconds for output in outputs)
    for stage in STAGES:
        clock.seconds[stage] = round(clock.seconds.get(stage, 0.0) + longest[stage], 4)
