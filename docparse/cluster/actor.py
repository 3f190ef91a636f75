"""The part of a run on another machine: an actor with one worker process.

The actor itself never opens a document, so a hostile page cannot end it: what a page costs is told like on one machine,
by the pool of one worker that the actor holds. If the actor goes, that was its machine, and no page's fault.
"""

from __future__ import annotations

import socket
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from docparse.jobs.leftovers import temporary_folder
from docparse.jobs.pool import Pool
from docparse.jobs.process import Start
from docparse.jobs.worker import Failure, failure_of


@dataclass(frozen=True)
class Document:
    """A document as the driver has it. `content` holds a reference to its bytes once they have been asked for."""

    path: Path
    size: int
    changed: int
    content: tuple[Any, ...] = ()

    @staticmethod
    def at(path: Path) -> Document:
        """Return the document at `path`. Raises `OSError`."""
        status = path.stat()
        return Document(path, status.st_size, status.st_mtime_ns)


@dataclass(frozen=True)
class Report:
    """How a task ended. `files` are the page and its crops, as a store keeps them; `wanted`: nothing was done, because
    this machine does not see the document."""

    value: Any = None
    failure: Failure | None = None
    files: dict[str, bytes] | None = None
    wanted: bool = False


class Host:
    """Does tasks in a worker process of its own, and brings the pages back."""

    def __init__(self, start: Start) -> None:
        self._stack = ExitStack()
        self._folder = self._stack.enter_context(temporary_folder())
        self._pool = self._stack.enter_context(Pool(start, 1))
        self._place = self._folder / "0.document"
        self._brought: Document | None = None

    def hello(self) -> bool:
        """Return that it is there."""
        return True

    def do(self, task: Any, timeout: float, document: Document) -> Report:
        """Return how the task went; all that can be told of a failure is told, nothing is raised."""
        try:
            path = self._path(document)
            if path is None:
                return Report(wanted=True)
            pages = self._folder / "pages"
            pages.mkdir(exist_ok=True)
            task = replace(task, source=replace(task.source, path=path))
            here = replace(task, store=pages) if hasattr(task, "store") else task
            self._pool.submit(next(self._pool.idle()), here, timeout=timeout)
            (outcome,) = self._pool.outcomes()
            files = {}
            for file in pages.iterdir():
                files[file.name] = file.read_bytes()
                file.unlink()
            return Report(outcome.value, _with_place(outcome.failure), files if outcome.failure is None else {})
        except Exception as error:
            return Report(failure=_with_place(failure_of(error)))

    def _path(self, document: Document) -> Path | None:
        """Return where the document can be read: in place, where this machine sees the same file, or brought here."""
        named = replace(document, content=())
        if named == self._brought:
            return self._place
        with suppress(OSError):
            if Document.at(document.path) == named:
                return document.path
        if not document.content:
            return None
        import ray

        self._place.unlink(missing_ok=True)
        self._place = self._folder / f"{int(self._place.stem) + 1}.document"
        self._place.write_bytes(ray.get(document.content[0]))
        self._brought = named
        return self._place


def _with_place(failure: Failure | None) -> Failure | None:
    """Return the failure with the machine's name, where it ends the run: that is where something is to be done."""
    if failure is None or not failure.fatal:
        return failure
    return replace(failure, error=f"on {socket.gethostname()}: {failure.error}")
