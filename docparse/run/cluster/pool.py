"""The pool of a run on a cluster: its workers are actors, wherever Ray finds room for them. Every task comes back once,
as from `run.pool.Pool`; only this process touches the store and the journal."""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import Any

from docparse.errors import DocparseError, EnvironmentProblem
from docparse.run.cluster.actor import ActorReport, Host, SentDocument
from docparse.run.pool import Pool, TaskOutcome, WorkerPool
from docparse.run.process import GivenTask, Start, has_room
from docparse.run.store import PageStore
from docparse.run.tasks import OpenDocument, ReadPage, WritePage
from docparse.run.worker import TaskFailure, failure_of

START_SECONDS = 120.0  # for the first actor to get a place; a cluster may be busy, or begin to grow
GRACE_SECONDS = 60.0  # beyond a task's own time, until an actor that says nothing is given up
MAX_LOSSES = 5  # of machines or actors by one task, which then may be to blame
LOOK_SECONDS = 0.05  # between two looks at the workers on this machine, while they write
WAIT_SECONDS = 1.0  # between two looks at everything else
WRITERS = 2  # on this machine: a document is written in a fraction of the time of one of its pages


@dataclass(eq=False)
class RayWorker:
    """An actor as the scheduler sees it, once it was asked for. `hello` is what says that it is there, `held` are its
    tasks by what will say how they ended, `last` is what was given with the newest of its `given` tasks."""

    pool: RayPool
    start: Start
    actor: Any = None
    hello: Any = None
    held: dict[Any, GivenTask] = field(default_factory=dict)
    last: Any = None
    given: int = 0

    @property
    def started(self) -> bool:
        return self.actor is not None

    @property
    def ready(self) -> bool:
        return self.started and self.hello is None

    @property
    def free(self) -> bool:
        return self.ready and has_room(self.held.values(), self.start.slots)

    def give(self, task: Any, timeout: float, about: Any = None, *, alone: bool = False) -> None:
        """Send a task; one that writes outputs is done on this machine."""
        self.given += 1
        self.pool.take_in(self, GivenTask(task, about, timeout, alone))


class RayPool(WorkerPool):
    """An actor for each of `starts`, where Ray finds what their kind `needs`, by whether it is a service, and a few
    workers on this machine for tasks that write outputs."""

    def __init__(self, starts: Sequence[Start], ray: ModuleType, needs: Mapping[bool, Mapping[str, int]]) -> None:
        self.ray = ray
        self.workers = [RayWorker(self, start) for start in starts]
        self.writers = Pool([replace(starts[0], threads=1)] * WRITERS)
        self._needs = needs
        self._lost: dict[bool, deque[GivenTask]] = {False: deque(), True: deque()}  # by the kind of their workers
        self._to_write: deque[GivenTask] = deque()
        self._brought: OrderedDict[Path, SentDocument] = OrderedDict()
        self._waiting_since = dict.fromkeys(self._lost, time.monotonic())
        self._failed_starts = 0

    def __exit__(self, *_: object) -> None:
        self.writers.__exit__()
        for worker in list(self.workers):
            self._drop(worker)

    @property
    def busy(self) -> bool:
        """See `WorkerPool`; one that waits for its first actors is busy."""
        waiting = any(self._lost.values()) or self._to_write or any(map(self.starting, self._lost))
        return bool(waiting) or self.writers.busy or super().busy

    def warm(self, service: bool) -> None:
        """See `WorkerPool`: all of them. Those that find no room yet come when there is some."""
        for worker in self.of_kind(service):
            if not worker.started:
                actor = self.ray.remote(max_restarts=0, max_task_retries=0, **self._needs[service])(Host)
                worker.actor = actor.options(max_concurrency=worker.start.slots + 1).remote(worker.start)
                worker.hello = worker.actor.hello.remote()

    def idle(self, service: bool = False) -> Iterator[RayWorker]:
        """See `WorkerPool`. What was lost is given out before."""
        if not service:  # a model is asked for when there is something for it
            self.warm(service)
        lost = self._lost[service]
        for worker in super().idle(service):
            if lost and not (lost[0].alone and worker.held):  # which waits until one has nothing else to do
                worker.given += 1
                self._send(worker, lost.popleft())
        yield from super().idle(service)

    def take_in(self, worker: RayWorker, given: GivenTask) -> None:
        if isinstance(given.task, (OpenDocument, ReadPage, WritePage)):
            worker.last = given.about
            self._send(worker, given)
        else:
            self._to_write.append(given)
            self._write()

    def cancel(self, about: Any) -> None:
        """See `WorkerPool`; an actor that has no other task is ended."""
        self.writers.cancel(about)
        for waiting in (*self._lost.values(), self._to_write):
            for given in [given for given in waiting if given.about is about]:
                waiting.remove(given)
        for worker in list(self.workers):
            mine = [given for given in worker.held.values() if given.about is about]
            if mine and len(mine) == len(worker.held):
                self._drop(worker)
            for given in mine:
                given.cancelled = True

    def outcomes(self, *, until: float | None = None) -> list[TaskOutcome]:
        """See `WorkerPool`; that an actor has come ends the waiting, too."""
        while self.busy:
            seconds = LOOK_SECONDS if self.writers.busy else WAIT_SECONDS
            seconds = seconds if until is None else min(seconds, max(0.0, until - time.monotonic()))
            answers = [*self._awaited()]
            found, left = self.ray.wait(answers, timeout=seconds) if answers else ([], [])
            if not answers:
                time.sleep(seconds)
            found += self.ray.wait(left, num_returns=len(left), timeout=0)[0] if found and left else []
            ended = self._collect(found)
            if ended or found or (until is not None and time.monotonic() >= until):
                return ended
        return []

    def _awaited(self) -> dict[Any, RayWorker]:
        """Return what the actors will say something by. Raises `EnvironmentProblem` where none comes."""
        now = time.monotonic()
        for service, lost in self._lost.items():
            if lost or any(worker.started for worker in self.of_kind(service)):
                self.warm(service)
            if not self.starting(service):
                self._waiting_since[service] = now
            elif now > self._waiting_since[service] + START_SECONDS:
                raise EnvironmentProblem(
                    "no worker could be started on the Ray cluster: `ray status` shows whether its cores are taken"
                )
        found = {answer: worker for worker in self.workers for answer in worker.held}
        return found | {worker.hello: worker for worker in self.workers if worker.started and not worker.ready}

    def _collect(self, answers: Sequence[Any]) -> list[TaskOutcome]:
        """Return the tasks that have ended: by what the actors said, or because nothing came of one in time."""
        awaited = self._awaited()
        ended = []
        for worker, answer in [(awaited[answer], answer) for answer in answers if answer in awaited]:
            if worker in self.workers:  # it was not lost with another of its answers
                ended += self._receive(worker, answer)
        now = time.monotonic()
        for worker in list(self.workers):
            if any(now >= given.deadline for given in worker.held.values()):
                ended += self._lose(worker, "does not answer")
        ended += self.writers.outcomes(until=0.0)
        self._write()
        return ended

    def _send(self, worker: RayWorker, given: GivenTask) -> None:
        task, document, files = given.task, None, {}
        if isinstance(task, WritePage):
            files = PageStore(task.store).draft_files(task.attempt.page)
        else:
            try:
                document = self._brought.get(task.source.path) or SentDocument.at(task.source.path)
            except OSError:
                document = SentDocument(task.source.path, 0, 0)  # who opens it says what is wrong
        given.deadline = time.monotonic() + given.timeout + worker.start.limit + GRACE_SECONDS
        answer = worker.actor.do.remote(task, given.timeout, document, files, given.alone)
        worker.held[answer] = given

    def _receive(self, worker: RayWorker, answer: Any) -> list[TaskOutcome]:
        try:
            report = self.ray.get(answer)
        except self.ray.exceptions.RayError as error:
            return self._lose(worker, str(error))
        given = worker.held.pop(answer, None)
        if given is None:
            worker.hello, self._failed_starts = None, 0
        elif report.wanted:
            return self._bring(worker, given)
        elif not given.cancelled:
            failure = report.failure or _kept(given.task, report)
            return [TaskOutcome(given.task, given.about, report.value, failure)]
        return []

    def _bring(self, worker: RayWorker, given: GivenTask) -> list[TaskOutcome]:
        """Put a document where all machines of the cluster can fetch it from, and ask again. A few are kept there."""
        path = given.task.source.path
        try:
            self._brought[path] = replace(SentDocument.at(path), content=(self.ray.put(path.read_bytes()),))
        except OSError as error:
            return [TaskOutcome(given.task, given.about, None, failure_of(error))]
        while len(self._brought) > len(self.workers) + 1:
            self._brought.popitem(last=False)
        self._send(worker, given)
        return []

    def _lose(self, worker: RayWorker, why: str) -> list[TaskOutcome]:
        """An actor is gone: give its tasks to others. Return the outcome of those that have met that fate too often."""
        held = [given for given in worker.held.values() if not given.cancelled]
        self._failed_starts += not worker.ready
        self._drop(worker)
        if self._failed_starts > MAX_LOSSES + len(self.workers):
            raise EnvironmentProblem(f"workers cannot start on the Ray cluster: {' '.join(why.split())[:300]}")
        for given in held:
            given.losses += 1
            given.alone |= given.losses > 1
        self._lost[worker.start.service].extend(given for given in held if given.losses < MAX_LOSSES)
        failure = TaskFailure("crash", f"the machine or the worker that read it went away {MAX_LOSSES} times")
        return [TaskOutcome(lost.task, lost.about, None, failure) for lost in held if lost.losses >= MAX_LOSSES]

    def _drop(self, worker: RayWorker) -> None:
        self.workers[self.workers.index(worker)] = RayWorker(self, worker.start)
        with suppress(Exception):  # it may be gone, and its cluster too
            self.ray.kill(worker.actor)

    def _write(self) -> None:
        for writer in self.writers.idle():
            if not self._to_write:
                return
            given = self._to_write.popleft()
            writer.give(given.task, given.timeout, given.about)


def _kept(task: Any, report: ActorReport) -> TaskFailure | None:
    """Put what a task has left into the store of its document. Return what is wrong with that."""
    try:
        if isinstance(task, (ReadPage, WritePage)):
            PageStore(task.store).take(report.files or {})
    except DocparseError as error:
        return failure_of(error)
    return None
