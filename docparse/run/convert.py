"""A whole run: name the inputs, decide what is open, let workers read and write every document, sum it up."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import IO

import msgspec

from docparse.errors import EnvironmentProblem, OutputError
from docparse.run.context import RunContext
from docparse.run.files import make_folder
from docparse.run.inputs import Inputs, resolve
from docparse.run.journal import Journal, JournalHistory
from docparse.run.leftovers import clear_work, temporary_folder
from docparse.run.loop import RunLoop
from docparse.run.outputs import JOURNAL_NAME, STDOUT_NAME, Destination, check, choose_destination, parse_formats
from docparse.run.result import DocumentResult, Observer, RunSummary
from docparse.run.upload import kept_at
from docparse.run.workers import planned_pool
from docparse.settings import Settings
from docparse.storage import Storage


def convert(
    arguments: Sequence[str],
    out: str | None,
    settings: Settings | None = None,
    *,
    resume: bool = False,
    stdin: IO[bytes] | None = None,
    stdout: IO[bytes] | None = None,
    observer: Observer | None = None,
    show_stderr: bool = False,
) -> RunSummary:
    """Convert `arguments` (files, folders, globs, URLs, `@lists`, `-`) into `out` (folder, URL, file, or "-" and None:
    stdout).

    What fails is in the summary; `UsageError` and `EnvironmentProblem` are raised before anything is converted. A
    KeyboardInterrupt ends the run with `interrupted` set and what is finished kept.
    """
    settings = settings or Settings()
    observer = observer or Observer()
    started = time.monotonic()
    summary, inputs = RunSummary(), Inputs()
    try:
        with ExitStack() as stack:
            temporary = stack.enter_context(temporary_folder())
            formats = parse_formats(settings.format) if settings.format else None
            destination = choose_destination(out, formats, layout_pdf=settings.layout_pdf, temporary=temporary)
            if destination.stdout and settings.images == "ref":
                settings = msgspec.structs.replace(settings, images="none")
            plan, pool = stack.enter_context(planned_pool(settings, observer, show_stderr=show_stderr))
            inputs = _inputs(arguments, destination, stdin, observer, offline=settings.offline)
            storage = Storage(destination.url, offline=settings.offline) if destination.url else None
            if plan.note and any(not item.problem for item in inputs.documents):
                (observer.usual if plan.usual else observer.note)(plan.note)
            summary.skipped = len(inputs.skipped)
            try:
                make_folder(destination.folder)
                with ExitStack() as work:
                    if storage is not None:
                        work.enter_context(kept_at(storage, destination.folder / JOURNAL_NAME))
                        destination = replace(destination, there=storage.names() if resume else frozenset())
                    clear_work(destination.work)
                    journal = Journal(destination.journal)
                    history = JournalHistory.read(journal) if resume else JournalHistory()
                    context = RunContext(plan, destination, journal, history, observer, resume)
                    observer.begin(len(inputs.documents))
                    work.enter_context(pool)
                    loop = RunLoop(plan.settings, pool, temporary, stdin)
                    summary.documents = loop.results
                    loop.coming.extend((item, context) for item in inputs.documents)
                    work.callback(loop.stop)
                    while loop.hand_out():
                        loop.take_in()
                if destination.stdout:
                    _copy_to_stdout(destination, summary, stdout or sys.stdout.buffer)
                _tidy(destination, journal, summary, keep=resume)
            except (EnvironmentProblem, OutputError) as error:
                summary.error = str(error)
                summary.error_category = EnvironmentProblem.category if settings.ray else error.category
    except KeyboardInterrupt:  # also while what was started is being ended
        summary.interrupted = True
    summary.documents += _unfinished(inputs, summary)
    summary.seconds = round(time.monotonic() - started, 3)
    return summary


def _inputs(
    arguments: Sequence[str], destination: Destination, stdin: IO[bytes] | None, observer: Observer, *, offline: bool
) -> Inputs:
    avoid = None if destination.stdout or destination.file else destination.folder
    if stdin is None and sys.stdin is not None:
        stdin = sys.stdin.buffer
    inputs = resolve(arguments, stdin=stdin, avoid=avoid, offline=offline)
    check(destination, inputs.documents)
    for note in inputs.notes:
        observer.note(note)
    for line in inputs.skipped:
        observer.skipped(line)
    return inputs


def _copy_to_stdout(destination: Destination, summary: RunSummary, stdout: IO[bytes]) -> None:
    """Raises `OutputError`; a closed pipe is left to the caller."""
    for result in summary.documents:
        for path in destination.files(Path(STDOUT_NAME)).all() if result.outputs else []:
            try:
                with open(path, "rb") as file:
                    shutil.copyfileobj(file, stdout)
                stdout.flush()
            except OSError as error:
                if isinstance(error, BrokenPipeError):
                    raise
                summary.documents = []  # nobody has it
                raise OutputError(f"standard output: cannot write: {error.strerror or error}") from error
    summary.documents = [msgspec.structs.replace(result, outputs=()) for result in summary.documents]


def _unfinished(inputs: Inputs, summary: RunSummary) -> list[DocumentResult]:
    """The documents that a run which ended early did not come to the end of."""
    ended = {result.input for result in summary.documents}
    category = "interrupted" if summary.interrupted else summary.error_category
    reason = "the run ended before this document did"
    return [
        DocumentResult(input=item.name, status="unfinished", error=f"{item.name}: {reason}", error_category=category)
        for item in inputs.documents
        if item.name not in ended
    ]


def _tidy(destination: Destination, journal: Journal, summary: RunSummary, *, keep: bool) -> None:
    """Remove the work folder where nothing in it is needed for `--resume`."""
    if destination.file is not None and not keep and not any(item.failed_pages for item in summary.documents):
        journal.remove()
    with suppress(OSError):
        os.rmdir(destination.work)


__all__ = ["Observer", "RunSummary", "convert"]
