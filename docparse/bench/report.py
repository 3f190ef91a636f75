"""A bench run as JSON: every row, what they come to, and everything needed to run it again."""

from __future__ import annotations

import os
import platform
import re
import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from docparse.bench.rows import PageFailure, PageRow, Throughput
from docparse.bench.summaries import Summary, summarise
from docparse.errors import UsageError
from docparse.machine import installed

SCHEMA: Final = "docparse-bench-2"
PACKAGES = ("docparse", "torch", "transformers", "triton", "pypdfium2", "onnxruntime")


class Measured(msgspec.Struct, frozen=True, kw_only=True):
    """A model as it was loaded. With `random_weights` its numbers show speed and nothing else; `token_per_character`
    says that it writes a token for each character, so that its acceptance lengths are not comparable with others'.
    `pass_milliseconds` is what a decode pass took by the tokens fed, measured before the race: by it speculation sizes
    its trees, so it is part of what was run. Empty where no method asks for it. `presets` says of each that raced
    where its values come from."""

    name: str
    revision: str
    random_weights: bool
    parameters: int
    device: str
    dtype: str
    token_per_character: bool
    pass_milliseconds: dict[int, float] = {}
    presets: dict[str, str] = {}


INTERRUPTED = "interrupted"  # why a run ended early, where somebody wanted that


class Unfinished(msgspec.Struct, frozen=True, kw_only=True):
    """Why a run ended early, and how many of the `of` pages each model has read by then; the others are in no row."""

    why: str
    pages: dict[str, int]
    of: int


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """One run. `methods` are names with the spelling of what they stand for, `lossless` the names of those that are to
    write what plain decoding writes. `data` and `drafts` are what was meant where nothing was typed. `date` is when the
    run ended (ISO 8601, UTC); `unfinished` says that it ended early; `left_out` are pages that were read and are in no
    row, and why."""

    schema: Literal["docparse-bench-2"] = SCHEMA
    models: tuple[Measured, ...]
    methods: dict[str, str]
    lossless: tuple[str, ...]
    data: str
    drafts: str
    seed: int = 0
    warm_up_seconds: float
    date: str = ""
    machine: dict[str, str]
    versions: dict[str, str]
    git_revision: str
    settings: dict[str, Any]
    summary: tuple[dict[str, Any], ...]
    rows: tuple[PageRow, ...]
    failures: tuple[PageFailure, ...] = ()
    throughput: tuple[Throughput, ...] = ()
    unfinished: Unfinished | None = None
    left_out: dict[str, str] = {}

    def summaries(self, model: str, category: str = "") -> list[Summary]:
        """Return those of one model, of all categories or of one."""
        found = map(Summary, self.summary)
        return [each for each in found if each.model == model and category in ("", each.category)]

    @property
    def pages(self) -> int:
        return len({row.page for row in self.rows}) or max((each.pages for each in self.throughput), default=0)

    @property
    def drafted(self) -> str:
        """Return what methods drafted from, damage on purpose included: `oracle (10% noise, boxes moved by 20%)`."""
        said = {"draft_noise": "{:.0%} noise", "box_jitter": "boxes moved by {:.0%}"}
        damage = ", ".join(form.format(share) for name, form in said.items() if (share := self.settings.get(name)))
        return f"{self.drafts} ({damage})" if damage else self.drafts

    @property
    def broken(self) -> list[str]:
        """Return pages on which a method that is called lossless did not write what plain decoding wrote."""
        rows = [row for row in self.rows if row.method in self.lossless and not row.identical]
        points = [point for each in self.throughput for point in each.points if point.method in self.lossless]
        counts = [
            f"{each.different} pages ({each.method}, batch size {each.batch})" for each in points if each.different
        ]
        return list(dict.fromkeys(f"{row.page} ({row.method})" for row in rows)) + counts


def report(rows: Sequence[PageRow], **about: Any) -> Report:
    """Return the rows with their summaries and this machine."""
    return Report(
        date=datetime.now(UTC).isoformat(timespec="seconds"),
        machine=_machine(),
        versions={"python": platform.python_version()} | installed(PACKAGES),
        git_revision=git_revision(),
        summary=tuple(summarise(rows)),
        rows=tuple(rows),
        **about,
    )


def encoded(found: Report) -> bytes:
    return msgspec.json.format(msgspec.json.encode(found)) + b"\n"


def older(path: Path, option: str) -> Report:
    """Return the report in a file, named with this option; its rows are summed up as today. Raises `UsageError` for one
    that is not there, is no report, or has another schema."""
    try:
        data = path.read_bytes()
        if (schema := msgspec.json.decode(data, type=dict[str, Any]).get("schema")) != SCHEMA:
            raise UsageError(f"{option} {path}: its schema is {schema}, this docparse writes {SCHEMA}: measure again")
        found = msgspec.json.decode(data, type=Report)
    except OSError as error:
        raise UsageError(f"{option} {path}: {error.strerror or error}") from None
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise UsageError(f"{option} {path}: not a JSON report of docparse bench: {error}") from None
    return msgspec.structs.replace(found, summary=tuple(summarise(found.rows)))


def _machine() -> dict[str, str]:
    import torch

    told = Path("/proc/cpuinfo")
    named = re.search(r"^model name\s*:(.*)$", told.read_text(encoding="utf-8"), re.M) if told.is_file() else None
    facts = {"system": platform.platform(), "processor": named[1].strip() if named else platform.machine()}
    facts |= {"cores": str(os.cpu_count()), "threads": str(torch.get_num_threads())}
    if torch.cuda.is_available():
        facts["gpu"] = torch.cuda.get_device_name()
    return facts


@cache
def git_revision() -> str:
    """Return the revision of the checkout that this package runs from, with `-dirty` where it was changed; "" where it
    is none. What it is when it is first asked for: a checkout may change while a bench runs."""
    here = Path(__file__)

    def git(*arguments: str) -> str:
        done = subprocess.run(["git", *arguments], cwd=here.parent, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    try:
        # a checkout may hold an environment that docparse is installed in
        git("ls-files", "--error-unmatch", here.name)
        return git("describe", "--always", "--dirty", "--abbrev=40", "--exclude=*")
    except (OSError, subprocess.CalledProcessError):
        return ""
