"""The pool of a run on a cluster: its workers are actors, wherever Ray finds room for them.

Every task comes back exactly once, as from `jobs.pool.Pool`. Only this process touches the store and the journal, so a
page that was read twice, because a machine died before it could say so, is still there once.
"""

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
from docparse.run.pool import Pool, TaskOutcome
from docparse.run.process import Start
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
class Errand:
    """A task on its way; `losses` counts the actors that went with it."""

    task: Any
    timeout: float
    about: Any
    alone: bool = False
    losses: int = 0
    deadline: float = 0.0
    cancelled: bool = False


@dataclass(eq=False)
class RayWorker:
    """An actor as the scheduler sees it. `hello` is what says that it is there, `held` are its tasks by what will say
    how they ended, `last` is what was submitted with the newest one."""

    actor: Any
    hello: Any
    slots: int
    held: dict[Any, Errand] = field(default_factory=dict)
    last: Any = None

    @property
    def ready(self) -> bool:
        return self.hello is None

    @property
    def free(self) -> bool:
        """Return whether it can take one more task."""
        alone = any(errand.alone for errand in self.held.values())
        return self.ready and len(self.held) < (1 if alone else self.slots)


class RayPool:
    """At most `size` actors, each where Ray finds what it `needs`, and a few workers on this machine for tasks that
    write outputs. A context manager."""

    def __init__(self, start: Start, ray: ModuleType, size: int, needs: Mapping[str, int]) -> None:
        self.size = size
        self.ray = ray
        self.workers: list[RayWorker] = []
        self.writers = Pool(replace(start, threads=1), WRITERS)
        self._start = start
        self._needs = needs
        self._lost: deque[Errand] = deque()
        self._to_write: deque[Errand] = deque()
        self._brought: OrderedDict[Path, SentDocument] = OrderedDict()
        self._waiting_since = time.monotonic()
        self._failed_starts = 0
        self._submitted = 0

    def __enter__(self) -> RayPool:
        return self

    def __exit__(self, *_: object) -> None:
        self.writers.__exit__()
        for worker in list(self.workers):
            self._drop(worker)

    @property
    def slots(self) -> int:
        """Return the most tasks that may be under way."""
        return self.size * self._start.slots

    @property
    def starting(self) -> bool:
        """Return whether actors were asked for and none has come."""
        return bool(self.workers) and not any(worker.ready for worker in self.workers)

    @property
    def busy(self) -> bool:
        held = any(worker.held for worker in self.workers)
        return held or bool(self._lost or self._to_write) or self.writers.busy or self.starting

    def warm(self) -> None:
        """Ask for as many actors as there are to be; those that find no room yet come when there is some."""
        while len(self.workers) < self.size:
            actor = self.ray.remote(max_restarts=0, max_task_retries=0, **self._needs)(Host)
            actor = actor.options(max_concurrency=self._start.slots + 1).remote(self._start)
            self.workers.append(RayWorker(actor, actor.hello.remote(), self._start.slots))

    def idle(self) -> Iterator[RayWorker]:
        """Actors that can take a task, those with the least to do first. What was lost is given out before."""
        if not self._start.service:  # a model is asked for when there is something for it
            self.warm()
        passed: set[int] = set()
        while free := [worker for worker in self.workers if worker.free and id(worker) not in passed]:
            worker = min(free, key=lambda worker: len(worker.held))
            if self._lost:
                if self._lost[0].alone and worker.held:
                    passed.add(id(worker))  # until it has nothing else to do
                else:
                    self._give(worker, self._lost.popleft())
                continue
            before = self._submitted
            yield worker
            if self._submitted == before:
                passed.add(id(worker))

    def submit(self, worker: RayWorker, task: Any, *, timeout: float, about: Any = None, alone: bool = False) -> None:
        """Give `task` to an actor that can take one; a task that writes outputs is done on this machine."""
        self._submitted += 1
        errand = Errand(task, timeout, about, alone)
        if not isinstance(task, (OpenDocument, ReadPage, WritePage)):
            self._to_write.append(errand)
            self._write()
            return
        worker.last = about
        self._give(worker, errand)

    def cancel(self, about: Any) -> None:
        """Tasks submitted as `about` do not come back; an actor that has no other is ended."""
        self.writers.cancel(about)
        self._lost = deque(errand for errand in self._lost if errand.about is not about)
        self._to_write = deque(errand for errand in self._to_write if errand.about is not about)
        for worker in list(self.workers):
            mine = [errand for errand in worker.held.values() if errand.about is about]
            if mine and len(mine) == len(worker.held):
                self._drop(worker)
            for errand in mine:
                errand.cancelled = True

    def awaited(self) -> dict[Any, RayWorker]:
        """Return what the actors will say something by. Raises `EnvironmentProblem` where none comes."""
        now = time.monotonic()
        if self.workers or self._lost:
            self.warm()
        if not self.starting:
            self._waiting_since = now
        elif now > self._waiting_since + START_SECONDS:
            raise EnvironmentProblem(
                "no worker could be started on the Ray cluster: `ray status` shows whether its cores are taken"
            )
        found = {answer: worker for worker in self.workers for answer in worker.held}
        return found | {worker.hello: worker for worker in self.workers if not worker.ready}

    def collect(self, answers: Sequence[Any]) -> list[TaskOutcome]:
        """Return the tasks that have ended: by what the actors said, or because nothing came of one in time."""
        awaited = self.awaited()
        ended = []
        for worker, answer in [(awaited[answer], answer) for answer in answers if answer in awaited]:
            if worker in self.workers:  # it was not lost with another of its answers
                ended += self._receive(worker, answer)
        now = time.monotonic()
        for worker in list(self.workers):
            if any(now >= errand.deadline for errand in worker.held.values()):
                ended += self._lose(worker, "does not answer")
        ended += self.writers.outcomes(until=0.0)
        self._write()
        return ended

    def _give(self, worker: RayWorker, errand: Errand) -> None:
        task, document, files = errand.task, None, {}
        if isinstance(task, WritePage):
            files = PageStore(task.store).draft_files(task.attempt.page)
        else:
            try:
                document = self._brought.get(task.source.path) or SentDocument.at(task.source.path)
            except OSError:
                document = SentDocument(task.source.path, 0, 0)  # who opens it says what is wrong
        errand.deadline = time.monotonic() + errand.timeout + self._start.limit + GRACE_SECONDS
        answer = worker.actor.do.remote(task, errand.timeout, document, files, errand.alone)
        worker.held[answer] = errand

    def _receive(self, worker: RayWorker, answer: Any) -> list[TaskOutcome]:
        try:
            report = self.ray.get(answer)
        except self.ray.exceptions.RayError as error:
            return self._lose(worker, str(error))
        errand = worker.held.pop(answer, None)
        if errand is None:
            worker.hello, self._failed_starts = None, 0
        elif report.wanted:
            return self._bring(worker, errand)
        elif not errand.cancelled:
            failure = report.failure or _kept(errand.task, report)
            return [TaskOutcome(errand.task, errand.about, report.value, failure)]
        return []

    def _bring(self, worker: RayWorker, errand: Errand) -> list[TaskOutcome]:
        """Put a document where all machines of the cluster can fetch it from, and ask again. A few are kept there."""
        path = errand.task.source.path
        try:
            self._brought[path] = replace(SentDocument.at(path), content=(self.ray.put(path.read_bytes()),))
        except OSError as error:
            return [TaskOutcome(errand.task, errand.about, None, failure_of(error))]
        while len(self._brought) > self.size + 1:
            self._brought.popitem(last=False)
        self._give(worker, errand)
        return []

    def _lose(self, worker: RayWorker, why: str) -> list[TaskOutcome]:
        """An actor is gone, with its machine or alone: its tasks are given to others. Return the outcome of those that
        have met that fate too often."""
        errands = [errand for errand in worker.held.values() if not errand.cancelled]
        self._failed_starts += not worker.ready
        self._drop(worker)
        if self._failed_starts > MAX_LOSSES + self.size:
            raise EnvironmentProblem(f"workers cannot start on the Ray cluster: {' '.join(why.split())[:300]}")
        for errand in errands:
            errand.losses += 1
            errand.alone |= errand.losses > 1
        self._lost.extend(errand for errand in errands if errand.losses < MAX_LOSSES)
        failure = TaskFailure("crash", f"the machine or the worker that read it went away {MAX_LOSSES} times")
        return [TaskOutcome(lost.task, lost.about, None, failure) for lost in errands if lost.losses >= MAX_LOSSES]

    def _drop(self, worker: RayWorker) -> None:
        self.workers.remove(worker)
        with suppress(Exception):  # it may be gone, and its cluster too
            self.ray.kill(worker.actor)

    def _write(self) -> None:
        for writer in self.writers.idle():
            if not self._to_write:
                return
            errand = self._to_write.popleft()
            self.writers.submit(writer, errand.task, timeout=errand.timeout, about=errand.about)


def outcomes(pools: Sequence[RayPool], *, until: float | None = None) -> list[TaskOutcome]:
    """Wait until a task of one of several pools has ended or an actor has come, at most `until`; return what has ended.

    Raises `EnvironmentProblem` where no worker can be had.
    """
    while any(pool.busy for pool in pools):
        seconds = LOOK_SECONDS if any(pool.writers.busy for pool in pools) else WAIT_SECONDS
        seconds = seconds if until is None else min(seconds, max(0.0, until - time.monotonic()))
        answers = [answer for pool in pools for answer in pool.awaited()]
        found, left = pools[0].ray.wait(answers, timeout=seconds) if answers else ([], [])
        if not answers:
            time.sleep(seconds)
        found += pools[0].ray.wait(left, num_returns=len(left), timeout=0)[0] if found and left else []
        ended = [outcome for pool in pools for outcome in pool.collect(found)]
        if ended or found or (until is not None and time.monotonic() >= until):
            return ended
    return []


def _kept(task: Any, report: ActorReport) -> TaskFailure | None:
    """Put what a task has left into the store of its document. Return what is wrong with that."""
    try:
        if isinstance(task, (ReadPage, WritePage)):
            PageStore(task.store).take(report.files or {})
    except DocparseError as error:
        return failure_of(error)
    return None
