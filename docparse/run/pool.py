"""A few killable worker processes and the events they produce.

The pool knows nothing of documents: it starts workers when there is work, hands them as many tasks as they take, kills
what is late, notices what died, and replaces both. Every task given comes back exactly once, as an `TaskOutcome`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing.connection import wait
from typing import Any, Protocol

from docparse.errors import DeviceLost, EnvironmentProblem
from docparse.run.memory import resident_memory, too_much
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


class WorkerPool(Protocol):
    """What a run asks of its workers; `Pool` has them on this machine."""

    @property
    def size(self) -> int: ...

    @property
    def slots(self) -> int: ...

    @property
    def busy(self) -> bool: ...

    @property
    def starting(self) -> bool: ...

    def idle(self) -> Iterator[Any]: ...

    def warm(self) -> None: ...

    def submit(self, worker: Any, task: Any, *, timeout: float, about: Any = None, alone: bool = False) -> None: ...

    def cancel(self, about: Any) -> None: ...


class Pool:
    """At most `size` workers, started when they are needed; a context manager that leaves no process behind.

    They all begin alike, or each as the one of `start` that is its own. `hear` is called with what a worker says of a
    task under way, while `outcomes` waits.
    """

    def __init__(
        self, start: Start | Sequence[Start], size: int = 0, hear: Callable[[Any], None] = lambda news: None
    ) -> None:
        self.starts = [start] * size if isinstance(start, Start) else list(start)
        self.hear = hear
        self.workers: list[WorkerProcess] = []
        self.starter = ThreadPoolExecutor(1)
        self.failed_starts = 0

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self.workers:
            worker.kill()
        self.workers.clear()
        self.starter.shutdown(wait=False)

    @property
    def size(self) -> int:
        """Return the most workers that there may be."""
        return len(self.starts)

    @property
    def slots(self) -> int:
        """Return the most tasks that may be under way."""
        return sum(start.slots for start in self.starts)

    @property
    def busy(self) -> bool:
        return any(worker.held for worker in self.workers)

    def idle(self) -> Iterator[WorkerProcess | None]:
        """Workers that can take a task, those with the least to do first; None stands for one that would have to be
        started, which comes before a second task for another."""
        passed: set[int] = set()
        while True:
            free = [worker for worker in self.workers if worker.free and id(worker) not in passed]
            worker = min(free, key=lambda worker: len(worker.held), default=None)
            if len(self.workers) < self.size and (worker is None or worker.held):
                before = len(self.workers)
                yield None
                if len(self.workers) == before:
                    return
            elif worker is None:
                return
            else:
                held = len(worker.held)
                yield worker
                if len(worker.held) == held:
                    passed.add(id(worker))

    def warm(self) -> None:
        """Let one worker start, if none has: it may take long, and there will be work."""
        if not self.workers:
            self.workers.append(WorkerProcess(self.starts[0], self.starter))

    @property
    def starting(self) -> bool:
        """Return whether there are workers and none of them is ready."""
        return bool(self.workers) and not any(worker.ready for worker in self.workers)

    def submit(
        self, worker: WorkerProcess | None, task: Any, *, timeout: float, about: Any = None, alone: bool = False
    ) -> None:
        """Give `task` to a worker that can take one, or to a new one. The worker is killed `timeout` seconds after the
        task begins. `alone`: it gets no other task meanwhile."""
        if worker is None:
            taken = [worker.start for worker in self.workers]
            start = next(start for start in self.starts if taken.count(start) < self.starts.count(start))
            worker = WorkerProcess(start, self.starter)
            self.workers.append(worker)
        worker.give(task, timeout, about, alone=alone)

    def outcomes(self, *, until: float | None = None) -> list[TaskOutcome]:
        """Wait until at least one task has ended, at most `until` on the monotonic clock, and return those that have.

        Raises `EnvironmentProblem` if workers cannot be started.
        """
        return outcomes([self], until=until)

    def cancel(self, about: Any) -> None:
        """Tasks submitted as `about` do not come back. Their workers are killed, but for services, which are told."""
        for worker in list(self.workers):
            mine = [ticket for ticket, held in worker.held.items() if held.about is about]
            if mine and not worker.start.service:
                self._drop(worker)
            else:
                for ticket in mine:
                    worker.cancel(ticket)

    def working(self) -> list[WorkerProcess]:
        """Return the workers that will say something: that have tasks, or are starting."""
        return [worker for worker in self.workers if worker.held or not worker.ready]

    def collect(self, readable: Collection[object]) -> list[TaskOutcome]:
        """Return the tasks that have ended: of workers that said something, are late, or hold too much."""
        working = self.working()
        ended = []
        for worker in (worker for worker in working if worker.connection in readable):
            while worker in self.workers and worker.connection.poll():  # all that it has said, before it counts as late
                ended.append(self._receive(worker))
        ended += [self._expire(worker) for worker in working if worker.overdue()]
        ended += [self._stop(worker) for worker in working if self._too_large(worker)]
        return [outcome for outcomes in ended for outcome in outcomes]

    def _receive(self, worker: WorkerProcess) -> list[TaskOutcome]:
        started_before = worker.ready
        message = worker.receive()
        if isinstance(message, ProgressMessage):
            self.hear(message.value)
            return []
        if message is None:
            self.failed_starts = 0
            return []
        if isinstance(message, TaskAnswer):
            assert message.failure is not None  # it could not start, or it is gone
            if not started_before:
                self._failed_start(message.failure)
            outcomes = self._all_ended(worker, message.failure)
            self._drop(worker)
            return outcomes
        ticket, answer = message
        outcome = self._ended(worker, ticket, answer.value, answer.failure)
        if not worker.held and (worker.process.poll() is not None or self._worn(worker, answer)):
            self._drop(worker)
        return outcome

    def _ended(self, worker: WorkerProcess, ticket: int, value: Any, failure: TaskFailure | None) -> list[TaskOutcome]:
        held = worker.held.pop(ticket)
        worker.alone = worker.alone and bool(worker.held)
        return [] if held.cancelled else [TaskOutcome(held.task, held.about, value, failure)]

    def _all_ended(self, worker: WorkerProcess, failure: TaskFailure) -> list[TaskOutcome]:
        """What ends a worker ends all its tasks, and which of them is why nobody knows."""
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

    def _failed_start(self, failure: TaskFailure) -> None:
        self.failed_starts += 1
        if failure.category == EnvironmentProblem.category:
            raise EnvironmentProblem(failure.error)
        if failure.category != "crash" or self.failed_starts >= MAX_FAILED_STARTS:
            raise EnvironmentProblem(f"worker processes cannot start: {failure.error}; run `docparse doctor`")

    def _too_large(self, worker: WorkerProcess) -> bool:
        limited = worker.start.memory > 0 and bool(worker.held)
        return limited and resident_memory(worker.process.pid) > worker.start.memory

    def _stop(self, worker: WorkerProcess) -> list[TaskOutcome]:
        if not worker.ready:
            limit = shown_size(worker.start.memory)
            raise EnvironmentProblem(f"a worker process needs more than {limit} of memory to start: raise --max-memory")
        outcomes = self._all_ended(worker, TaskFailure("memory", too_much(worker.start.memory)))
        self._drop(worker)
        return outcomes

    def _worn(self, worker: WorkerProcess, answer: TaskAnswer) -> bool:
        """Whether a new worker would do better: memory or its device has failed this one, or it holds too much between
        tasks."""
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
        self.workers.remove(worker)


def outcomes(pools: Sequence[Pool], *, until: float | None = None) -> list[TaskOutcome]:
    """Wait until a task of one of several pools has ended; see `Pool.outcomes`."""
    while any(pool.busy for pool in pools):
        working = [worker for pool in pools for worker in pool.working()]
        wake = min(worker.deadline for worker in working)
        wake = wake if until is None else min(wake, until)
        seconds = max(0.0, wake - time.monotonic())
        seconds = min(seconds, MEMORY_SECONDS) if any(worker.start.memory for worker in working) else seconds
        readable = set(wait([worker.connection for worker in working], seconds))
        ended = [outcome for pool in pools for outcome in pool.collect(readable)]
        if ended or (until is not None and time.monotonic() >= until):
            return ended
    return []
