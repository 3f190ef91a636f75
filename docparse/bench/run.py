"""A bench from what was typed: the models, the methods, their race over the pages, and its report."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Literal

from docparse.accel.stack import Stack
from docparse.bench.accuracy import missing
from docparse.bench.data.export import Output
from docparse.bench.data.pages import BenchPage
from docparse.bench.findings import Findings, Measurement
from docparse.bench.race import Race, RacePlan, told
from docparse.bench.report import INTERRUPTED, Measured, Report, git_revision
from docparse.bench.request import BenchRequest
from docparse.bench.rows import PageFailure, PageRow
from docparse.bench.throughput import throughput
from docparse.bench.tracing import trace, typical
from docparse.engine.calibrate import calibrate
from docparse.engine.costs import BATCHES
from docparse.engine.row import Limits
from docparse.errors import UsageError
from docparse.layout.reader import PageReader
from docparse.machine import usable_cores
from docparse.settings import Settings
from docparse.vlm.calibrated import calibrated
from docparse.vlm.engine import VlmEngine
from docparse.vlm.loaded import Vlm, load
from docparse.vlm.random_weights import random_weights

SHORT = 256  # tokens a page of a model with random weights, which never ends by itself
SAMPLE = "reading order"  # a text without rare characters
Say = Callable[[str], None]
Keep = Callable[[Output], None]
Save = Callable[[Callable[[], Report]], None]
RUNNING = "still running, or killed"  # of a report that is found on the disk


def run(
    request: BenchRequest,
    pages: Sequence[BenchPage],
    say: Say,
    *,
    watch: bool = False,
    keep: Keep = lambda _: None,
    save: Save = lambda _: None,
) -> Report:
    """Run it on these pages; `say` receives what is going on, a line at a time.

    `watch`: a typical page is read once more with recorders, for the pictures of a report. `keep` is given what the
    methods wrote, as it comes; `save`, after every page, a function that makes a report of the pages so far.

    A run that is interrupted or meets an error once it has read a page ends with the report of the pages that it has
    read, marked `unfinished`. Before that it raises `KeyboardInterrupt`, `EnvironmentProblem` for a model, and
    `UsageError` for drafts that the pages do not have.
    """
    if request.drafted == "truth" and any(page.blocks is None for page in pages):
        raise UsageError(f"--drafts truth: the layout of {request.data} is not known: use pipeline, ocr or oracle")
    for note in dict.fromkeys(note for page in pages for note in missing(page)):
        say(note)
    git_revision()  # of what runs now, not of what is there when it ends
    readings = len(request.batch_sizes) * len(request.stacks)
    findings = Findings(request, len(pages) * max(1, readings))
    try:
        for name in request.models:
            _measure(findings, name, pages, say, watch=watch, keep=keep, save=save)
    except (KeyboardInterrupt, Exception) as error:  # hours of measuring are not lost for what comes after them
        if findings.empty:
            raise
        if findings.whole:
            say(f"no pictures: {told(error)}")
            return findings.report()
        return findings.report(INTERRUPTED if isinstance(error, KeyboardInterrupt) else told(error))
    return findings.report()


def _measure(
    findings: Findings, name: str, pages: Sequence[BenchPage], say: Say, *, watch: bool, keep: Keep, save: Save
) -> None:
    """One model, which is gone from memory afterwards."""
    request = findings.request
    vlm = model_of(request, name, say)
    meant = {each: calibrated(each, stack, name, vlm.folder) for each, stack in request.stacks.items()}
    race = race_of(request, vlm, {each: stack for each, (stack, _) in meant.items()}, keep)
    presets = {each: source for each, (_, source) in meant.items() if source}
    for source in presets.values():
        say(f"{name}: {source}")
    found = Measurement(_measured(vlm, race, request, presets))
    findings.found.append(found)
    found.warm_up = race.warm_up(pages)
    say(f"{vlm.name}: warm-up {found.warm_up:.1f} s")
    if request.batch_sizes:
        for so_far in throughput(race, pages, request.batch_sizes, found.failures):
            found.throughput, last = so_far, so_far.points[-1]
            say(f"{vlm.name} {last.method}, batch size {last.batch}: {last.pages_per_minute:.1f} pages a minute")
            save(lambda: findings.report(RUNNING))
        return
    for page in pages:
        results = []
        for result in race.rows([page]):
            say(_line(result))
            results.append(result)
        # once every method has tried the page: one that only some of them read would favour one side
        found.rows += [each for each in results if isinstance(each, PageRow)]
        found.failures += [each for each in results if isinstance(each, PageFailure)]
        save(lambda: findings.report(RUNNING))
    if watch and (shown := typical(pages, found.rows)):
        say(f"{shown.name} {vlm.name}: once more, with recorders")
        try:
            found.traces.append(trace(race, shown))
        except Exception as error:  # what was measured is not lost for a picture
            say(f"{shown.name} {vlm.name}: no pictures: {told(error)}")


def _line(result: PageRow | PageFailure) -> str:
    what = f"{result.page} {result.model} {result.method}"
    if isinstance(result, PageFailure):
        return f"{what}: {result.error}"
    return f"{what}: {result.total:.2f} s, {result.tokens} tokens in {result.steps} steps"


def model_of(request: BenchRequest, name: str, say: Say) -> Vlm:
    """Return the model, loaded as the request says."""
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    if request.random_weights:
        return random_weights(name, device=request.device, dtype=request.dtype, seed=request.seed)
    return load(name, device=request.device, dtype=request.dtype, tell=say)


def _measured(vlm: Vlm, race: Race, request: BenchRequest, presets: dict[str, str]) -> Measured:
    tokens = vlm.processor.tokenizer.backend_tokenizer.encode(SAMPLE, add_special_tokens=False).ids
    costs = next((engine.costs.of(1).points for engine in race.plan.methods.values() if engine.costs), {})
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
    """Return the race of these stacks, as the request says."""
    limits = Limits(guard=False, ignore_end=True) if request.random_weights else Limits()
    most = request.max_tokens or (SHORT if request.random_weights else vlm.family.max_tokens)
    ocr: Literal["force", "auto"] = "force" if request.drafted == "ocr" else "auto"
    settings = Settings(images="none", max_tokens=most, dpi=vlm.family.dpi, ocr=ocr)
    placed = partial(load, device=request.device, dtype=request.dtype)
    if any(stack.drafting or stack.auto for stack in stacks.values()):
        widest = max((1, *request.batch_sizes))
        for batch in (1, *(more for less, more in pairwise(BATCHES) if less < widest)):
            calibrate(vlm.text, batch=batch, anew=True)  # what passes cost on a busier day decides no tree of this run
    methods = {name: VlmEngine.of(vlm, stack, placed, limits) for name, stack in stacks.items()}
    plan = RacePlan(
        methods,
        settings,
        drafts=request.drafted,
        noise=request.draft_noise,
        jitter=request.box_jitter,
        runs=request.runs,
        seed=request.seed,
    )
    return Race(plan, PageReader(settings, usable_cores()), keep)
