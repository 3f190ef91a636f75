"""A whole run: name the inputs, decide what is open, let workers read and write every document, sum it up."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager, ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import IO, TYPE_CHECKING

import msgspec

from docparse.errors import EnvironmentProblem, OutputError
from docparse.inputs import Inputs, resolve
from docparse.jobs.files import make_folder
from docparse.jobs.journal import History, Journal
from docparse.jobs.leftovers import clear_outputs, temporary_folder
from docparse.jobs.machine import thread_limits, within_reason
from docparse.jobs.pool import Pool, WorkerPool
from docparse.jobs.process import START_LIMIT, Start
from docparse.jobs.result import DocumentResult, Observer, RunSummary
from docparse.jobs.run import Run
from docparse.jobs.tasks import AtDesk
from docparse.jobs.terms import Terms
from docparse.jobs.upload import kept_at
from docparse.outputs import JOURNAL_NAME, STDOUT_NAME, Destination, check, choose_destination, parse_formats
from docparse.prepare import LOADING_SECONDS, PIPELINE, PIPELINE_PACKAGES, QUIET, Prepared, prepare
from docparse.settings import Settings
from docparse.sizes import parse_size
from docparse.storage import Storage

if TYPE_CHECKING:
    from docparse.cluster.connect import Cluster


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
    asked = settings.workers
    observer = observer or Observer()
    started = time.monotonic()
    with ExitStack() as stack:
        temporary = stack.enter_context(temporary_folder())
        formats = parse_formats(settings.format) if settings.format else None
        destination = choose_destination(out, formats, layout_pdf=settings.layout_pdf, temporary=temporary)
        images = "none" if destination.stdout and settings.images == "ref" else settings.images
        cluster = stack.enter_context(_cluster(settings)) if settings.ray else None
        prepared = _prepared(settings, images, cluster)
        inputs = _inputs(arguments, destination, stdin, observer, offline=settings.offline)
        storage = Storage(destination.url, offline=settings.offline) if destination.url else None
        if prepared.note and inputs.documents:
            observer.note(prepared.note)
        summary = RunSummary(skipped=len(inputs.skipped))
        try:
            make_folder(destination.folder)
            with ExitStack() as work:
                if storage is not None:
                    work.enter_context(kept_at(storage, destination.folder / JOURNAL_NAME))
                    destination = replace(destination, there=storage.names() if resume else frozenset())
                clear_outputs(destination.work, (destination.folder / item.output.parent for item in inputs.documents))
                journal = Journal(destination.journal)
                history = History.read(journal) if resume else History({}, {})
                settings, version, engine = prepared.settings, prepared.version, prepared.engine
                terms = Terms(settings, destination, journal, history, observer, version, resume, engine)
                with _pool(_start(prepared, show_stderr), settings, cluster, asked, observer) as pool:
                    Run(inputs, terms, pool, temporary, stdin, summary).to_the_end()
            if destination.stdout:
                _copy_to_stdout(destination, summary, stdout or sys.stdout.buffer)
            _tidy(destination, journal, summary, keep=resume)
        except KeyboardInterrupt:
            summary.interrupted = True
        except (EnvironmentProblem, OutputError) as error:
            summary.error = str(error)
            summary.error_category = EnvironmentProblem.category if settings.ray else error.category
        summary.documents += _unfinished(inputs, summary)
    summary.seconds = round(time.monotonic() - started, 3)
    return summary


def _cluster(settings: Settings) -> AbstractContextManager[Cluster]:
    from docparse.cluster.connect import connected

    return connected(settings.ray, PIPELINE_PACKAGES, offline=settings.offline)


def _prepared(settings: Settings, images: str, cluster: Cluster | None) -> Prepared:
    """Where a cluster has GPUs, one of its machines decides which model runs there, and as what."""
    there = cluster is not None and cluster.gpus > 0 and settings.model != PIPELINE
    return cluster.prepare(settings, images=images) if cluster and there else prepare(settings, images=images)


def _pool(start: Start, settings: Settings, cluster: Cluster | None, workers: int, observer: Observer) -> WorkerPool:
    """The workers of a run; on a cluster `workers` of them, 0 for as many as it has room for."""
    if cluster is None:
        return Pool(start, settings.workers, observer.reading)
    from docparse.cluster.pool import RayPool

    if settings.reads_with_model and cluster.gpus:
        return RayPool(start, cluster, workers or cluster.gpus, with_gpus=True)
    memory = start.memory or (0 if settings.reads_with_model else within_reason(cluster.memory))
    return RayPool(replace(start, memory=memory), cluster, workers or max(1, cluster.cores // start.threads))


def _start(prepared: Prepared, show_stderr: bool) -> Start:
    """How workers begin: with a model to load that takes longer, and its libraries are kept quiet."""
    settings = prepared.settings
    return Start(
        AtDesk,
        (settings,),
        thread_limits(settings.threads) | (QUIET if settings.reads_with_model else {}),
        show_stderr,
        LOADING_SECONDS if settings.reads_with_model else START_LIMIT,
        memory=parse_size(settings.max_memory) if settings.max_memory else 0,
        threads=settings.threads,
    )


def _inputs(
    arguments: Sequence[str], destination: Destination, stdin: IO[bytes] | None, observer: Observer, *, offline: bool
) -> Inputs:
    avoid = None if destination.stdout or destination.file else destination.folder
    stdin = stdin or (sys.stdin.buffer if "@-" in arguments else None)
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
            except BrokenPipeError:
                raise
            except OSError as error:
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
