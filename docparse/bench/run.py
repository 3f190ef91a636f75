"""A bench from what was typed: the pages, the models, the methods, and the report of their race."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import msgspec

from docparse.bench.accuracy import missing
from docparse.bench.export import Output, export
from docparse.bench.pages import BenchPage
from docparse.bench.predictions import with_predictions
from docparse.bench.race import Plan, Race
from docparse.bench.report import Measured, Report, report
from docparse.bench.request import Request
from docparse.bench.rows import Failure, Row
from docparse.bench.sources import pages_from
from docparse.bench.traces import Trace
from docparse.bench.tracing import trace, typical
from docparse.engine.calibrate import calibrate
from docparse.engine.generate import Limits
from docparse.errors import UsageError
from docparse.layout.reader import PageReader
from docparse.machine import usable_cores
from docparse.settings import Settings
from docparse.vlm.load import load
from docparse.vlm.loaded import Vlm
from docparse.vlm.random_weights import random_weights
from docparse.vlm.writing import Scribe

SHORT = 256  # tokens a page of a model with random weights, which never ends by itself
SAMPLE = "reading order"  # a text without rare characters
Say = Callable[[str], None]


@dataclass
class Measurement:
    """What came of one model."""

    model: Measured
    warm_up: float = 0.0
    rows: list[Row] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    traces: list[Trace] = field(default_factory=list)


def run(request: Request, say: Say, *, watch: bool = False, folder: Path | None = None) -> Report:
    """Run it; `say` receives what is going on, a line at a time.

    `watch`: a typical page is read once more with recorders, for the pictures of a report. What the methods wrote goes
    into `folder`, with several models into one of each. Raises `UsageError`, `InputError` for pages that are not
    there, `EnvironmentProblem` for a model, `OutputError`.
    """
    pages = pages_from(request.data, request.most, request.seed)
    if request.drafted == "truth" and any(page.blocks is None for page in pages):
        raise UsageError(f"--drafts truth: the layout of {request.data} is not known: use pipeline, ocr or oracle")
    for note in dict.fromkeys(note for page in pages for note in missing(page)):
        say(note)
    found = []
    for name in request.models:
        below = folder / Path(name).name if folder and len(request.models) > 1 else folder
        found.append(_measure(request, name, pages, say, watch=watch, folder=below))
    rows = [row for each in found for row in each.rows]
    stacks = request.stacks
    built = report(
        rows,
        baseline=request.baseline,
        models=tuple(each.model for each in found),
        methods={name: str(stack) for name, stack in stacks.items()},
        lossless=tuple(name for name, stack in stacks.items() if stack.lossless),
        data=request.data,
        drafts=request.drafted,
        seed=request.seed,
        warm_up_seconds=sum(each.warm_up for each in found),
        settings=request.settings,
        failures=tuple(failure for each in found for failure in each.failures),
        traces=tuple(one for each in found for one in each.traces),
    )
    if request.sweep:
        built = msgspec.structs.replace(built, ablations=request.sweep.ablations(built.summary))
    return with_predictions(built, request.predict) if request.predict else built


def _measure(
    request: Request, name: str, pages: Sequence[BenchPage], say: Say, *, watch: bool, folder: Path | None
) -> Measurement:
    """One model, which is gone from memory afterwards."""
    vlm = _model(request, name, say)
    outputs: list[Output] = []
    race = _race(request, vlm, outputs.append if folder else lambda _: None)
    found = Measurement(_measured(vlm, request))
    found.warm_up = race.warm_up(pages)
    say(f"{vlm.name}: warm-up {found.warm_up:.1f} s")
    for result in race.rows(pages):
        what = f"{result.page} {result.model} {result.method}"
        if isinstance(result, Failure):
            found.failures.append(result)
            say(f"{what}: {result.error}")
        else:
            found.rows.append(result)
            say(f"{what}: {result.total:.2f} s, {result.tokens} tokens in {result.steps} steps")
    if watch and (page := typical(pages, found.rows)):
        say(f"{page.name} {vlm.name}: once more, with recorders")
        try:
            found.traces.append(trace(race, page))
        except Exception as error:  # what was measured is not lost for a picture
            say(f"{page.name} {vlm.name}: no pictures: {error}")
    if folder:
        export(outputs, pages, folder)
    return found


def _model(request: Request, name: str, say: Say) -> Vlm:
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    if request.random_weights:
        return random_weights(name, device=request.device, dtype=request.dtype, seed=request.seed)
    return load(name, device=request.device, dtype=request.dtype, tell=say)


def _measured(vlm: Vlm, request: Request) -> Measured:
    tokens = vlm.processor.tokenizer.backend_tokenizer.encode(SAMPLE, add_special_tokens=False).ids
    return Measured(
        name=vlm.name,
        revision=vlm.revision,
        random_weights=request.random_weights,
        parameters=sum(weights.numel() for weights in vlm.model.parameters()),
        device=vlm.text.device.type,
        dtype=str(vlm.text.dtype).removeprefix("torch."),
        token_per_character=len(tokens) == len(SAMPLE),
    )


def _race(request: Request, vlm: Vlm, keep: Callable[[Output], None]) -> Race:
    limits = Limits(guard=False, ignore_end=True) if request.random_weights else Limits()
    most = request.max_tokens or (SHORT if request.random_weights else Settings().max_tokens)
    settings = Settings(images="none", max_tokens=most, ocr="force" if request.drafted == "ocr" else "auto")
    placed = partial(load, device=request.device, dtype=request.dtype)
    if any(stack.drafting or stack.auto for stack in request.stacks.values()):
        calibrate(vlm.text, anew=True)  # what passes cost on a busier day decides no tree of this run
    methods = {name: Scribe.of(vlm, stack, placed, limits) for name, stack in request.stacks.items()}
    plan = Plan(
        methods,
        settings,
        drafts=request.drafted,
        noise=request.draft_noise,
        jitter=request.box_jitter,
        runs=request.runs,
        batch=request.batch,
        seed=request.seed,
    )
    return Race(plan, PageReader(settings, usable_cores()), keep)
