"""The loop over documents and pages: hand out tasks, collect what came of them, account for every page. Workers read
and render, as pdfium may crash or hang; a few documents overlap."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from docparse.errors import InputError, error_of
from docparse.run.context import RunContext
from docparse.run.document import DocumentRun
from docparse.run.inputs import Input
from docparse.run.inputs.spool import Spool, Spooler
from docparse.run.pool import TaskOutcome, WorkerPool
from docparse.run.result import DocumentResult
from docparse.run.tasks import SourceFile, Task
from docparse.settings import Settings
from docparse.sizes import parse_size

DOCUMENTS_AHEAD = 1  # documents open beyond one for every page that may be under way
SPOOL_SECONDS = 0.1  # between two looks at what comes through pipes


class RunLoop:
    """The loop over documents and pages: `hand_out` what can be done, `take_in` what has ended, until there is nothing
    left. `coming` are the inputs that have not begun, each with what its document shares with others; `results` are
    those of the documents that have ended."""

    def __init__(self, settings: Settings, pool: WorkerPool, temporary: Path, stdin: IO[bytes] | None = None) -> None:
        self.settings = settings
        self.pool = pool
        self.readers = len(pool.of_kind(service=False))
        self.written_at_once = sum(worker.start.slots for worker in pool.of_kind(service=True))
        self.spooler = Spooler(temporary, parse_size(settings.max_spool), stdin, at_a_time=self.readers)
        self.coming: deque[tuple[Input, RunContext]] = deque()
        self.active: list[DocumentRun] = []
        self.results: list[DocumentResult] = []

    def stop(self) -> None:
        """Nothing more is to be done for the documents that have not ended."""
        self.spooler.stop()
        for document in self.active:
            document.release()

    def hand_out(self) -> bool:
        """Give every idle worker something to do; False where nothing is left to do."""
        self.hand_out_to_model()
        for worker in self.pool.idle():
            found = self.next_task(worker)
            if found is None:
                break
            document, task = found
            worker.give(task, document.timeout(), document)
            if document.pages.waiting_for_model:
                self.pool.warm(service=True)
        return self.pool.busy or self.spooler.waiting

    def hand_out_to_model(self) -> None:
        """Give the model the pages that wait for it, those of the oldest document first."""
        for worker in self.pool.idle(service=True):
            document = next((document for document in self.active if document.pages.drafted), None)
            if document is None:
                return
            alone = document.pages.drafted[0].alone
            if not (alone and worker.held):  # else it waits until the worker has nothing else to do
                worker.give(document.next_page_to_write(), self.settings.page_seconds, document, alone=alone)

    def take_in(self, *, until: float | None = None) -> None:
        """Wait for the end of a task, at most `until`, and tell the documents what has ended."""
        if not self.pool.busy:
            self.spooler.wait(SPOOL_SECONDS)
        deadlines = [deadline for document in self.active if (deadline := document.deadline())]
        if self.spooler.waiting:
            deadlines.append(time.monotonic() + SPOOL_SECONDS)
        if until is not None:
            deadlines.append(until)
        for outcome in self.pool.outcomes(until=min(deadlines, default=None)):
            self.collect(outcome)
        self.expire()

    def next_task(self, worker: Any) -> tuple[DocumentRun, Task] | None:
        """Return the next task for the document the worker has open, else for one that no worker has, else for any."""
        own = [document for document in self.active if worker is not None and document is worker.last]
        waiting = sum(document.pages.waiting_for_model for document in self.active)
        ahead = waiting < self.settings.ahead
        for document in self._by_preference(own):
            task = document.next_task(ahead=ahead)
            if task is not None:
                return document, task
        return None

    def _by_preference(self, own: list[DocumentRun]) -> Iterator[DocumentRun]:
        yield from own
        if len(self.active) < self.max_open and (fresh := self.open_next()):
            yield fresh
        yield from list(self.active)

    @property
    def max_open(self) -> int:
        for_model = self.written_at_once + self.settings.ahead if self.written_at_once else 0
        return self.readers + DOCUMENTS_AHEAD + for_model

    def open_next(self) -> DocumentRun | None:
        """Begin with the next input; those that are known to be unreadable end at once."""
        while (spool := self._next_input()) is not None:
            item = spool.item
            document = DocumentRun(item, SourceFile(spool.path, item.name), spool.about)
            if spool.problem:
                document.fail(f"{item.name}: {spool.problem}", InputError.category)
                self.ended(document)
                continue
            self.active.append(document)
            return document
        return None

    def _next_input(self) -> Spool | None:
        """Return an input that can be begun without waiting, where workers can read it, and what is wrong with it. What
        comes through a pipe or from a URL is put into a file first, which may take as long as it likes."""
        while (spool := self.spooler.take()) is None:
            if not self.coming or (self.coming[0][0].url and self.spooler.full):
                return None
            item, context = self.coming.popleft()
            if item.problem or not (item.path is None or item.piped):
                return Spool(item, (item.path or self.spooler.folder).absolute(), about=context, problem=item.problem)
            self.spooler.add(item, context)
        return spool

    def collect(self, outcome: TaskOutcome) -> None:
        """Tell the document how its task ended. Raises where the whole run must end."""
        document: DocumentRun = outcome.about
        if document.result is not None:  # ended by another task of the same moment
            return
        failure = outcome.failure
        if failure is not None and failure.fatal:
            raise error_of(failure.category, failure.error)
        document.settle(outcome.task, outcome.value, failure)
        if document.result is not None:
            self.ended(document)

    def ended(self, document: DocumentRun) -> None:
        if document in self.active:
            self.active.remove(document)
            self.spooler.forget(document.source.path)
        if document.result is not None:
            self.results.append(document.result)

    def expire(self) -> None:
        """Cut off documents that have used up their time."""
        now = time.monotonic()
        for document in list(self.active):
            if document.deadline() is not None and self.pool.starting(service=True):
                document.started = now  # the time in which a model is loaded is no document's
            deadline = document.deadline()
            if deadline is not None and now >= deadline:
                self.pool.cancel(document)
                document.expire()
                if document.result is not None:
                    self.ended(document)
