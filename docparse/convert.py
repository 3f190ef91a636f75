"""The page loop: name the inputs, open documents, read their pages, write them, and account for every page.

The loop itself reads nothing and renders nothing: workers do, because pdfium may crash or hang on a hostile file.
Documents overlap, so that workers stay busy across the end of one, and at most a few are open at a time.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import IO

import msgspec

from docparse.errors import EnvironmentProblem, InputError, OutputError
from docparse.inputs import Input, Inputs, resolve
from docparse.jobs.document import DocumentRun
from docparse.jobs.files import make_folder
from docparse.jobs.journal import History, Journal
from docparse.jobs.machine import thread_limits
from docparse.jobs.pool import Outcome, Pool
from docparse.jobs.process import Start, WorkerProcess
from docparse.jobs.result import DocumentResult, Observer, RunSummary
from docparse.jobs.tasks import AtDesk, Source, Task
from docparse.jobs.terms import Terms
from docparse.outputs import STDOUT_NAME, Destination, check, choose_destination, parse_formats
from docparse.prepare import LOADING_SECONDS, QUIET, Prepared, prepare
from docparse.settings import Settings

AHEAD = 1  # documents open beyond one per worker


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
    """Convert `arguments` (files, folders, globs, `@lists`, `-`) into `out` (folder, file, or "-" and None: stdout).

    What fails is in the summary; `UsageError` and `EnvironmentProblem` are raised before anything is converted. A
    KeyboardInterrupt ends the run with `interrupted` set and what is finished kept.
    """
    settings = settings or Settings()
    observer = observer or Observer()
    started = time.monotonic()
    with ExitStack() as stack:
        folder = tempfile.TemporaryDirectory(prefix="docparse-", ignore_cleanup_errors=True)
        temporary = Path(stack.enter_context(folder))
        formats = parse_formats(settings.format) if settings.format else None
        destination = choose_destination(out, formats, layout_pdf=settings.layout_pdf, temporary=temporary)
        images = "none" if destination.stdout and settings.images == "ref" else settings.images
        prepared = prepare(settings, images=images)
        inputs = _inputs(arguments, destination, stdin, observer)
        if prepared.note and inputs.documents:
            observer.note(prepared.note)
        summary = RunSummary(skipped=len(inputs.skipped))
        try:
            make_folder(destination.folder)
            journal = Journal(destination.journal)
            history = History.read(journal) if resume else History({}, {})
            settings, version, engine = prepared.settings, prepared.version, prepared.engine
            terms = Terms(settings, destination, journal, history, observer, version, resume, engine)
            pool = stack.enter_context(Pool(_start(prepared, show_stderr), settings.workers, observer.reading))
            Run(inputs, terms, pool, temporary, stdin, summary).to_the_end()
            if destination.stdout:
                _copy_to_stdout(destination, summary, stdout or sys.stdout.buffer)
            _tidy(destination, journal, summary, keep=resume)
        except KeyboardInterrupt:
            summary.interrupted = True
        except (EnvironmentProblem, OutputError) as error:
            summary.error, summary.error_category = str(error), error.category
        summary.documents += _unfinished(inputs, summary)
    summary.seconds = round(time.monotonic() - started, 3)
    return summary


class Run:
    """The loop over documents and pages."""

    def __init__(
        self, inputs: Inputs, terms: Terms, pool: Pool, temporary: Path, stdin: IO[bytes] | None, summary: RunSummary
    ) -> None:
        self.terms = terms
        self.pool = pool
        self.temporary = temporary
        self.stdin = stdin
        self.summary = summary
        self.active: list[DocumentRun] = []
        self.coming = iter(inputs.documents)
        self.exhausted = False
        terms.observer.begin(len(inputs.documents))

    def to_the_end(self) -> None:
        """Hand out tasks, collect what came of them, until every document has ended."""
        try:
            while self.hand_out() or self.pool.busy:
                for outcome in self.pool.outcomes(until=self.next_deadline()):
                    self.collect(outcome)
                self.expire()
        finally:
            for document in self.active:
                document.let_go()

    def hand_out(self) -> bool:
        """Give every idle worker something to do; False where there was nothing."""
        given = False
        for worker in self.pool.idle():
            found = self.next_task(worker)
            if found is None:
                break
            document, task = found
            self.pool.submit(worker, task, timeout=document.timeout(), about=document)
            given = True
        return given

    def next_task(self, worker: WorkerProcess | None) -> tuple[DocumentRun, Task] | None:
        """For the document the worker has open, else for one that nobody works on yet, else for any."""
        own = [document for document in self.active if worker is not None and document is worker.about]
        for document in self._by_preference(own):
            task = document.next_task()
            if task is not None:
                return document, task
        return None

    def _by_preference(self, own: list[DocumentRun]) -> Iterator[DocumentRun]:
        yield from own
        if len(self.active) < self.pool.size + AHEAD and (fresh := self.open_next()):
            yield fresh
        yield from list(self.active)

    def open_next(self) -> DocumentRun | None:
        """Begin with the next input; those that are known to be unreadable end at once."""
        for item in self.coming:
            document = DocumentRun(item, Source(self.temporary, item.name), self.terms)
            try:
                document.source = self._source(item)
            except InputError as error:
                document.fail(str(error), error.category)
                self.ended(document)
                continue
            self.active.append(document)
            return document
        return None

    def _source(self, item: Input) -> Source:
        """Where workers can read the document; what comes through a pipe is put into a file first."""
        if item.problem:
            raise InputError(f"{item.name}: {item.problem}")
        if item.path is not None and (item.path.is_file() or not item.path.exists()):
            return Source(item.path.absolute(), item.name)
        spool = self.temporary / f"{id(item)}.spool"
        try:
            with open(spool, "wb") as file:
                if item.path is None:
                    shutil.copyfileobj(self.stdin or sys.stdin.buffer, file)
                else:
                    with open(item.path, "rb") as pipe:
                        shutil.copyfileobj(pipe, file)
        except OSError as error:
            raise InputError(f"{item.name}: cannot be read: {error.strerror or error}") from None
        return Source(spool, item.name)

    def collect(self, outcome: Outcome) -> None:
        """Tell the document how its task ended. Raises where the whole run must end."""
        document: DocumentRun = outcome.about
        if document.result is not None:  # ended by another task of the same moment
            return
        failure = outcome.failure
        if failure is not None and failure.fatal:
            kind = EnvironmentProblem if failure.category == EnvironmentProblem.category else OutputError
            raise kind(failure.error)
        document.settle(outcome.task, outcome.value, failure)
        if document.result is not None:
            self.ended(document)

    def ended(self, document: DocumentRun) -> None:
        if document in self.active:
            self.active.remove(document)
        if document.result is not None:
            self.summary.documents.append(document.result)

    def next_deadline(self) -> float | None:
        return min((deadline for document in self.active if (deadline := document.deadline())), default=None)

    def expire(self) -> None:
        """Cut off documents that have used up their time."""
        now = time.monotonic()
        for document in list(self.active):
            deadline = document.deadline()
            if deadline is not None and now >= deadline:
                self.pool.cancel(document)
                document.expire()
                if document.result is not None:
                    self.ended(document)


def _start(prepared: Prepared, show_stderr: bool) -> Start:
    """How workers begin: with a model to load that takes longer, and its libraries are kept quiet."""
    settings = prepared.settings
    environment = thread_limits(settings.threads)
    if not settings.reads_with_model:
        return Start(AtDesk, (settings,), environment, show_stderr)
    return Start(AtDesk, (settings,), environment | QUIET, show_stderr, LOADING_SECONDS)


def _inputs(arguments: Sequence[str], destination: Destination, stdin: IO[bytes] | None, observer: Observer) -> Inputs:
    avoid = None if destination.stdout or destination.file else destination.folder
    inputs = resolve(arguments, stdin=stdin or (sys.stdin.buffer if "@-" in arguments else None), avoid=avoid)
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
