"""A few killable worker processes and the events they produce.

The pool knows nothing of documents: its workers start when there is work and take as many tasks as they can; it kills
what is late, notices what died, and replaces both. Every task given comes back exactly once, as a `TaskOutcome`.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing.connection import wait
from typing import Any, Self

from docparse.errors import DeviceLost, EnvironmentProblem, UsageError, error_of
from docparse.run.capacity import resident_memory, too_much
from docparse.run.process import Start, WorkerProcess
from docparse.run.worker import ProgressMessage, TaskAnswer, TaskFailure
from docparse.sizes import shown_size

MAX_FAILED_STARTS = 3
TASKS_BEFORE_RECYCLING = 200  # a worker is replaced only between tasks, after this many,
GROWTH_BEFORE_RECYCLING = 1.5  # and only if it holds this many times the memory it held after SETTLED tasks
SETTLED_TASKS = 20
NEARLY_FULL = 0.75  # of its limit; a worker that holds so much after a task leaves too little for the next page
MEMORY_SECONDS = 0.2  # between two looks at how much the busy workers hold


@dataclass(frozen=True, slots=True)
class TaskOutcome:
    """The end of one task: a value, or the reason why there is none. `about` is what was submitted with it."""

    task: Any
    about: Any
    value: Any
    failure: TaskFailure | None


class WorkerPool(ABC):
    """Workers that read pages, and perhaps others, the services, that let a model write them. A context manager that
    leaves none behind. What all pools have in common: `Pool` has its workers on this machine."""

    workers: list[Any]

    def __enter__(self) -> Self:
        return self

    @abstractmethod
    def __exit__(self, *_: object) -> None: ...

    @abstractmethod
    def outcomes(self, *, until: float | None = None) -> list[TaskOutcome]:
        """Wait until at least one task has ended, at most `until` on the monotonic clock, and return those that have.
        Raises `EnvironmentProblem` if workers cannot be started, `UsageError` if they refuse what was asked for."""

    @abstractmethod
    def cancel(self, about: Any) -> None:
        """Tasks that were given as `about` do not come back."""

    @abstractmethod
    def warm(self, service: bool) -> None:
        """Let workers of one kind start, if none has: it may take long, and there will be work."""

    def of_kind(self, service: bool) -> list[Any]:
        return [worker for worker in self.workers if worker.start.service is service]

    @property
    def busy(self) -> bool:
        """Return whether any task is under way."""
        return any(worker.held for worker in self.workers)

    def starting(self, service: bool) -> bool:
        """Return whether workers of one kind are starting, and none of them is ready."""
        workers = [worker for worker in self.of_kind(service) if worker.started]
        return bool(workers) and not any(worker.ready for worker in workers)

    def idle(self, service: bool = False) -> Iterator[Any]:
        """Yield workers of one kind that can take a task: an unstarted one before one that already has a task."""
        passed: set[Any] = set()
        while free := [worker for worker in self.of_kind(service) if worker.free and worker not in passed]:
            worker = min(free, key=lambda worker: (len(worker.held), not worker.started))
            given = worker.given
            yield worker
            if worker.given == given:
                passed.add(worker)


class Pool(WorkerPool):
    """A worker for each of `starts`, started when it is needed, and another one in place of one that ended. `hear` is
    called with what a worker says of a task under way, while `outcomes` waits."""

    def __init__(self, starts: Sequence[Start], hear: Callable[[Any], None] = lambda message: None) -> None:
        self.hear = hear
        self.starter = ThreadPoolExecutor(1)
        self.workers: list[WorkerProcess] = [self._worker(start) for start in starts]
        self.failed_starts: Counter[bool] = Counter()  # in a row, of each kind

    def _worker(self, start: Start) -> WorkerProcess:
        return WorkerProcess(start, self.starter)

    def __exit__(self, *_: object) -> None:
        for worker in self.workers:
            worker.kill()
        self.workers.clear()
        self.starter.shutdown(wait=False)

    def warm(self, service: bool) -> None:
        """See `WorkerPool`: one of them is enough."""
        workers = self.of_kind(service)
        if workers and not any(worker.started for worker in workers):
            workers[0].begin()

    def outcomes(self, *, until: float | None = None) -> list[TaskOutcome]:
        while self.busy:
            working = [worker for worker in self.workers if worker.started and (worker.held or not worker.ready)]
            wake = min(worker.deadline for worker in working)
            wake = wake if until is None else min(wake, until)
            seconds = max(0.0, wake - time.monotonic())
            seconds = min(seconds, MEMORY_SECONDS) if any(worker.start.memory for worker in working) else seconds
            ended = self._collect(working, wait([worker.connection for worker in working], seconds))
            if ended or (until is not None and time.monotonic() >= until):
                return ended
        return []

    def cancel(self, about: Any) -> None:
        """See `WorkerPool`. The workers that have them are killed, but for services, which are told."""
        for worker in list(self.workers):
            mine = [ticket for ticket, held in worker.held.items() if held.about is about]
            if mine and not worker.start.service:
                self._drop(worker)
            else:
                for ticket in mine:
                    worker.cancel(ticket)

    def _collect(self, working: list[WorkerProcess], readable: Collection[object]) -> list[TaskOutcome]:
        """Return the tasks that have ended: of workers that said something, are late, or hold too much."""
        ended: list[TaskOutcome] = []
        for worker in (worker for worker in working if worker.connection in readable):
            while worker in self.workers and worker.connection.poll():  # all that it has said, before it counts as late
                ended += self._receive(worker)
        for worker in [worker for worker in working if worker in self.workers]:  # the others have been replaced
            if worker.overdue():
                ended += self._expire(worker)
            elif worker.held and 0 < worker.start.memory < resident_memory(worker.process.pid):
                ended += self._stop(worker)
        return ended

    def _receive(self, worker: WorkerProcess) -> list[TaskOutcome]:
        started_before = worker.ready
        message = worker.receive()
        if isinstance(message, ProgressMessage):
            self.hear(message.value)
            return []
        if message is None:
            self.failed_starts[worker.start.service] = 0
            return []
        if isinstance(message, TaskAnswer):
            assert message.failure is not None  # it could not start, or it is gone
            if not started_before:
                self._failed_start(worker, message.failure)
            outcomes = self._all_ended(worker, message.failure)
            self._drop(worker)
            return outcomes
        ticket, answer = message
        outcome = self._ended(worker, ticket, answer.value, answer.failure)
        if not worker.held and (worker.process.poll() is not None or self._needs_replacing(worker, answer)):
            self._drop(worker)
        return outcome

    def _ended(self, worker: WorkerProcess, ticket: int, value: Any, failure: TaskFailure | None) -> list[TaskOutcome]:
        held = worker.held.pop(ticket)
        return [] if held.cancelled else [TaskOutcome(held.task, held.about, value, failure)]

    def _all_ended(self, worker: WorkerProcess, failure: TaskFailure) -> list[TaskOutcome]:
        """A failure that ends a worker ends all its tasks, and which of them is why nobody knows."""
        failure = replace(failure, shared=len(worker.held) > 1)
        return [outcome for ticket in list(worker.held) for outcome in self._ended(worker, ticket, None, failure)]

    def _expire(self, worker: WorkerProcess) -> list[TaskOutcome]:
        if not worker.ready:
            raise EnvironmentProblem("a worker process did not start in time: run `docparse doctor`")
        now = time.monotonic()
        outcomes = []
        for ticket, held in list(worker.held.items()):
            if now >= held.deadline:
                failure = TaskFailure("timeout", f"took longer than {held.timeout:g} s (--page-timeout)")
                outcomes += self._ended(worker, ticket, None, failure)
        killed = TaskFailure("crash", "the worker process was killed with another page", shared=True)
        for ticket in list(worker.held):
            outcomes += self._ended(worker, ticket, None, killed)
        self._drop(worker)
        return outcomes

    def _failed_start(self, worker: WorkerProcess, failure: TaskFailure) -> None:
        self.failed_starts[worker.start.service] += 1
        if failure.category in (EnvironmentProblem.category, UsageError.category):
            raise error_of(failure.category, failure.error)
        if failure.category != "crash" or self.failed_starts[worker.start.service] >= MAX_FAILED_STARTS:
            raise EnvironmentProblem(f"worker processes cannot start: {failure.error}; run `docparse doctor`")

    def _stop(self, worker: WorkerProcess) -> list[TaskOutcome]:
        if not worker.ready:
            limit = shown_size(worker.start.memory)
            raise EnvironmentProblem(f"a worker process needs more than {limit} of memory to start: raise --max-memory")
        outcomes = self._all_ended(worker, TaskFailure("memory", too_much(worker.start.memory)))
        self._drop(worker)
        return outcomes

    def _needs_replacing(self, worker: WorkerProcess, answer: TaskAnswer) -> bool:
        """Return whether memory or its device has failed this worker, or it holds too much between tasks."""
        if answer.failure is not None and answer.failure.category in ("memory", DeviceLost.category):
            return True
        if worker.start.memory and worker.memory > NEARLY_FULL * worker.start.memory:
            return True
        if worker.tasks == SETTLED_TASKS:
            worker.first_memory = worker.memory
        return worker.tasks >= TASKS_BEFORE_RECYCLING and worker.memory > GROWTH_BEFORE_RECYCLING * worker.first_memory

    def _drop(self, worker: WorkerProcess) -> None:
        worker.kill()
        worker.held.clear()
        self.workers[self.workers.index(worker)] = self._worker(worker.start)
