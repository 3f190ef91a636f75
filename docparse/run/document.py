"""One document on its way through a run: opened, its pages read in any order, then written.

It hands out tasks and is told how each ended; it keeps a few numbers per page, its store the pages.
"""

from __future__ import annotations

import time
from collections.abc import Collection
from dataclasses import dataclass, field
from functools import partial
from typing import Literal

import msgspec

from docparse.errors import DocparseError, InputError, OutputError
from docparse.ranges import PageRanges
from docparse.run.attempts import Attempts, may_be_better
from docparse.run.context import RunContext, document_entry, failed_page, page_entry
from docparse.run.files import DiskFull
from docparse.run.inputs import Input, display_name
from docparse.run.output_writer import OutputSummary, WriteOutputs
from docparse.run.outputs import Files
from docparse.run.result import DocumentResult, emptiness, result_of
from docparse.run.store import PageStore
from docparse.run.tasks import Drafted, OpenDocument, ReadPage, SourceFile, Task, WritePage
from docparse.run.worker import TaskFailure
from docparse.types import DocumentInfo, Page

OPEN_SECONDS = 60.0  # to open a document, at least; a short page timeout is about pages
WRITE_SECONDS_PER_PAGE = 1.0  # on top of the page timeout; a page is written in a few milliseconds


@dataclass
class DocumentRun:
    """The state of one document. `result` is None until it has ended."""

    input: Input
    source: SourceFile
    context: RunContext
    stage: Literal["new", "opening", "reading", "writing", "ended"] = "new"
    info: DocumentInfo | None = None
    numbers: tuple[int, ...] = ()
    pages: Attempts = field(default_factory=Attempts)
    missing: str = ""  # what was asked for and is not in the document, as a line
    attempts_at_document: int = 1  # to open it and to write it
    started: float = field(default_factory=time.monotonic)
    expired: bool = False
    output: OutputSummary = field(default_factory=partial(OutputSummary, "nothing"))
    store: PageStore | None = None
    result: DocumentResult | None = None

    # ---- what is to be done

    def next_task(self, *, ahead: bool = True) -> Task | None:
        """Return the next thing that the pipeline can do for this document, or None while there is nothing. Not
        `ahead`: no page is read for the model, which has enough to do."""
        if self.stage == "new":
            self.stage = "opening"
            return OpenDocument(self.source)
        if self.stage == "reading" and (attempt := self.pages.next(ahead=ahead)):
            return ReadPage(self.source, self._store.folder, attempt)
        if self.stage == "reading" and not self.pages:
            self.stage = "writing"
            return self._writing()
        return None

    def next_page_to_write(self) -> WritePage | None:
        attempt = self.pages.next_to_write()
        return WritePage(self.source, self._store.folder, attempt) if attempt else None

    def timeout(self) -> float:
        """Return seconds that the pipeline may take with the task handed out last."""
        limit = self.context.settings.pipeline_seconds
        if self.stage == "opening":
            return max(limit, OPEN_SECONDS)
        if self.stage == "writing":
            return max(limit, OPEN_SECONDS) + WRITE_SECONDS_PER_PAGE * len(self.numbers)
        return limit

    def deadline(self) -> float | None:
        """Return when reading must have ended, on the monotonic clock; None for never."""
        limit = self.context.settings.document_timeout
        running = self.stage in ("opening", "reading") and not self.expired
        return self.started + limit if limit and running else None

    # ---- how it ended

    def settle(self, task: Task | WritePage, value: object, failure: TaskFailure | None) -> None:
        """Take in the end of a task. Raises `OutputError` where the page store cannot be written."""
        if failure is not None and failure.trace:
            self.context.observer.trace(failure.trace)
        try:
            if isinstance(value, Drafted) and isinstance(task, ReadPage):
                self.pages.wait_for_model(task.attempt)
            elif isinstance(task, WritePage) and failure is not None and failure.shared:
                self.pages.write_alone(task.attempt)
            elif isinstance(value, DocumentInfo):
                self._opened(value)
            elif isinstance(value, OutputSummary):
                self._written(value)
            elif isinstance(task, (ReadPage, WritePage)):
                self._page_ended(task.attempt.page, value if isinstance(value, Page) else None, failure)
            elif failure is not None:
                self._stuck(failure)
        except DiskFull:
            raise
        except DocparseError as error:
            self.fail(str(error), error.category)

    def expire(self) -> None:
        """The document timeout has passed: the pages not yet read are failed pages."""
        self.expired = True
        limit = self.context.settings.document_timeout
        failure = TaskFailure(
            "timeout", f"the document took longer than {limit:g} s (--document-timeout)", permanent=True
        )
        if self.stage == "opening":
            self.fail(failure.error, failure.category)
            return
        self._leave(self.pages.stop(), failure)

    def fail(self, error: str, category: str) -> None:
        """Nothing can be written for this document."""
        if not error.startswith(f"{self.input.name}: "):
            error = f"{self.input.name}: {error}"
        self.end(DocumentResult(input=self.input.name, status="failed", error=error, error_category=category))

    def end(self, result: DocumentResult) -> None:
        self.stage = "ended"
        self.result = result
        if not result.resumed:
            entry = document_entry(
                result,
                self.output.seconds,
                engine=self.context.plan.engine,
                attempts=self.attempts_at_document,
                key=self.key,
                output=self.output_key,
                files=self._file_names(),  # these four are for --resume
                images=self.output.images,
                again=tuple(sorted(self.pages.again)),
                unwritten=self.output.unwritten,
            )
            self.context.journal.write(entry)
        if self.store is not None:
            whole = not (result.failed_pages or self.pages.again or self.output.unwritten)
            if result.outputs and whole:
                self.store.remove()
            elif self.context.settings.reads_with_model:
                self.store.forget_drafts()
            self.store.release()
        self.context.observer.document(result)

    def release(self) -> None:
        """The run ends before the document does; what it has on disk stays for `--resume`."""
        if self.store is not None:
            self.store.release()

    # ---- steps

    def _opened(self, info: DocumentInfo) -> None:
        self.info, settings = info, self.context.settings
        if info.pages < 1:
            raise InputError(f"{self.input.name}: the document has no pages")
        ranges = PageRanges.parse(settings.pages)
        self.numbers = tuple(ranges.select(info.pages))
        self.missing = ranges.missing(info.pages)
        store = PageStore(self.context.destination.work / self.key)
        if self._finished_before():
            store.remove()
            return
        store.begin(keep=self.context.resume)
        self.store = store
        self.pages = Attempts(settings.retries, settings.reads_with_model, settings.max_damaged)
        done = self._recover()
        self.pages.add(number for number in self.numbers[: settings.max_pages or None] if number not in done)
        self.context.observer.opened(self.input.name, [attempt.page for attempt in self.pages.waiting])
        if settings.max_pages:
            limit = TaskFailure(
                "limit", f"--max-pages {settings.max_pages} is reached: raise it, or 0 for all", permanent=True
            )
            self._leave(self.numbers[settings.max_pages :], limit)
        self.stage = "reading"

    def _finished_before(self) -> bool:
        entry = self.context.history.documents.get(self.output_key) if self.context.resume else None
        if entry is None:
            return False
        written = [*self.files.all(), *(self.files.images / name for name in entry.images)]
        if not all(self.context.destination.has(path) for path in written):
            return False
        self.pages.partial = set(entry.partial_pages)
        self.pages.unread = dict(entry.unread_pages)
        self.end(self._result(entry.outputs, resumed=True))
        return True

    def _recover(self) -> set[int]:
        """Pages that an earlier run has left in the store; those it had no time to journal are journaled now."""
        if not self.context.resume:
            return set()
        done = set()
        for number in sorted(self._store.readable() & set(self.numbers)):
            page = self._store.page(number)
            if may_be_better(page):
                self.pages.again.add(number)
                continue
            done.add(number)
            self.pages.was_read(page)
            if number not in self.context.history.pages.get(self.key, set()):
                self._journal_page(page, 1)
        return done

    def _page_ended(self, number: int, page: Page | None, failure: TaskFailure | None) -> None:
        if number not in self.pages.running:
            return  # the document's time was up before
        lasting = self.pages.ended(number, failure)
        if failure is not None and lasting is None:
            return  # it is tried once more
        if lasting is not None and number in self.pages.again:
            page = self._store.page(number)  # what an earlier run has read with less effort
        elif lasting is not None:
            page = failed_page(number, self.context.plan.engine, lasting)
            self._store.put(page, {})
            self.pages.failed.add(number)
        assert page is not None  # a page ends with what was read or with a failure
        self.pages.was_read(page)
        if self.context.settings.reads_with_model:
            self._store.forget_draft(number)
        self._journal_page(page, self.pages.count(number))
        if lasting is not None and self.pages.must_give_up:
            many = f"{self.pages.failed_in_a_row} pages in a row could not be read (--max-damaged)"
            self._leave(self.pages.give_up(), TaskFailure(lasting.category, many, permanent=True))

    def _leave(self, numbers: Collection[int], failure: TaskFailure) -> None:
        """Nothing is tried on these pages: one line for each range of them, in the journal and in the output."""
        for first, last in self.pages.leave(numbers, wanted=failure.category != "limit"):
            page = failed_page(first, self.context.plan.engine, failure, last=last)
            self._store.put(page, {})
            self._journal_page(page, 0)

    def _journal_page(self, page: Page, attempts: int) -> None:
        entry = page_entry(self.input, page, self.key, attempts)
        self.context.journal.write(entry)
        self.context.observer.page(entry)

    def _stuck(self, failure: TaskFailure) -> None:
        """The document could not be opened, or its outputs could not be written."""
        if not failure.permanent and self.attempts_at_document <= self.context.settings.retries:
            self.attempts_at_document += 1
            self.stage = "new" if self.stage == "opening" else "reading"
            return
        doing = "while it was opened" if self.stage == "opening" else "while its output was written"
        self.fail(failure.error if failure.permanent else f"{failure.error} {doing}", failure.category)

    def _written(self, written: OutputSummary) -> None:
        self.output = written
        outputs = self.files.by_name(but=written.unwritten).values()
        shown = tuple(map(self.context.destination.shown, outputs))
        self.end(self._result(shown, emptiness(written, self.context.settings)))

    def _writing(self) -> WriteOutputs:
        """The outputs have the document's plain file name, wherever the input was, and of an unread range the first
        page, which stands for all of it."""
        assert self.info is not None  # it has been opened
        name = display_name(self.input.path.name) if self.input.path else self.input.name
        info, to = msgspec.structs.replace(self.info, name=name), self.context.destination
        hidden = {number for first, last in self.pages.unread.items() for number in range(first + 1, last + 1)}
        shown = tuple(number for number in self.numbers if number not in hidden)
        return WriteOutputs(self.source, info, shown, self._store.folder, self.files, to.folder, to.url)

    def _result(self, outputs: tuple[str, ...], warning: str = "", *, resumed: bool = False) -> DocumentResult:
        others = [line for line in (self.missing, self.output.failed) if line]
        category = OutputError.category if self.output.unwritten else InputError.category
        return result_of(
            *(self.input.name, len(self.numbers), self.pages, others, category),
            outputs=outputs,
            warnings=(*others, *filter(None, [warning])),
            seconds=0.0 if resumed else round(time.monotonic() - self.started, 3),
            resumed=resumed,
        )

    # ---- names

    @property
    def files(self) -> Files:
        return self.context.destination.files(self.input.output)

    def _file_names(self) -> tuple[str, ...]:
        """Return what it writes, from the output folder on; nothing before the document could be opened."""
        paths = [*self.files.all(), *([self.files.images] if self.output.images else [])] if self.info else []
        return tuple(display_name(path.relative_to(self.context.destination.folder)) for path in paths)

    @property
    def key(self) -> str:
        return self.context.page_key(self.info.sha256, self.input) if self.info else ""

    @property
    def output_key(self) -> str:
        return self.context.output_key(self.key, self.numbers) if self.info else ""

    @property
    def _store(self) -> PageStore:
        if self.store is None:
            raise RuntimeError("the document is not being read")
        return self.store
