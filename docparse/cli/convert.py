"""`docparse convert`: flags to settings, the run, and what is printed about it."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from docparse.cli import quiet_pipe
from docparse.cli.options import settings_of
from docparse.cli.progress import Console, Terminal
from docparse.errors import ExitCode, OutputError, UsageError
from docparse.run.convert import RunSummary
from docparse.run.convert import convert as convert_documents
from docparse.run.result import DocumentResult


@dataclass(frozen=True)
class ConvertRequest:
    """What was typed, settings aside."""

    inputs: list[str]
    out: str | None
    resume: bool
    config: str | None
    quiet: bool
    verbose: int
    as_json: bool


def carry_out(request: ConvertRequest, flags: Mapping[str, Any]) -> ExitCode:
    """Convert, print, and say how it went; whoever closes our output has had enough of it, which is no error.

    Raises `DocparseError` where nothing could be begun.
    """
    try:
        return convert_and_tell(request, flags)
    except BrokenPipeError:
        quiet_pipe()
        return ExitCode.OK


def convert_and_tell(request: ConvertRequest, flags: Mapping[str, Any]) -> ExitCode:
    file = Path(request.config) if request.config else None
    settings = settings_of(flags, file)
    if not flags.get("pages", "1").strip():
        raise UsageError("--pages is empty: write something like 1-3,7,-1, or leave it out for all pages")
    to_stdout = request.out in (None, "-")
    if request.as_json and to_stdout:
        raise UsageError("--json and the document cannot both go to stdout: use -o FOLDER or -o FILE")
    if to_stdout and request.resume:
        raise UsageError("--resume needs pages of an earlier run, and stdout keeps none: use -o FOLDER or -o FILE")
    if to_stdout and flags.get("images") == "ref":
        raise UsageError("--images ref needs a place for the pictures: use -o FOLDER, or --images embed")
    console = Console(quiet=request.quiet, verbose=request.verbose)
    with Terminal.observer(console, to_stdout=to_stdout) as observer:
        summary = convert_documents(
            request.inputs,
            request.out,
            settings,
            resume=request.resume,
            observer=observer,
            show_stderr=request.verbose > 1,
        )
    if request.as_json:
        print_json(summary)
    conclude(summary, console, resumable=not to_stdout)
    return summary.exit_code


def print_json(summary: RunSummary) -> None:
    form = msgspec.to_builtins(summary) | {"exit_code": int(summary.exit_code)}
    try:
        sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(form)) + b"\n")
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        quiet_pipe()
        raise OutputError(f"standard output: cannot write: {error.strerror or error}") from None


def conclude(summary: RunSummary, console: Console, *, resumable: bool) -> None:
    """The last lines: what ended the run early, and the counts where there were several documents."""
    if summary.error:
        console.error(summary.error)
    documents = summary.documents
    if summary.interrupted:
        kept = "; finished pages are kept: run again with --resume" if resumable else ""
        console.error(f"interrupted, {counts(documents)}{kept}")
        return
    if not documents and not summary.error:
        passed = f" ({skipped(summary.skipped, console)})" if summary.skipped else ""
        console.error(f"no PDF or image among the inputs{passed}: name a file or a folder that holds some")
    if len(documents) > 1:
        console.say(counts(documents))
    if documents and summary.skipped:
        console.say(skipped(summary.skipped, console))


def counts(documents: list[DocumentResult]) -> str:
    """`3 converted, 1 failed`, and `2 of 16 converted` where some were not come to."""
    number = Counter(item.status for item in documents)
    text = f"{number['ok']} of {len(documents)} converted" if number["unfinished"] else f"{number['ok']} converted"
    text += "".join(f", {number[status]} {status}" for status in ("partial", "failed") if number[status])
    resumed = sum(item.resumed for item in documents)
    return text + (f" ({resumed} by an earlier run)" if resumed else "")


def skipped(count: int, console: Console) -> str:
    text, them = (
        ("1 file skipped: not a document", "it") if count == 1 else (f"{count} files skipped: not documents", "them")
    )
    return text if console.verbose else f"{text} (-v lists {them})"
