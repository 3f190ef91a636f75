"""What a worker is asked to do: open a document, read a page of it, write its outputs. A task is a small picklable
object whose `run` gets the worker's state; pages go to the store, so answers stay small."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from docparse.errors import PageError
from docparse.guard import Guard
from docparse.network import forbid_network
from docparse.run.attempts import Attempt, Effort
from docparse.run.store import PageStore
from docparse.settings import Settings
from docparse.types import DocumentInfo, Page

if TYPE_CHECKING:
    from docparse.layout.reader import PageReader, PageResult
    from docparse.models.family import Family
    from docparse.pdf.content import PageContent
    from docparse.pdf.document import DocumentFile

GUARDED = 0.8  # of a page's time, in which its stages must have ended; the rest is for storing what they found
LESS_EFFORT = {Effort.PIPELINE: "read without the model", Effort.TEXT: "only the words of its text layer were read"}


@dataclass(frozen=True)
class SourceFile:
    """The path of a document's bytes, and its name in messages and outputs."""

    path: Path
    name: str


class WorkerState:
    """The state that a worker process of the pipeline keeps between tasks."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        if settings.offline:
            forbid_network()
        self._source: SourceFile | None = None
        self._document: DocumentFile | None = None

    def document(self, source: SourceFile) -> DocumentFile:
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

    @cached_property
    def pipeline(self) -> PageReader:
        from docparse.layout.reader import PageReader

        return PageReader(self.settings, self.settings.threads)

    @cached_property
    def family(self) -> Family:
        """Return the family of the model that writes the pages. Its weights are not loaded."""
        from docparse.models.names import family_of

        return family_of(self.settings.model)


class Task(Protocol):
    """Something for a worker to do with its state, which returns what is sent back."""

    def run(self, state: WorkerState) -> Any: ...


def stored(page: Page, assets: Mapping[str, bytes], folder: Path) -> Page:
    """Put a page and its crops into the store at `folder`; return it without its blocks, with the seconds of that too.
    Raises `OutputError`."""
    before = time.perf_counter()
    PageStore(folder).put(page, assets)
    seconds = page.seconds | {"store": round(time.perf_counter() - before, 4)}
    return msgspec.structs.replace(page, blocks=(), seconds=seconds)


@dataclass(frozen=True)
class OpenDocument:
    """Answers with the `DocumentInfo`."""

    source: SourceFile

    def run(self, state: WorkerState) -> DocumentInfo:
        state.clear()  # a file of the same name may have changed since
        return state.document(self.source).info


@dataclass(frozen=True)
class Drafted:
    """A page that waits in the store for the model."""

    page: int


@dataclass(frozen=True)
class ReadPage:
    """Reads a page into the store; answers with the page without its blocks, or with `Drafted` for a model."""

    source: SourceFile
    store: Path
    attempt: Attempt

    def run(self, state: WorkerState) -> Page | Drafted:
        started = time.perf_counter()
        until = time.monotonic() + GUARDED * state.settings.pipeline_seconds
        guard = Guard(until, memory_raised=not self.attempt.last)
        effort = self.attempt.effort
        content = state.document(self.source).page(
            self.attempt.page,
            text_layer=state.settings.text_layer != "off",
            hidden_text=state.settings.hidden_text,
            graphics=effort is not Effort.TEXT,
            guard=guard,
        )
        seconds = {"load": round(time.perf_counter() - started, 4)}
        if effort is Effort.FULL and state.settings.reads_with_model:
            return self._drafted(state, content, guard, seconds)
        from docparse.layout.stages import STAGES, TEXT_ALONE

        stages = TEXT_ALONE if effort is Effort.TEXT else STAGES
        return self._kept(state.pipeline.read(content, guard=guard, stages=stages), seconds)

    def _drafted(
        self, state: WorkerState, content: PageContent, guard: Guard, seconds: dict[str, float]
    ) -> Page | Drafted:
        from docparse.vlm.pages import draft_page
        from docparse.vlm.reader import blank_page

        draft = draft_page(content, state.family, state.pipeline, guard)
        if draft.blank:
            return self._kept(blank_page(draft, state.family, state.settings), seconds)
        page = msgspec.structs.replace(draft.page, seconds=seconds | draft.page.seconds)
        PageStore(self.store).put_draft(msgspec.structs.replace(draft, page=page))
        return Drafted(page.number)

    def _kept(self, read: PageResult, seconds: dict[str, float]) -> Page:
        if read.page.status == "failed":
            raise PageError(read.page.error, read.page.error_category)
        page = msgspec.structs.replace(self._after_failure(read.page), seconds=seconds | read.page.seconds)
        return stored(page, read.assets, self.store)

    def _after_failure(self, page: Page) -> Page:
        """The page, partial where it was read with less effort. Raises `PageError` where that brought nothing."""
        failure = self.attempt.after
        if failure is None:
            return page
        if not page.blocks:
            raise PageError(failure.error)
        error = f"{failure.error}; {LESS_EFFORT[self.attempt.effort]}"
        return msgspec.structs.replace(page, status="partial", error=error, error_category=failure.category)


@dataclass(frozen=True)
class WritePage:
    """Lets a model write a page that waits in the store (`model.ModelService`); answers with it without its blocks."""

    source: SourceFile
    store: Path
    attempt: Attempt
