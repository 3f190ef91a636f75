"""A few killable worker processes and the events they produce.

The pool knows nothing of documents: it starts workers when there is work, hands each one task at a time, kills what
is late, notices what died, and replaces both. Every task given comes back exactly once, as an `Outcome`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import wait
from typing import Any, Protocol

from docparse.errors import DeviceLost, EnvironmentProblem
from docparse.jobs.memory import resident_memory, too_much
from docparse.jobs.process import Start, WorkerProcess
from docparse.jobs.worker import Answer, Failure, News
from docparse.sizes import shown_size

MOST_FAILED_STARTS = 3
TASKS_BEFORE_RECYCLING = 200  # a worker is replaced only between tasks, after this many,
GROWTH_BEFORE_RECYCLING = 1.5  # and only if it holds this many times the memory it held after SETTLED tasks
SETTLED = 20
NEARLY_FULL = 0.75  # of its limit; a worker that holds so much after a task leaves too little for the next page
MEMORY_SECONDS = 0.2  # between two looks at how much the busy workers hold


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of one task: a value, or the reason why there is none. `about` is what was submitted with it."""

    task: Any
    about: Any
    value: Any
    failure: Failure | None


class WorkerPool(Protocol):
    """What a run asks of its workers; `jobs.pool.Pool` has them on this machine."""

    size: int

    def __enter__(self) -> WorkerPool: ...

    def __exit__(self, *_: object) -> None: ...

    @property
    def busy(self) -> bool: ...

    def idle(self) -> Iterator[Any]: ...

    def submit(self, worker: Any, task: Any, *, timeout: float, about: Any = None) -> None: ...

    def outcomes(self, *, until: float | None = None) -> list[Outcome]: ...

    def cancel(self, about: Any) -> None: ...


class Pool:
    """At most `size` workers, started when they are needed; a context manager that leaves no process behind.

    `hear` is called with what a worker says of a task under way, while `outcomes` waits.
    """

    def __init__(self, start: Start, size: int, hear: Callable[[Any], None] = lambda news: None) -> None:
        self.start = start
        self.size = size
        self.hear = hear
        self.workers: list[WorkerProcess] = []
        self.failed_starts = 0

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self.workers:
            worker.kill()
        self.workers.clear()

    @property
    def busy(self) -> bool:
        return any(worker.task is not None for worker in self.workers)

    def idle(self) -> Iterator[WorkerProcess | None]:
        """Workers without a task, those that run first; None stands for one that would have to be started."""
        for worker in list(self.workers):
            if worker.task is None:
                yield worker
        while len(self.workers) < self.size:
            yield None

    def submit(self, worker: WorkerProcess | None, task: Any, *, timeout: float, about: Any = None) -> None:
        """Give `task` to an idle worker, or to a new one. It is killed `timeout` seconds after it begins."""
        if worker is None:
            worker = WorkerProcess(self.start)
            self.workers.append(worker)
        worker.about = about
        worker.give(task, timeout)

    def outcomes(self, *, until: float | None = None) -> list[Outcome]:
        """Wait until at least one task has ended, at most `until` on the monotonic clock, and return those that have.

        Raises `EnvironmentProblem` if workers cannot be started.
        """
        while self.busy:
            working = [worker for worker in self.workers if worker.task is not None]
            wake = min(worker.deadline for worker in working)
            wake = wake if until is None else min(wake, until)
            seconds = max(0.0, wake - time.monotonic())
            seconds = min(seconds, MEMORY_SECONDS) if self.start.memory else seconds
            readable = set(wait([worker.connection for worker in working], seconds))
            ended = [self._receive(worker) for worker in working if worker.connection in readable]
            ended += [self._expire(worker) for worker in working if worker.overdue()]
            ended += [self._stop(worker) for worker in working if self._too_large(worker)]
            outcomes = [outcome for outcome in ended if outcome is not None]
            if outcomes or (until is not None and time.monotonic() >= until):
                return outcomes
        return []

    def cancel(self, about: Any) -> None:
        """Kill the workers that are busy with a task submitted as `about`; those tasks do not come back."""
        for worker in [worker for worker in self.workers if worker.task is not None and worker.about is about]:
            self._drop(worker)

    def _receive(self, worker: WorkerProcess) -> Outcome | None:
        started_before = worker.ready
        answer = worker.receive()
        if isinstance(answer, News):
            self.hear(answer.value)
            return None
        if answer is None:
            self.failed_starts = 0
            return None
        outcome = Outcome(worker.task, worker.about, answer.value, answer.failure)
        worker.task = None
        if not started_before:
            self._failed_start(answer.failure)
        if not worker.ready or worker.process.poll() is not None or self._worn(worker, answer):
            self._drop(worker)
        return outcome

    def _expire(self, worker: WorkerProcess) -> Outcome:
        if not worker.ready:
            raise EnvironmentProblem("a worker process did not start in time: run `docparse doctor`")
        failure = Failure("timeout", f"took longer than {worker.timeout:g} s (--page-timeout)")
        outcome = Outcome(worker.task, worker.about, None, failure)
        self._drop(worker)
        return outcome

    def _failed_start(self, failure: Failure | None) -> None:
        self.failed_starts += 1
        if failure is not None and failure.category == EnvironmentProblem.category:
            raise EnvironmentProblem(failure.error)
        if failure is not None and (failure.category != "crash" or self.failed_starts >= MOST_FAILED_STARTS):
            raise EnvironmentProblem(f"worker processes cannot start: {failure.error}; run `docparse doctor`")

    def _too_large(self, worker: WorkerProcess) -> bool:
        busy = self.start.memory > 0 and worker.task is not None
        return busy and resident_memory(worker.process.pid) > self.start.memory

    def _stop(self, worker: WorkerProcess) -> Outcome:
        if not worker.ready:
            limit = shown_size(self.start.memory)
            raise EnvironmentProblem(f"a worker process needs more than {limit} of memory to start: raise --max-memory")
        outcome = Outcome(worker.task, worker.about, None, Failure("memory", too_much(self.start.memory)))
        self._drop(worker)
        return outcome

    def _worn(self, worker: WorkerProcess, answer: Answer) -> bool:
        """Whether a new worker would do better: memory or its device has failed this one, or it holds too much between
        tasks."""
        if answer.failure is not None and answer.failure.category in ("memory", DeviceLost.category):
            return True
        if self.start.memory and worker.memory > NEARLY_FULL * self.start.memory:
            return True
        if worker.tasks == SETTLED:
            worker.first_memory = worker.memory
        return worker.tasks >= TASKS_BEFORE_RECYCLING and worker.memory > GROWTH_BEFORE_RECYCLING * worker.first_memory

    def _drop(self, worker: WorkerProcess) -> None:
        worker.kill()
        worker.task = None
        self.workers.remove(worker)
