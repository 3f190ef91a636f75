"""What the process of a model is asked to do: write pages that the pipeline has read, several at once."""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from docparse.errors import PageError
from docparse.network import forbid_network
from docparse.run.result import PageProgress
from docparse.run.store import PageStore
from docparse.run.tasks import WritePage, stored
from docparse.run.worker import TaskAnswer, answer, failure_of
from docparse.settings import Settings
from docparse.types import Page
from docparse.vlm.pages import DraftPage, PageView
from docparse.vlm.reader import VlmReader, WrittenPage, reading

if TYPE_CHECKING:
    from docparse.served import Served

TELL_SECONDS = 0.2  # between two messages of one page


@dataclass(frozen=True, eq=False)
class PageAtWork:
    """A task with the page as the pipeline read it and as the model sees it."""

    task: WritePage
    draft: DraftPage
    view: PageView


class ModelService:
    """See `worker.Service`: a model that stays loaded and writes pages."""

    def __init__(self, settings: Settings, load: Callable[[Settings], VlmReader] | None = None) -> None:
        self.settings = settings
        self._warnings = WarningRelay()
        self._tell: Callable[[Any], None] = lambda message: None
        if settings.offline:
            forbid_network()
        self.reader = (load or local)(settings)
        self._at_work: dict[int, PageAtWork] = {}
        self._ended: list[tuple[int, TaskAnswer]] = []
        self._cancelled: set[int] = set()

    @property
    def busy(self) -> bool:
        return bool(self._at_work or self._ended)

    def begin(self, ticket: int, task: WritePage, tell: Callable[[Any], None]) -> None:
        self._tell = tell
        began = answer(self._open, ticket, task, tell)
        if began.failure is not None:
            self._ended.append((ticket, began))

    def cancel(self, ticket: int) -> None:
        self._cancelled.add(ticket)

    def advance(self) -> list[tuple[int, TaskAnswer]]:
        """See `worker.Service`. An error that is no page's ends all of them."""
        try:
            return self._advance()
        finally:  # before the answers: with the last of them this process may end
            self._warnings.pass_on(self._tell)

    def _advance(self) -> list[tuple[int, TaskAnswer]]:
        ended, self._ended = self._ended, []
        try:
            written = self.reader.advance()
        except Exception as error:
            failure = replace(failure_of(error), shared=len(self._at_work) > 1)
            ended += [(ticket, TaskAnswer(failure=failure)) for ticket in self._at_work]
            self._at_work.clear()
            self._cancelled.clear()
            self.reader = self.reader.restarted()
            return ended
        for ticket, result in written:
            at_work = self._at_work.pop(ticket)
            if ticket in self._cancelled:  # its document has been written without it
                self._cancelled.discard(ticket)
                ended.append((ticket, TaskAnswer()))
            else:
                ended.append((ticket, answer(self._finish, at_work, result)))
        return ended

    def _open(self, ticket: int, task: WritePage, tell: Callable[[Any], None]) -> None:
        draft = PageStore(task.store).draft(task.attempt.page)
        told = telling(task.attempt.page, tell)
        view = PageView.of(draft, self.reader.model.family, self.settings.page_seconds, told, task.source)
        late = view.stop
        view = replace(view, stop=lambda: late() or ticket in self._cancelled)
        self._at_work[ticket] = PageAtWork(task, draft, view)
        self.reader.begin(ticket, view)

    def _finish(self, at_work: PageAtWork, written: WrittenPage | Exception) -> Page:
        read = self.reader.finished(at_work.draft, at_work.view, written)
        if read.page.status == "failed":
            raise PageError(read.page.error, read.page.error_category)
        return stored(read.page, read.assets, at_work.task.store)


class WarningRelay(logging.Handler):
    """The warnings of docparse's own parts in this process, for a person who does not see its standard error."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._lines: deque[str] = deque()
        logging.getLogger("docparse").addHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        self._lines.append(record.getMessage())

    def pass_on(self, tell: Callable[[Any], None]) -> None:
        while self._lines:
            tell(self._lines.popleft())


def local(settings: Settings) -> VlmReader:
    """Return a reader with the model of the settings, in this process."""
    from docparse.vlm.engine import VlmEngine

    return reading(VlmEngine.load(settings), settings, settings.batch)


def at_server(served: Served, in_flight: int, settings: Settings) -> VlmReader:
    """Return a reader with a model that a server has under the name `served`."""
    from docparse.models.names import family_of
    from docparse.vlm.served import served_reader

    return served_reader(settings, served, family_of(settings.model), in_flight)


def telling(page: int, send: Callable[[Any], None]) -> Callable[[int, int, int], None]:
    """Return how a model tells how far it is, as often as it likes; the first time is now."""
    told = -TELL_SECONDS

    def tell(read: int, regions: int, tokens: int) -> None:
        nonlocal told
        if (now := time.monotonic()) >= told + TELL_SECONDS:
            told = now
            send(PageProgress(page, read, regions, tokens))

    tell(0, 0, 0)
    return tell
