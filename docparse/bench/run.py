"""A bench from what was typed: the pages, the model, the methods, and the report of their race."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from importlib.resources import files
from pathlib import Path

from docparse.accel.stack import Stack
from docparse.bench.pages import pages_of
from docparse.bench.race import Plan, Race
from docparse.bench.report import Report, report
from docparse.bench.request import Request
from docparse.engine.generate import Limits
from docparse.layout.reader import PageReader
from docparse.machine import usable_cores
from docparse.settings import Settings
from docparse.vlm.load import load
from docparse.vlm.loaded import Vlm
from docparse.vlm.random_weights import random_weights
from docparse.vlm.writing import Scribe

SHORT = 256  # tokens a page of a model with random weights, which never ends by itself
RANDOM = "random weights: this shows speed and exactness, the text means nothing"
Say = Callable[[str], None]


@dataclass(frozen=True)
class Outcome:
    """The report, and the names of the methods that are called lossless in it."""

    report: Report
    lossless: frozenset[str]


def run(request: Request, say: Say) -> Outcome:
    """Run it; `say` receives what is going on, a line at a time.

    Raises `UsageError`, `InputError` for pages that are not there, `EnvironmentProblem` for the model.
    """
    stacks = request.stacks()
    pages = pages_of(Path(request.data or str(files("docparse") / "data" / "doctor.pdf")), request.pages)
    vlm = _model(request, say)
    if not request.data:
        say("pages: the one that ships with docparse; give yours with --data")
    race = _race(request, vlm, stacks, say)
    race.warm_up(pages[0])
    rows = []
    mark = " (random weights)" * request.random_weights
    for row in race.rows(pages):
        rows.append(row)
        say(f"{row.page} {row.method}{mark}: {row.total:.2f} s, {row.tokens} tokens in {row.steps} steps")
    about = {"model": vlm.name, "revision": vlm.revision, "random_weights": request.random_weights}
    lossless = frozenset(name for name, stack in stacks.items() if stack.lossless)
    return Outcome(report(rows, asdict(request), **about), lossless)


def _model(request: Request, say: Say) -> Vlm:
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    if request.random_weights:
        say(RANDOM)
        return random_weights(request.model, device=request.device, dtype=request.dtype, seed=request.seed)
    return load(request.model, device=request.device, dtype=request.dtype, tell=say)


def _race(request: Request, vlm: Vlm, stacks: Mapping[str, Stack], say: Say) -> Race:
    limits = Limits(guard=False, ignore_end=True) if request.random_weights else Limits()
    most = request.max_tokens or (SHORT if request.random_weights else Settings().max_tokens)
    settings = Settings(images="none", max_tokens=most)
    drafts = request.drafts or ("oracle" if request.random_weights else "pipeline")
    if drafts == "oracle":
        say("drafts: oracle, the output of plain decoding itself; no real draft is as good")
    placed = partial(load, device=request.device, dtype=request.dtype)
    methods = {name: Scribe.of(vlm, stack, placed, limits) for name, stack in stacks.items()}
    plan = Plan(methods, settings, drafts, request.draft_noise, request.runs, request.seed)
    return Race(plan, PageReader(settings, usable_cores()))
