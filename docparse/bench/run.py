"""A bench from what was typed: the models, the methods, their race over the pages, and its report."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import Any, Literal

from docparse.accel.costs import BATCHES
from docparse.accel.stack import Stack
from docparse.bench.accuracy import missing
from docparse.bench.data.export import Output
from docparse.bench.data.pages import BenchPage
from docparse.bench.race import Race, told
from docparse.bench.report import INTERRUPTED, Measured, Report, Unfinished, git_revision, report
from docparse.bench.request import BenchRequest
from docparse.bench.rows import PageFailure, PageRow, Throughput
from docparse.bench.summaries import left_out
from docparse.bench.throughput import throughput
from docparse.errors import UsageError
from docparse.layout.reader import PageReader
from docparse.machine import usable_cores
from docparse.settings import Settings
from docparse.vlm.calibrated import calibrated
from docparse.vlm.engine import VlmEngine
from docparse.vlm.loaded import Vlm, load
from docparse.vlm.pass_costs import calibrate
from docparse.vlm.random_weights import random_weights
from docparse.vlm.row import Limits

SHORT = 256  # tokens a page of a model with random weights, which never ends by itself
SAMPLE = "reading order"  # a text without rare characters
Say = Callable[[str], None]
Keep = Callable[[Output], None]
Save = Callable[[Callable[[], Report]], None]
RUNNING = "still running, or killed"  # of a report that is found on the disk


@dataclass
class Run:
    """A measurement under way: the request, its pages, and the results so far, of all models. `say` receives what is
    going on, a line at a time.

    `keep` is given what the methods wrote, as it comes; `save`, after every page, a function that makes a report of the
    pages so far.
    """

    request: BenchRequest
    pages: Sequence[BenchPage]
    say: Say
    keep: Keep = lambda _: None
    save: Save = lambda _: None
    models: list[Measured] = field(default_factory=list)
    rows: list[PageRow] = field(default_factory=list)
    failures: list[PageFailure] = field(default_factory=list)
    throughput: dict[str, Throughput] = field(default_factory=dict)
    warm_up: float = 0.0

    @property
    def expected(self) -> int:
        """Return how many pages a model reads; of throughput how often it reads one."""
        return len(self.pages) * max(1, len(self.request.batch_sizes) * len(self.request.stacks))

    def read(self, model: str) -> int:
        """Return how many of these a model has tried."""
        if load := self.throughput.get(model):
            return sum(point.pages for point in load.points)
        return len({each.page for found in (self.rows, self.failures) for each in found if each.model == model})

    def all(self) -> Report:
        """Return the report of all models, or where an interruption or an error came after a first page, of what was
        read by then: hours of measuring are not lost for what comes after them. Raises that before."""
        try:
            for name in self.request.models:
                self._measure(name)
        except (KeyboardInterrupt, Exception) as error:
            if not any(self.read(each.name) for each in self.models):
                raise
            return self.report(INTERRUPTED if isinstance(error, KeyboardInterrupt) else told(error))
        return self.report()

    def report(self, why: str = "") -> Report:
        """Return what was found; `why` says why it ended early, if it did."""
        request, counts = self.request, {each.name: self.read(each.name) for each in self.models}
        waiting = dict.fromkeys(request.models[len(self.models) :], 0)
        spared = left_out(self.rows, request.omitted)
        return report(
            [row for row in self.rows if row.page not in spared],
            models=tuple(each for each in self.models if counts[each.name]),
            methods={name: str(stack) for name, stack in request.stacks.items()},
            lossless=tuple(name for name, stack in request.stacks.items() if stack.lossless),
            data=request.data,
            drafts=request.drafted,
            seed=request.seed,
            warm_up_seconds=self.warm_up,
            settings=request.settings,
            failures=tuple(self.failures),
            throughput=tuple(self.throughput.values()),
            unfinished=Unfinished(why=why, pages=counts | waiting, of=self.expected) if why else None,
            left_out=spared,
        )

    def _measure(self, name: str) -> None:
        """One model, which is gone from memory afterwards."""
        request, say = self.request, self.say
        vlm = model_of(request, name, say)
        meant = {each: calibrated(each, stack, name, vlm.folder) for each, stack in request.stacks.items()}
        race = race_of(request, vlm, {each: stack for each, (stack, _) in meant.items()}, self.keep)
        presets = {each: source for each, (_, source) in meant.items() if source}
        for source in presets.values():
            say(f"{name}: {source}")
        self.models.append(_measured(vlm, race, request, presets))
        took = race.warm_up(self.pages)
        self.warm_up += took
        say(f"{vlm.name}: warm-up {took:.1f} s")
        if request.batch_sizes:
            for so_far in throughput(race, self.pages, request.batch_sizes, self.failures):
                self.throughput[vlm.name], last = so_far, so_far.points[-1]
                say(f"{vlm.name} {last.method}, batch size {last.batch}: {last.pages_per_minute:.1f} pages a minute")
                self.save(lambda: self.report(RUNNING))
        for page in () if request.batch_sizes else self.pages:
            results = []
            for result in race.rows([page]):
                say(_line(result))
                results.append(result)
            # once every method has tried the page: one that only some of them read would favour one side
            self.rows += [each for each in results if isinstance(each, PageRow)]
            self.failures += [each for each in results if isinstance(each, PageFailure)]
            self.save(lambda: self.report(RUNNING))


def run(request: BenchRequest, pages: Sequence[BenchPage], say: Say, **how: Any) -> Report:
    """Run it on these pages; `how` are `keep` and `save` of `Run`. Raises `KeyboardInterrupt` before a page was read,
    `EnvironmentProblem` for a model, and `UsageError` for drafts that the pages do not have."""
    if request.drafted == "truth" and any(page.blocks is None for page in pages):
        raise UsageError(f"--drafts truth: the layout of {request.data} is not known: use pipeline, ocr or oracle")
    for note in dict.fromkeys(note for page in pages for note in missing(page)):
        say(note)
    git_revision()  # of what runs now, not of what is there when it ends
    return Run(request, pages, say, **how).all()


def _line(result: PageRow | PageFailure) -> str:
    what = f"{result.page} {result.model} {result.method}"
    if isinstance(result, PageFailure):
        return f"{what}: {result.error}"
    return f"{what}: {result.total:.2f} s, {result.tokens} tokens in {result.steps} steps"


def model_of(request: BenchRequest, name: str, say: Say) -> Vlm:
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    if request.random_weights:
        return random_weights(name, device=request.device, dtype=request.dtype, seed=request.seed)
    return load(name, device=request.device, dtype=request.dtype, tell=say)


def _measured(vlm: Vlm, race: Race, request: BenchRequest, presets: dict[str, str]) -> Measured:
    tokens = vlm.processor.tokenizer.backend_tokenizer.encode(SAMPLE, add_special_tokens=False).ids
    costs = next((engine.costs.of(1).points for engine in race.methods.values() if engine.costs), {})
    return Measured(
        name=vlm.name,
        revision=vlm.revision,
        random_weights=request.random_weights,
        parameters=sum(weights.numel() for weights in vlm.model.parameters()),
        device=vlm.text.device.type,
        dtype=str(vlm.text.dtype).removeprefix("torch."),
        token_per_character=len(tokens) == len(SAMPLE),
        pass_milliseconds={size: round(1000 * seconds, 4) for size, seconds in costs.items()},
        presets=presets,
    )


def race_of(request: BenchRequest, vlm: Vlm, stacks: Mapping[str, Stack], keep: Keep = lambda _: None) -> Race:
    limits = Limits(guard=None, ignore_end=True) if request.random_weights else Limits()
    most = request.max_tokens or (SHORT if request.random_weights else vlm.family.max_tokens)
    ocr: Literal["force", "auto"] = "force" if request.drafted == "ocr" else "auto"
    settings = Settings(model=vlm.name, images="none", max_tokens=most, dpi=vlm.family.dpi, ocr=ocr)
    placed = partial(load, device=request.device, dtype=request.dtype)
    if any(stack.drafting or stack.auto for stack in stacks.values()):
        widest = max((1, *request.batch_sizes))
        for batch in (1, *(more for less, more in pairwise(BATCHES) if less < widest)):
            calibrate(vlm.text, batch=batch, anew=True)  # what passes cost on a busier day decides no tree of this run
    methods = {name: VlmEngine.of(vlm, stack, placed, limits) for name, stack in stacks.items()}
    return Race(
        methods,
        settings,
        PageReader(settings, usable_cores()),
        drafts=request.drafted,
        noise=request.draft_noise,
        jitter=request.box_jitter,
        runs=request.runs,
        seed=request.seed,
        keep=keep,
    )
