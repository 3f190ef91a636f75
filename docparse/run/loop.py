"""The loop over documents and pages: hand out tasks, collect what came of them, account for every page.

It reads nothing and renders nothing: workers do, because pdfium may crash or hang on a hostile file. Documents
overlap, so that workers stay busy across the end of one, and at most a few are open at a time.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from docparse.errors import EnvironmentProblem, InputError, OutputError
from docparse.run.context import RunContext
from docparse.run.document import DocumentRun
from docparse.run.inputs import Input, Inputs
from docparse.run.inputs.spool import Spooler
from docparse.run.pool import TaskOutcome, WorkerPool
from docparse.run.result import RunSummary
from docparse.run.tasks import Source, Task
from docparse.run.workers import Workers
from docparse.sizes import parse_size

DOCUMENTS_AHEAD = 1  # documents open beyond one for every page that may be under way
SPOOL_SECONDS = 0.1  # between two looks at what comes through pipes


class RunLoop:
    """The loop over documents and pages."""

    def __init__(
        self,
        inputs: Inputs,
        context: RunContext,
        workers: Workers,
        temporary: Path,
        stdin: IO[bytes] | None,
        summary: RunSummary,
    ) -> None:
        self.context = context
        self.workers = workers
        self.pool: WorkerPool = workers.pool
        self.model: WorkerPool | None = workers.model
        self.spooler = Spooler(temporary, parse_size(context.settings.max_spool), stdin, at_a_time=self.pool.size)
        self.summary = summary
        self.active: list[DocumentRun] = []
        self.coming = deque(inputs.documents)
        context.observer.begin(len(inputs.documents))

    def step(self) -> bool:
        """Hand out what can be done and take in what has ended; False where nothing is left to do."""
        if not (self.hand_out() or self.busy or self.spooler.waiting):
            return False
        if not self.busy:
            self.spooler.wait(SPOOL_SECONDS)
        for outcome in self.workers.wait(self.workers.pools, until=self.next_deadline()):
            self.collect(outcome)
        self.expire()
        return True

    def stop(self) -> None:
        """Nothing more is to be done for the documents that have not ended."""
        self.spooler.stop()
        for document in self.active:
            document.let_go()

    @property
    def busy(self) -> bool:
        return any(pool.busy for pool in self.workers.pools)

    def hand_out(self) -> bool:
        """Give every idle worker something to do; False where there was nothing."""
        given = self.hand_out_to_model()
        for worker in self.pool.idle():
            found = self.next_task(worker)
            if found is None:
                break
            document, task = found
            self.pool.submit(worker, task, timeout=document.timeout(), about=document)
            given = True
            if self.model is not None and document.pages.waiting_for_model:
                self.model.warm()
        return given

    def hand_out_to_model(self) -> bool:
        """Give the model the pages that wait for it, those of the oldest document first."""
        if self.model is None:
            return False
        given = False
        for worker in self.model.idle():
            document = next((document for document in self.active if document.pages.drafted), None)
            if document is None:
                break
            alone = document.pages.drafted[0].alone
            if alone and worker is not None and worker.held:
                continue  # until it has nothing else to do
            task = document.next_page_to_write()
            seconds = self.context.settings.page_seconds
            self.model.submit(worker, task, timeout=seconds, about=document, alone=alone)
            given = True
        return given

    def next_task(self, worker: Any) -> tuple[DocumentRun, Task] | None:
        """Return the next task for the document the worker has open, else for one that no worker has, else for any."""
        own = [document for document in self.active if worker is not None and document is worker.last]
        waiting = sum(document.pages.waiting_for_model for document in self.active)
        ahead = waiting < self.context.settings.ahead
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
        """Return how many documents are open at a time."""
        count = self.pool.size + DOCUMENTS_AHEAD
        return count if self.model is None else count + self.model.slots + self.context.settings.ahead

    def open_next(self) -> DocumentRun | None:
        """Begin with the next input; those that are known to be unreadable end at once."""
        while (found := self._next_input()) is not None:
            item, path, problem = found
            document = DocumentRun(item, Source(path, item.name), self.context_of(item))
            if problem:
                document.fail(f"{item.name}: {problem}", InputError.category)
                self.ended(document)
                continue
            self.active.append(document)
            return document
        return None

    def context_of(self, item: Input) -> RunContext:
        """Return what the document shares with others."""
        return self.context

    def _next_input(self) -> tuple[Input, Path, str] | None:
        """Return an input that can be begun without waiting, where workers can read it, and what is wrong with it.

        What comes through a pipe or from a URL is put into a file first, which may take as long as it likes.
        """
        while (spool := self.spooler.take()) is None:
            if not self.coming or (self.coming[0].url and self.spooler.full):
                return None
            item = self.coming.popleft()
            if item.problem or not (item.path is None or item.piped):
                return item, (item.path or self.spooler.folder).absolute(), item.problem
            self.spooler.add(item)
        return spool.item, spool.path, spool.problem

    def collect(self, outcome: TaskOutcome) -> None:
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
            self.spooler.forget(document.source.path)
        if document.result is not None:
            self.summary.documents.append(document.result)

    def next_deadline(self) -> float | None:
        """Return when to look up again, whatever the workers do; None for not before one of them has ended a task."""
        deadlines = [deadline for document in self.active if (deadline := document.deadline())]
        if self.spooler.waiting:
            deadlines.append(time.monotonic() + SPOOL_SECONDS)
        return min(deadlines, default=None)

    def expire(self) -> None:
        """Cut off documents that have used up their time."""
        now = time.monotonic()
        for document in list(self.active):
            if self.model is not None and self.model.starting and document.deadline() is not None:
                document.started = now  # the time in which a model is loaded is no document's
            deadline = document.deadline()
            if deadline is not None and now >= deadline:
                for pool in self.workers.pools:
                    pool.cancel(document)
                document.expire()
                if document.result is not None:
                    self.ended(document)
