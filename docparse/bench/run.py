"""A bench from what was typed: the pages, the model, the methods, and the report of their race."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Literal

from docparse.accel.stack import Stack, parse_stack
from docparse.accel.vsd import Vsd
from docparse.bench.pages import pages_of
from docparse.bench.race import Plan, Race
from docparse.bench.report import Report, report
from docparse.bench.rows import AR
from docparse.engine.calibrate import calibrate
from docparse.engine.generate import Limits
from docparse.errors import EnvironmentProblem, UsageError
from docparse.layout.reader import PageReader
from docparse.machine import usable_cores
from docparse.settings import Settings, nearest
from docparse.vlm.load import load
from docparse.vlm.loaded import Vlm
from docparse.vlm.random_weights import random_weights
from docparse.vlm.writing import Scribe

Drafts = Literal["", "pipeline", "oracle", "none"]
DRAFTS = ("pipeline", "oracle", "none")
SHORT = 256  # tokens a page of a model with random weights, which never ends by itself
RANDOM = "random weights: this shows speed and exactness, the text means nothing"
Say = Callable[[str], None]


@dataclass(frozen=True, kw_only=True)
class Request:
    """What to measure. `data` "" is the page that ships with docparse; `drafts` "" the pipeline's, or with random
    weights the baseline's own output; `max_tokens` 0 the usual limit; `pages` 0 all of them."""

    model: str
    method: str = "hsd"
    data: str = ""
    drafts: Drafts = ""
    draft_noise: float = 0.0
    random_weights: bool = False
    pages: int = 0
    runs: int = 1
    max_tokens: int = 0
    device: str = "auto"
    dtype: str = "auto"
    seed: int = 0

    def __post_init__(self) -> None:
        if self.drafts and self.drafts not in DRAFTS:
            raise UsageError(f"--drafts {self.drafts}: use one of {', '.join(DRAFTS)}{nearest(self.drafts, DRAFTS)}")
        if not 0 <= self.draft_noise <= 1:
            raise UsageError(f"--draft-noise {self.draft_noise:g}: use a share from 0 to 1")


@dataclass(frozen=True)
class Outcome:
    """The report, and the names of the methods that are called lossless in it."""

    report: Report
    lossless: frozenset[str]


def run(request: Request, say: Say) -> Outcome:
    """Run it; `say` receives what is going on, a line at a time.

    Raises `UsageError`, `InputError` for pages that are not there, `EnvironmentProblem` for the model.
    """
    stacks = methods_of(request.method)
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


def methods_of(text: str) -> dict[str, Stack]:
    """Stacks by name, plain decoding first: `hsd,hsd(tau=0.75,n=4),lookup`. A comma before `parameter=` belongs to the
    method before it. Raises `UsageError`."""
    parts: list[str] = []
    for part in re.split(r",(?![^()]*\))", text):
        if parts and re.fullmatch(r"\s*[\w-]+\s*=.*", part):
            parts[-1] += f",{part}"
        else:
            parts.append(part)
    stacks = {AR: Stack()}
    for part in filter(str.strip, parts):
        if part.strip() not in (AR, "none"):
            stacks[part.strip()] = parse_stack(part.strip(), "--method")
    return stacks


def _model(request: Request, say: Say) -> Vlm:
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    if request.random_weights:
        say(RANDOM)
        return random_weights(request.model, device=request.device, dtype=request.dtype, seed=request.seed)
    try:
        return load(request.model, device=request.device, dtype=request.dtype, tell=say)
    except EnvironmentProblem as problem:
        if "models pull" not in str(problem):
            raise
        raise EnvironmentProblem(f"{problem}, or measure its speed alone with --random-weights") from None


def _race(request: Request, vlm: Vlm, stacks: Mapping[str, Stack], say: Say) -> Race:
    limits = Limits(guard=False, ignore_end=True) if request.random_weights else Limits()
    most = request.max_tokens or (SHORT if request.random_weights else Settings().max_tokens)
    settings = Settings(images="none", max_tokens=most)
    drafts = request.drafts or ("oracle" if request.random_weights else "pipeline")
    if drafts == "oracle":
        say("drafts: oracle, the output of plain decoding itself; no real draft is as good")
    methods = {name: _scribe(request, vlm, stack, limits) for name, stack in stacks.items()}
    plan = Plan(methods, settings, drafts, request.draft_noise, request.runs, request.seed)
    return Race(plan, PageReader(settings, usable_cores()))


def _scribe(request: Request, vlm: Vlm, stack: Stack, limits: Limits) -> Scribe:
    method = stack.drafting
    scribe = partial(Scribe, pruning=stack.pruning, compressing=stack.compressing, selecting=stack.selecting)
    if isinstance(method, Vsd):
        smaller = load(method.model, device=request.device, dtype=request.dtype)
        return scribe(vlm, method, smaller=smaller, limits=limits)
    return scribe(vlm, method, calibrate(vlm.text) if method else None, limits=limits)
