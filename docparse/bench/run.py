"""A bench from what was typed: the pages, the models, the methods, and the report of their race."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial

from docparse.bench.accuracy import missing
from docparse.bench.pages import BenchPage
from docparse.bench.race import Plan, Race
from docparse.bench.report import Measured, Report, report
from docparse.bench.request import Request
from docparse.bench.rows import Failure, Row
from docparse.bench.sources import pages_from
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


def run(request: Request, say: Say) -> Report:
    """Run it; `say` receives what is going on, a line at a time.

    Raises `UsageError`, `InputError` for pages that are not there, `EnvironmentProblem` for a model.
    """
    pages = pages_from(request.data, request.most, request.seed)
    if request.drafted == "truth" and any(page.blocks is None for page in pages):
        raise UsageError(f"--drafts truth: the layout of {request.data} is not known: use pipeline, ocr or oracle")
    for note in dict.fromkeys(note for page in pages for note in missing(page)):
        say(note)
    results: list[Row | Failure] = []
    models = []
    warm_up = 0.0
    for name in request.models:
        vlm = _model(request, name, say)
        models.append(_measured(vlm, request))
        race = _race(request, vlm)
        warm_up += race.warm_up(pages[0])
        say(f"{vlm.name}: warm-up {warm_up:.1f} s")
        results += _raced(race, pages, say)
    stacks = request.stacks
    return report(
        [each for each in results if isinstance(each, Row)],
        baseline=request.baseline,
        models=tuple(models),
        methods={name: str(stack) for name, stack in stacks.items()},
        lossless=tuple(name for name, stack in stacks.items() if stack.lossless),
        data=request.data,
        drafts=request.drafted,
        seed=request.seed,
        warm_up_seconds=warm_up,
        settings=asdict(request),
        failures=tuple(each for each in results if isinstance(each, Failure)),
    )


def _raced(race: Race, pages: Sequence[BenchPage], say: Say) -> list[Row | Failure]:
    results = []
    for result in race.rows(pages):
        results.append(result)
        what = f"{result.page} {result.model} {result.method}"
        if isinstance(result, Failure):
            say(f"{what}: {result.error}")
        else:
            say(f"{what}: {result.total:.2f} s, {result.tokens} tokens in {result.steps} steps")
    return results


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


def _race(request: Request, vlm: Vlm) -> Race:
    limits = Limits(guard=False, ignore_end=True) if request.random_weights else Limits()
    most = request.max_tokens or (SHORT if request.random_weights else Settings().max_tokens)
    settings = Settings(images="none", max_tokens=most, ocr="force" if request.drafted == "ocr" else "auto")
    placed = partial(load, device=request.device, dtype=request.dtype)
    methods = {name: Scribe.of(vlm, stack, placed, limits) for name, stack in request.stacks.items()}
    plan = Plan(
        methods,
        settings,
        drafts=request.drafted,
        noise=request.draft_noise,
        runs=request.runs,
        batch=request.batch,
        seed=request.seed,
    )
    return Race(plan, PageReader(settings, usable_cores()))
