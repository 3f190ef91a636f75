"""What a bench is asked to measure, checked before anything heavy is loaded."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, cast, get_args

from docparse.accel.stack import Stack, parse_stack
from docparse.accel.vsd import Vsd
from docparse.bench.data.sources import check_source
from docparse.bench.options import PAPERS, BenchOptions
from docparse.bench.reproduce import PaperTable, tables
from docparse.bench.rows import AR, Drafts
from docparse.bench.summaries import left_out
from docparse.errors import EnvironmentProblem, UsageError
from docparse.models.family import Family
from docparse.models.names import known_family, locate
from docparse.settings import as_option, nearest
from docparse.weights import memory

DRAFTS: tuple[Drafts, ...] = get_args(Drafts)
DTYPES = ("auto", *memory.WIDTH)
BUILTIN = "builtin"
BUILTIN_PAGES = 20  # of the pages that come with docparse, where nobody says how many
CALIBRATION_PAGES = 36  # of them to calibrate with: six of each category
ALONE = {  # what measures nothing else -> the options that it leaves no room for
    "calibrate": [
        *("model", "method", "random_weights", "drafts", "draft_noise", "box_jitter"),
        *("throughput", "leave_out", "reproduce", "runs"),
    ],
    "throughput": ["runs"],
    "reproduce": ["method", "throughput"],
}


@dataclass(frozen=True, kw_only=True)
class BenchRequest(BenchOptions):
    """A checked measurement. `drafts` "" are the pipeline's, or with random weights the baseline's own output; `pages`
    None is 20 of the built-in ones, else all (0); `max_tokens` 0 the usual limit."""

    def __post_init__(self) -> None:
        for name, known in (("drafts", DRAFTS), ("dtype", DTYPES), ("reproduce", PAPERS)):
            if (word := getattr(self, name)) and word not in known:
                raise UsageError(f"--{name} {word}: use one of {', '.join(known)}{nearest(word, known)}")
        for option, share in (("--draft-noise", self.draft_noise), ("--box-jitter", self.box_jitter)):
            if not 0 <= share <= 1:
                raise UsageError(f"{option} {share:g}: use a share from 0 to 1")
            if share and self.drafts == "none":
                raise UsageError(f"{option}: with --drafts none there is nothing to damage")
        for only, others in ALONE.items():
            for name in others if getattr(self, only) else ():
                if getattr(self, name) != getattr(BenchRequest, name):
                    raise UsageError(f"--{only} measures nothing else: leave out {as_option(name)}")
        check_source(self.data)
        left_out([], self.omitted)
        _ = self.batch_sizes, self.stacks  # what is wrong with them is said now

    @property
    def models(self) -> list[str]:
        """Return the models, one after the other; a folder may have a comma in its name."""
        if self.calibrate:
            return [self.calibrate]
        names = [self.model] if Path(self.model).is_dir() else [name.strip() for name in self.model.split(",")]
        return [name for name in dict.fromkeys(names) if name]

    @cached_property
    def stacks(self) -> dict[str, Stack]:
        """Return what is compared, by the name that reports use, plain decoding first."""
        return methods_of(self.paper.methods if self.paper else self.method)

    @cached_property
    def paper(self) -> PaperTable | None:
        """Return the table of a paper that is measured, if one is: then its methods race."""
        return tables()[self.reproduce] if self.reproduce else None

    @property
    def omitted(self) -> str:
        return self.leave_out or (self.paper.leave_out if self.paper else "")

    @cached_property
    def batch_sizes(self) -> tuple[int, ...]:
        """Return the batch sizes of throughput, if asked for, 1 first: all is compared with one page at a time."""
        sizes = [part.strip() for part in self.throughput.split(",")] if self.throughput else []
        if not all(size.isdecimal() and int(size) for size in sizes):
            raise UsageError(f"--throughput {self.throughput}: write batch sizes, such as 1,4,16")
        return tuple(dict.fromkeys([1, *map(int, sizes)])) if sizes else ()

    @property
    def drafted(self) -> Drafts:
        """Return where drafts come from, when nobody says so as well."""
        return cast(Drafts, self.drafts or ("oracle" if self.random_weights else "pipeline"))

    @property
    def max_pages(self) -> int:
        few = CALIBRATION_PAGES if self.calibrate else BUILTIN_PAGES
        return (few if self.data.startswith(BUILTIN) else 0) if self.pages is None else self.pages

    @property
    def settings(self) -> dict[str, Any]:
        """Return all of it, as a report has it: with what was meant where nothing was typed."""
        return asdict(self) | {"drafts": self.drafted, "pages": self.max_pages}

    def check_models(self) -> None:
        """Raise what loading would raise for a name, a device or weights that are not there, before anything heavy."""
        if not self.models:
            raise UsageError("--model: name one, such as tiny, which comes with docparse")
        if self.device != "auto":
            memory.named(self.device)
        for name in self.models:
            known_family(name) if self.random_weights else _located(name)
        for name, stack in self.stacks.items():
            if isinstance(stack.drafting, Vsd):
                if not stack.drafting.model:
                    raise UsageError(f"--method {name}: it drafts with a smaller model: name it as vsd:model=NAME")
                _located(stack.drafting.model)


def _located(name: str) -> Family:
    try:
        return locate(name, offline=False)[0]
    except EnvironmentProblem as problem:
        if "models pull" not in str(problem):
            raise
        raise EnvironmentProblem(
            f"{problem}; what runs now is --model tiny, or --random-weights for the speed alone"
        ) from None


def methods_of(text: str) -> dict[str, Stack]:
    """Stacks by name, plain decoding first: `hsd,hsd(tau=0.75,n=4),lookup`. A comma before `parameter=` belongs to the
    method before it. Raises `UsageError`."""
    parts: list[str] = []
    for part in re.split(r",(?![^()]*\))", text):
        if parts and re.fullmatch(r"\s*[\w-]+\s*=.*", part):
            parts[-1] += f",{part}"
        else:
            parts.append(part)
    named = [part for part in map(str.strip, parts) if part not in ("", AR, "none")]
    if not named:
        raise UsageError(f"--method {text!r}: name a method to compare with plain decoding, such as hsd")
    return {AR: Stack()} | {name: parse_stack(name, "--method") for name in named}
