"""What a worker is asked to do: open a document, read a page of it, write its outputs.

A task is a small picklable object whose `run` gets the worker's `Desk`: the document that is open and the page reader
with its models, both kept from task to task. Pages go to the store on disk, so answers stay small.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from docparse.errors import PageError
from docparse.guard import Guard
from docparse.jobs.attempts import Attempt, Effort
from docparse.jobs.result import PageProgress
from docparse.jobs.store import PageStore
from docparse.network import forbid_network
from docparse.settings import Settings
from docparse.types import DocumentInfo, Page

if TYPE_CHECKING:
    from docparse.layout.reader import PageReader
    from docparse.layout.reader import ReadPage as PageRead
    from docparse.pdf.content import PageContent
    from docparse.pdf.document import Document
    from docparse.vlm.reader import VlmReader

TELL_SECONDS = 0.2  # between two news of one page
GUARDED = 0.8  # of a page's time, in which its stages must have ended; the rest is for storing what they found
LESS = {Effort.PIPELINE: "read without the model", Effort.TEXT: "only the words of its text layer were read"}


@dataclass(frozen=True)
class Source:
    """Where a document's bytes are and what it is called in messages and outputs."""

    path: Path
    name: str


class Desk:
    """What a worker keeps between tasks."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._source: Source | None = None
        self._document: Document | None = None
        self._pipeline: PageReader | None = None
        self._model: VlmReader | None = None
        self.tell: Callable[[PageProgress], None] = lambda progress: None  # whoever waits for the task at hand

    def document(self, source: Source) -> Document:
        """`source`, open; the document before it is closed."""
        if self._document is None or source != self._source:
            from docparse.pdf import open_document

            self.clear()
            self._document = open_document(source.path, name=source.name, password=self.settings.password)
            self._source = source
        return self._document

    def clear(self) -> None:
        if self._document is not None:
            self._document.close()
        self._document = self._source = None

    def read(self, content: PageContent, effort: Effort, guard: Guard) -> PageRead:
        """Return a page of the document that is open, read with as much `effort`; `guard` tells what failed."""
        if effort is Effort.TEXT:
            from docparse.layout.stages import TEXT_ALONE

            return self.pipeline.read(content, guard=guard, stages=TEXT_ALONE)
        if effort is Effort.FULL and self.settings.reads_with_model:
            return self.model.read(content, document=self._source, tell=self._telling(content.number), guard=guard)
        return self.pipeline.read(content, guard=guard)

    def _telling(self, page: int) -> Callable[[int, int, int], None]:
        """For the model to say how far it is, as often as it likes; the first time is now."""
        told = -TELL_SECONDS

        def tell(read: int, regions: int, tokens: int) -> None:
            nonlocal told
            if (now := time.monotonic()) >= told + TELL_SECONDS:
                told = now
                self.tell(PageProgress(page, read, regions, tokens))

        tell(0, 0, 0)
        return tell

    @property
    def pipeline(self) -> PageReader:
        if self._pipeline is None:
            from docparse.layout.reader import PageReader

            self._pipeline = PageReader(self.settings, self.settings.threads)
        return self._pipeline

    @property
    def model(self) -> VlmReader:
        if self._model is None:
            from docparse.vlm.reader import VlmReader

            self._model = VlmReader.load(self.settings, self.pipeline)
        return self._model


class Task(Protocol):
    """Something to do at a desk."""

    def run(self, desk: Desk) -> Any: ...


class AtDesk:
    """The handler of a worker process: a desk that runs tasks."""

    def __init__(self, settings: Settings) -> None:
        self.desk = Desk(settings)
        if settings.offline:
            forbid_network()
        if settings.reads_with_model:
            _ = self.desk.model  # loaded before the time of any page begins

    def __call__(self, task: Task, tell: Callable[[Any], None]) -> Any:
        self.desk.tell = tell
        return task.run(self.desk)


@dataclass(frozen=True)
class OpenDocument:
    """Answers with the `DocumentInfo`."""

    source: Source

    def run(self, desk: Desk) -> DocumentInfo:
        desk.clear()  # a file of the same name may have changed since
        return desk.document(self.source).info


@dataclass(frozen=True)
class ReadPage:
    """Reads a page into the store; answers with the page without its blocks."""

    source: Source
    store: Path
    attempt: Attempt

    def run(self, desk: Desk) -> Page:
        started = time.perf_counter()
        until = time.monotonic() + GUARDED * desk.settings.pipeline_seconds
        guard = Guard(until, memory_raised=not self.attempt.last)
        effort = self.attempt.effort
        content = desk.document(self.source).page(
            self.attempt.page,
            text_layer=desk.settings.text_layer != "off",
            hidden_text=desk.settings.hidden_text,
            graphics=effort is not Effort.TEXT,
            guard=guard,
        )
        opened = time.perf_counter()
        read = desk.read(content, effort, guard)
        if read.page.status == "failed":
            raise PageError(read.page.error, read.page.error_category)
        seconds = {"load": round(opened - started, 4)} | read.page.seconds
        page = msgspec.structs.replace(self._after_failure(read.page), seconds=seconds)
        before = time.perf_counter()
        PageStore(self.store).put(page, read.assets)
        seconds["store"] = round(time.perf_counter() - before, 4)
        return msgspec.structs.replace(page, blocks=(), seconds=seconds)

    def _after_failure(self, page: Page) -> Page:
        """The page, partial where it was read with less effort. Raises `PageError` where that brought nothing."""
        failure = self.attempt.after
        if failure is None:
            return page
        if not page.blocks:
            raise PageError(failure.error)
        error = f"{failure.error}; {LESS[self.attempt.effort]}"
        return msgspec.structs.replace(page, status="partial", error=error, error_category=failure.category)
