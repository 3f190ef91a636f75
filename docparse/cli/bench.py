"""`docparse bench`: methods beside plain decoding on the same pages, as a table and as JSON."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from docparse.cli.progress import Console
from docparse.errors import EnvironmentProblem, ExitCode, OutputError, UsageError
from docparse.settings import nearest

if TYPE_CHECKING:
    from docparse.accel.stack import Stack
    from docparse.bench.race import Race
    from docparse.bench.report import Report
    from docparse.vlm.loaded import Vlm

DRAFTS = ("pipeline", "oracle", "none")
SHORT = 256  # tokens a page of a model with random weights, which never ends by itself
RANDOM = "random weights: this shows speed and exactness, the text means nothing"


@dataclass(frozen=True)
class Request:
    """What was typed."""

    model: str
    method: str
    data: str
    drafts: str
    draft_noise: float
    random_weights: bool
    pages: int
    runs: int
    max_tokens: int
    device: str
    dtype: str
    json: str
    seed: int
    quiet: bool


def carry_out(request: Request) -> ExitCode:
    """Run the bench; `PARTIAL` where a lossless method did not write what plain decoding wrote."""
    from docparse.bench.pages import pages_of
    from docparse.bench.report import report

    _check(request)
    stacks = methods_of(request.method)
    console = Console(quiet=request.quiet, verbose=0)
    pages = pages_of(Path(request.data or str(files("docparse") / "data" / "doctor.pdf")), request.pages)
    vlm = _model(request, console)
    if not request.data:
        console.say("pages: the one that ships with docparse; give yours with --data")
    rows = []
    race = _race(request, vlm, stacks, console)
    race.warm_up(pages[0])
    for row in race.rows(pages):
        rows.append(row)
        label = " (random weights)" * request.random_weights
        console.say(f"{row.page} {row.method}{label}: {row.total:.2f} s, {row.tokens} tokens in {row.steps} steps")
    about = {"model": vlm.name, "revision": vlm.revision, "random_weights": request.random_weights}
    finished = report(rows, asdict(request), **about)
    lossless = frozenset(name for name, stack in stacks.items() if getattr(stack.drafting, "tau", 1.0) == 1.0)
    _show(finished, lossless, request, console)
    broken = finished.broken(lossless)
    for page in broken:
        console.say(f"not identical to plain decoding: {page}")
    return ExitCode.PARTIAL if broken else ExitCode.OK


def methods_of(text: str) -> dict[str, Stack]:
    """Stacks by name, plain decoding first: `hsd,hsd(tau=0.75,n=4),lookup`. A comma before `parameter=` belongs to the
    method before it. Raises `UsageError`."""
    from docparse.accel.stack import Stack, parse_stack
    from docparse.bench.rows import AR

    parts: list[str] = []
    for part in re.split(r",(?![^()]*\))", text):
        if parts and re.fullmatch(r"\s*[\w-]+\s*=.*", part):
            parts[-1] += f",{part}"
        else:
            parts.append(part)
    stacks = {AR: Stack()}
    for part in filter(str.strip, parts):
        if part.strip() not in (AR, "none"):
            stacks[part.strip()] = parse_stack(part.strip())
    return stacks


def _check(request: Request) -> None:
    if request.drafts and request.drafts not in DRAFTS:
        raise UsageError(f"--drafts {request.drafts}: use one of {', '.join(DRAFTS)}{nearest(request.drafts, DRAFTS)}")
    if not 0 <= request.draft_noise <= 1:
        raise UsageError(f"--draft-noise {request.draft_noise:g}: use a share from 0 to 1")


def _model(request: Request, console: Console) -> Vlm:
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    if request.random_weights:
        from docparse.vlm.random_weights import random_weights

        console.say(RANDOM)
        return random_weights(request.model, device=request.device, dtype=request.dtype, seed=request.seed)
    from docparse.vlm.load import load

    try:
        return load(request.model, device=request.device, dtype=request.dtype, tell=console.say)
    except EnvironmentProblem as problem:
        if "models pull" not in str(problem):
            raise
        raise EnvironmentProblem(f"{problem}, or measure its speed alone with --random-weights") from None


def _race(request: Request, vlm: Vlm, stacks: Mapping[str, Stack], console: Console) -> Race:
    from docparse.bench.race import Plan, Race
    from docparse.engine.calibrate import calibrate
    from docparse.engine.generate import Limits
    from docparse.layout.reader import PageReader
    from docparse.machine import usable_cores
    from docparse.settings import Settings
    from docparse.vlm.writing import Scribe

    limits = Limits(guard=False, ignore_end=True) if request.random_weights else Limits()
    costs = calibrate(vlm.text)
    methods = {
        name: Scribe(vlm, stack.drafting, costs if stack.drafting else None, limits=limits)
        for name, stack in stacks.items()
    }
    most = request.max_tokens or (SHORT if request.random_weights else Settings().max_tokens)
    settings = Settings(images="none", max_tokens=most)
    drafts: Any = request.drafts or ("oracle" if request.random_weights else "pipeline")
    if drafts == "oracle":
        console.say("drafts: oracle, the output of plain decoding itself; no real draft is as good")
    plan = Plan(methods, settings, drafts, request.draft_noise, request.runs, request.seed)
    return Race(plan, PageReader(settings, usable_cores()))


def _show(report: Report, lossless: frozenset[str], request: Request, console: Console) -> None:
    """The table on stdout, unless JSON goes there."""
    from rich.console import Console as Screen

    from docparse.bench.table import as_table

    encoded = msgspec.json.format(msgspec.json.encode(report)) + b"\n"
    if request.json == "-":
        sys.stdout.buffer.write(encoded)
        return
    if request.json:
        try:
            Path(request.json).write_bytes(encoded)
        except OSError as error:
            raise OutputError(f"{request.json}: cannot write: {error.strerror or error}") from None
    screen = Screen(width=None if sys.stdout.isatty() else 160, highlight=False)
    mark = " (random weights)" * report.random_weights
    for category in dict.fromkeys(summary.category for summary in report.summary):
        chosen = [summary for summary in report.summary if summary.category == category]
        screen.print(as_table(chosen, f"{report.model}, {category}, pages: {chosen[0].pages}", lossless, mark))
