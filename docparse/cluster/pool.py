"""The pool of a run on a cluster: its workers are actors, wherever Ray finds room for them.

Every task comes back exactly once, as from `jobs.pool.Pool`. Only this process touches the store and the journal, so a
page that was read twice, because a machine died before it could say so, is still there once.
"""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

from docparse.cluster.actor import Document, Host, Report
from docparse.cluster.connect import Cluster
from docparse.errors import DocparseError, EnvironmentProblem
from docparse.jobs.pool import Outcome, Pool
from docparse.jobs.process import Start
from docparse.jobs.store import PageStore
from docparse.jobs.tasks import OpenDocument, ReadPage
from docparse.jobs.worker import Failure, failure_of
from docparse.types import Page

START_SECONDS = 120.0  # for the first actor to get a core; a cluster may be busy, or begin to grow
GRACE_SECONDS = 60.0  # beyond a task's own time, until an actor that says nothing is given up
MOST_LOSSES = 5  # of machines or actors by one task, which then may be to blame
LOOK_SECONDS = 0.05  # between two looks at the workers on this machine, while they write
WRITERS = 2  # on this machine: a document is written in a fraction of the time of one of its pages


@dataclass(eq=False)
class Errand:
    """A task on its way; `losses` counts the actors that went with it."""

    task: Any
    timeout: float
    about: Any
    losses: int = 0


@dataclass(eq=False)
class RayWorker:
    """An actor as the scheduler sees it. `answer` is what is waited for: that it is there, then the end of a task."""

    actor: Any
    answer: Any
    ready: bool = False
    errand: Errand | None = None
    deadline: float = float("inf")
    about: Any = None


class RayPool:
    """Workers on a cluster, each with a GPU if the cluster's are `with_gpus`, and a few on this machine for tasks that
    write. A context manager."""

    def __init__(self, start: Start, cluster: Cluster, size: int, *, with_gpus: bool = False) -> None:
        self.size = size
        self._needs = {"num_gpus": 1, "num_cpus": 1} if with_gpus else {"num_cpus": start.threads}
        self._ray = cluster.ray
        self._start = start
        self._workers: list[RayWorker] = []
        self._lost: deque[Errand] = deque()
        self._brought: OrderedDict[Path, Document] = OrderedDict()
        self._writers = Pool(replace(start, threads=1), WRITERS)
        self._to_write: deque[Errand] = deque()
        self._waiting_since = time.monotonic()
        self._failed_starts = 0

    def __enter__(self) -> RayPool:
        self._fill()
        return self

    def __exit__(self, *_: object) -> None:
        self._writers.__exit__()
        for worker in list(self._workers):
            self._drop(worker)

    @property
    def busy(self) -> bool:
        at_work = any(worker.errand is not None for worker in self._workers)
        return at_work or bool(self._lost or self._to_write) or self._writers.busy or not self._any_ready()

    def idle(self) -> Iterator[RayWorker]:
        """Actors that are there and have no task. What was lost with others is given out first."""
        for worker in list(self._workers):
            while worker.ready and worker.errand is None and worker in self._workers:
                if self._lost:
                    self._give(worker, self._lost.popleft())
                else:
                    yield worker  # once more, if its task went to the writers

    def submit(self, worker: RayWorker, task: Any, *, timeout: float, about: Any = None) -> None:
        """Give `task` to an idle worker; one that writes outputs is done on this machine."""
        errand = Errand(task, timeout, about)
        if not isinstance(task, (OpenDocument, ReadPage)):
            self._to_write.append(errand)
            self._write()
            return
        worker.about = about
        self._give(worker, errand)

    def outcomes(self, *, until: float | None = None) -> list[Outcome]:
        """Wait until at least one task has ended or an actor has come, at most `until`, and return what has ended.

        Raises `EnvironmentProblem` where no worker can be had.
        """
        while self.busy:
            self._fill()
            ready = self._wait(until)
            ended = [outcome for worker in ready for outcome in self._receive(worker)]
            ended += [outcome for worker in self._overdue() for outcome in self._lose(worker, "does not answer")]
            ended += self._writers.outcomes(until=0.0)
            self._write()
            if ended or ready or (until is not None and time.monotonic() >= until):
                return ended
        return []

    def cancel(self, about: Any) -> None:
        """End the tasks submitted as `about`; they do not come back."""
        self._writers.cancel(about)
        self._lost = deque(errand for errand in self._lost if errand.about is not about)
        self._to_write = deque(errand for errand in self._to_write if errand.about is not about)
        for worker in [one for one in self._workers if one.errand is not None and one.errand.about is about]:
            self._drop(worker)

    # ---- actors

    def _any_ready(self) -> bool:
        return any(worker.ready for worker in self._workers)

    def _fill(self) -> None:
        """Ask for as many actors as there are to be; those that find no room yet come when there is some."""
        while len(self._workers) < self.size:
            actor = self._ray.remote(max_restarts=0, max_task_retries=0, **self._needs)(Host).remote(self._start)
            self._workers.append(RayWorker(actor, actor.hello.remote()))

    def _wait(self, until: float | None) -> list[RayWorker]:
        """Return the actors that have something to say, when one has or it is time for something else."""
        now = time.monotonic()
        if self._any_ready():
            self._waiting_since = now
        elif now > self._waiting_since + max(START_SECONDS, self._start.limit):
            raise EnvironmentProblem("no worker could be started on the Ray cluster: are its cores taken? `ray status`")
        waiting = {worker.answer: worker for worker in self._workers if worker.answer is not None}
        wake = min([1.0, *(max(0.0, worker.deadline - now) for worker in waiting.values())])
        wake = wake if until is None else min(wake, max(0.0, until - now))
        wake = min(wake, LOOK_SECONDS) if self._writers.busy else wake
        if not waiting:
            time.sleep(wake)
            return []
        found, left = self._ray.wait(list(waiting), timeout=wake)
        found += self._ray.wait(left, num_returns=len(left), timeout=0)[0] if found and left else []
        return [waiting[answer] for answer in found]

    def _give(self, worker: RayWorker, errand: Errand) -> None:
        try:
            source = errand.task.source.path
            document = self._brought.get(source) or Document.at(source)
        except OSError:
            document = Document(errand.task.source.path, 0, 0)  # who opens it says what is wrong
        worker.errand = errand
        worker.deadline = time.monotonic() + errand.timeout + self._start.limit + GRACE_SECONDS
        worker.answer = worker.actor.do.remote(errand.task, errand.timeout, document)

    def _receive(self, worker: RayWorker) -> list[Outcome]:
        """Return the outcome that an actor has told, if it was one."""
        answer, worker.answer = worker.answer, None
        try:
            report = self._ray.get(answer)
        except self._ray.exceptions.RayError as error:
            return self._lose(worker, str(error))
        errand = worker.errand
        if errand is None:
            worker.ready, self._failed_starts = True, 0
            return []
        worker.errand, worker.deadline = None, float("inf")
        if report.wanted:
            try:
                self._bring(errand.task.source.path)
            except OSError as error:
                return [Outcome(errand.task, errand.about, None, failure_of(error))]
            self._give(worker, errand)
            return []
        return [Outcome(errand.task, errand.about, report.value, report.failure or _kept(errand.task, report))]

    def _bring(self, path: Path) -> None:
        """Put a document where all machines of the cluster can fetch it from; a few are kept there."""
        document = Document.at(path)
        self._brought[path] = replace(document, content=(self._ray.put(path.read_bytes()),))
        while len(self._brought) > self.size + 1:
            self._brought.popitem(last=False)

    def _overdue(self) -> list[RayWorker]:
        now = time.monotonic()
        return [worker for worker in self._workers if worker.errand is not None and now >= worker.deadline]

    def _lose(self, worker: RayWorker, why: str) -> list[Outcome]:
        """An actor is gone, with its machine or alone: its task is given to another. Return the outcome of one that
        has met that fate too often."""
        errand = worker.errand
        self._drop(worker)
        if errand is None:
            self._failed_starts += not worker.ready
            if self._failed_starts > MOST_LOSSES + self.size:
                raise EnvironmentProblem(f"workers cannot start on the Ray cluster: {' '.join(why.split())[:300]}")
            return []
        errand.losses += 1
        if errand.losses < MOST_LOSSES:
            self._lost.append(errand)
            return []
        failure = Failure("crash", f"the machine or the worker that read it went away {MOST_LOSSES} times")
        return [Outcome(errand.task, errand.about, None, failure)]

    def _drop(self, worker: RayWorker) -> None:
        self._workers.remove(worker)
        with suppress(Exception):  # it may be gone, and its cluster too
            self._ray.kill(worker.actor)

    # ---- this machine

    def _write(self) -> None:
        for writer in self._writers.idle():
            if not self._to_write:
                return
            errand = self._to_write.popleft()
            self._writers.submit(writer, errand.task, timeout=errand.timeout, about=errand.about)


def _kept(task: Any, report: Report) -> Failure | None:
    """Put a page that was brought into the store of its document. Return what is wrong with that."""
    if not isinstance(task, ReadPage):
        return None
    try:
        files = dict(report.files or {})
        page = msgspec.json.decode(files.pop(f"{task.attempt.page:04d}.json"), type=Page)
        PageStore(task.store).put(page, files)
    except DocparseError as error:
        return failure_of(error)
    return None
