"""A run without an end: documents come to it one by one, from any thread, and whoever waits does the work.

There is no thread of its own: a caller hands out tasks and takes in answers until its own documents have ended, and
what comes for others meanwhile is kept for them. So an exception, Ctrl-C too, is raised where somebody waits.
"""

from __future__ import annotations

import logging
import shutil
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from pathlib import Path

import msgspec

from docparse.errors import DocparseError, EnvironmentProblem
from docparse.library.document import Folder
from docparse.library.keywords import told_in_python
from docparse.run.context import RunContext
from docparse.run.inputs import Input
from docparse.run.journal import Journal, JournalEntry, JournalHistory
from docparse.run.loop import RunLoop
from docparse.run.outputs import Destination
from docparse.run.plan import RunPlan
from docparse.run.pool import WorkerPool
from docparse.run.result import DocumentResult, Observer
from docparse.run.store import PageStore
from docparse.types import Page

TURN_SECONDS = 0.1  # the longest that one thread works before another may
log = logging.getLogger("docparse")


class Log(Observer):
    """Messages for a person go to the logger `docparse`."""

    def note(self, text: str) -> None:
        log.info(text)

    def trace(self, text: str) -> None:
        log.debug(text)


class Job(Log):
    """A document on its way. Its files are in `folder`; `pages` are kept for who `wants_pages`, until taken."""

    def __init__(self, item: Input, folder: Folder, *, wants_pages: bool = False) -> None:
        self.item = item
        self.folder = folder
        self.destination = Destination(folder.path, ("json",))
        self.wants_pages = wants_pages
        self.coming: set[int] = set()
        self.pages: dict[int, Page] = {}
        self.taken = False  # any page was
        self.result: DocumentResult | None = None

    def opened(self, name: str, pages: Collection[int]) -> None:
        self.coming = set(pages)

    def page(self, entry: JournalEntry) -> None:
        self.coming -= {entry.page, *range(entry.page or 0, entry.last + 1)}
        if self.wants_pages and entry.page is not None:
            self.pages[entry.page] = PageStore(self.destination.work / entry.key).page(entry.page)

    def document(self, result: DocumentResult) -> None:
        self.result = result
        if result.outputs:
            shutil.rmtree(self.destination.work, ignore_errors=True)  # pages of a document that is not whole

    @property
    def ended(self) -> bool:
        return self.result is not None

    @property
    def next_page(self) -> int | None:
        """Return the number of the page that comes next in the document, where it is there."""
        number = min(self.pages, default=None)
        return None if number is None or min(self.coming, default=number) < number else number

    def take(self) -> Iterator[Page]:
        """Yield the pages that are there, in the order of the document."""
        while (number := self.next_page) is not None:
            self.taken = True
            yield self.pages.pop(number)


class Session:
    """The documents of a `Converter`, which come one by one and never end, and the loop over them."""

    def __init__(self, plan: RunPlan, pool: WorkerPool, temporary: Path) -> None:
        nowhere, journal = Destination(temporary, ("json",)), Journal(None)
        self.context = RunContext(plan, nowhere, journal, JournalHistory(), Log())
        self.pool = pool
        self.loop = RunLoop(plan.settings, pool, temporary)
        self.dropped: deque[Job] = deque()
        self.turn = threading.Lock()
        self.failure: BaseException | None = None

    def add(self, job: Job, pages: str | None = None) -> Job:
        """Take in a document; `pages` in place of those of the settings."""
        plan = self.context.plan
        if pages is not None:
            plan = replace(plan, settings=msgspec.structs.replace(plan.settings, pages=pages))
        context = replace(self.context, plan=plan, destination=job.destination, observer=job)
        self.loop.coming.append((job.item, context))
        return job

    @told_in_python()
    def work_until(self, done: Callable[[], bool]) -> None:
        """Work, in turn with other threads that do, until `done()`. Raises what ends the whole run."""
        while not done():
            if not self.turn.acquire(timeout=TURN_SECONDS):
                continue
            try:
                if self.failure is not None:
                    expected = isinstance(self.failure, DocparseError)
                    raise self.failure if expected else EnvironmentProblem("the run was ended by another thread")
                self.forget_dropped()
                if not done() and not self.loop.hand_out() and not done():
                    raise RuntimeError("a document was lost")
                if not done():
                    self.loop.take_in(until=time.monotonic() + TURN_SECONDS)
                self.loop.results.clear()  # each job has its own
            except BaseException as error:
                self.end(error)
                raise
            finally:
                self.turn.release()

    def drop(self, job: Job) -> None:
        """Nobody waits for this document any more. It is forgotten now, or by who works at the moment: this may be
        called while garbage is collected, in the middle of anything."""
        self.dropped.append(job)
        if self.turn.acquire(blocking=False):
            try:
                self.forget_dropped()
            finally:
                self.turn.release()

    def forget_dropped(self) -> None:
        while self.dropped:
            job = self.dropped.popleft()
            if job.ended:
                continue
            self.loop.spooler.drop(job.item)  # it comes to its end soon, and is ended then
            for coming in [coming for coming in list(self.loop.coming) if coming[0] is job.item]:
                self.loop.coming.remove(coming)
            for document in [document for document in self.loop.active if document.input is job.item]:
                self.pool.cancel(document)
                document.release()
                self.loop.active.remove(document)

    def end(self, reason: BaseException) -> None:
        """Nothing more can be done, for `reason`: every worker ends."""
        if self.failure is None:
            self.failure = reason
            self.loop.stop()
            self.loop.active.clear()
            self.pool.__exit__()
