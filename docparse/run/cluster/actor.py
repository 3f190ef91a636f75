"""The part of a run on another machine: an actor with a pool of one worker, which tells what a page costs. The actor
opens no document, so if it goes, that was its machine and no page's fault."""

from __future__ import annotations

import asyncio
import shutil
import socket
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from docparse.run.leftovers import temporary_folder
from docparse.run.pool import Pool, TaskOutcome
from docparse.run.process import Start
from docparse.run.store import PageStore
from docparse.run.worker import TaskFailure, failure_of

LOOK_SECONDS = 0.005  # between two looks at the worker while it has tasks


@dataclass(frozen=True)
class SentDocument:
    """A document as the driver has it. `content` holds a reference to its bytes once they have been asked for."""

    path: Path
    size: int
    changed: int
    content: tuple[Any, ...] = ()

    @staticmethod
    def at(path: Path) -> SentDocument:
        """Return the document at `path`. Raises `OSError`."""
        status = path.stat()
        return SentDocument(path, status.st_size, status.st_mtime_ns)


@dataclass(frozen=True)
class ActorReport:
    """The end of a task. `files` are what it left for the store of its document; `wanted`: nothing was done, because
    this machine does not see the document."""

    value: Any = None
    failure: TaskFailure | None = None
    files: dict[str, bytes] | None = None
    wanted: bool = False


class Host:
    """Does tasks in a worker process of its own, as many at once as that takes, and brings the pages back."""

    def __init__(self, start: Start) -> None:
        self._stack = ExitStack()
        self._folder = self._stack.enter_context(temporary_folder())
        self._pool = self._stack.enter_context(Pool([start]))
        self._service = start.service
        self._count = 0
        self._place = self._folder / "0.document"
        self._brought: SentDocument | None = None
        self._waiting: dict[int, asyncio.Future[TaskOutcome]] = {}
        self._looking: asyncio.Task[None] | None = None

    async def hello(self) -> bool:
        """Return that it is there, with a worker that has begun to load what it needs."""
        self._pool.warm(self._service)
        return True

    async def do(
        self, task: Any, timeout: float, document: SentDocument | None, files: dict[str, bytes], alone: bool
    ) -> ActorReport:
        """Return how the task went; all that can be told of a failure is told, nothing is raised. `files` are what it
        needs of the store of its document, which it reads unless `document` is None."""
        self._count += 1
        folder = self._folder / f"{self._count}.store"
        try:
            if document is not None:
                path = self._path(document)
                if path is None:
                    return ActorReport(wanted=True)
                task = replace(task, source=replace(task.source, path=path))
            if hasattr(task, "store"):
                PageStore(folder).take(files)
                task = replace(task, store=folder)
            outcome = await self._outcome(task, timeout, alone)
            kept = PageStore(folder).files() if outcome.failure is None else {}
            left = {name: content for name, content in kept.items() if name not in files}
            return ActorReport(outcome.value, _with_place(outcome.failure), left)
        except Exception as error:
            return ActorReport(failure=_with_place(failure_of(error)))
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    async def _outcome(self, task: Any, timeout: float, alone: bool) -> TaskOutcome:
        ticket, ended = self._count, asyncio.get_running_loop().create_future()
        self._waiting[ticket] = ended
        next(self._pool.idle(self._service)).give(task, timeout, ticket, alone=alone)
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())
        return await ended

    async def _look(self) -> None:
        """Hand on what the worker says, until it has no task. What ends the pool ends all of them."""
        while self._pool.busy:
            try:
                outcomes = self._pool.outcomes(until=0.0)
            except Exception as error:
                outcomes = [TaskOutcome(None, ticket, None, failure_of(error)) for ticket in self._waiting]
            for outcome in outcomes:
                self._waiting.pop(outcome.about).set_result(outcome)
            if not self._waiting:
                return
            await asyncio.sleep(LOOK_SECONDS)

    def _path(self, document: SentDocument) -> Path | None:
        """Return where the document can be read: in place, where this machine sees the same file, or brought here."""
        named = replace(document, content=())
        if named == self._brought:
            return self._place
        with suppress(OSError):
            if SentDocument.at(document.path) == named:
                return document.path
        if not document.content:
            return None
        import ray

        self._place.unlink(missing_ok=True)
        self._place = self._folder / f"{int(self._place.stem) + 1}.document"
        self._place.write_bytes(ray.get(document.content[0]))
        self._brought = named
        return self._place


def _with_place(failure: TaskFailure | None) -> TaskFailure | None:
    """Return the failure with the machine's name, where it ends the run: that is where something is to be done."""
    if failure is None or not failure.fatal:
        return failure
    return replace(failure, error=f"on {socket.gethostname()}: {failure.error}")
