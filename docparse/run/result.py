"""What a run says about itself: to an observer while it goes on, in a summary at the end."""

from __future__ import annotations

from typing import Literal

import msgspec

from docparse.errors import ExitCode
from docparse.run.journal import JournalEntry


class DocumentResult(msgspec.Struct, frozen=True, kw_only=True):
    """How one input ended. `resumed` means that an earlier run had finished it. `failed` with outputs means that
    every page failed; without outputs, that nothing could be written. `unfinished`: the run ended before it did.
    Of `partial_pages` something may be missing; on `unread_pages`, first and last of each range, nothing was tried."""

    input: str
    status: Literal["ok", "partial", "failed", "unfinished"]
    pages: int = 0
    failed_pages: tuple[int, ...] = ()
    partial_pages: tuple[int, ...] = ()
    unread_pages: tuple[tuple[int, int], ...] = ()
    outputs: tuple[str, ...] = ()
    error: str = ""
    error_category: str = ""
    warnings: tuple[str, ...] = ()
    seconds: float = 0.0
    resumed: bool = False


class RunSummary(msgspec.Struct, kw_only=True):
    """The end of a run. `error` is set where something ended it before all documents were tried, `skipped` counts
    files in folders that are no documents."""

    documents: list[DocumentResult] = []
    skipped: int = 0
    seconds: float = 0.0
    error: str = ""
    error_category: str = ""
    interrupted: bool = False

    @property
    def exit_code(self) -> ExitCode:
        if self.interrupted:
            return ExitCode.INTERRUPTED
        if self.error_category == "environment":
            return ExitCode.ENVIRONMENT
        if not any(document.status in ("ok", "partial") for document in self.documents):
            return ExitCode.NOTHING
        complete = not self.error and all(document.status == "ok" for document in self.documents)
        return ExitCode.OK if complete else ExitCode.PARTIAL


class PageProgress(msgspec.Struct, frozen=True):
    """How far a page is that a model reads: `read` of `regions`, where it reads by regions, and `tokens` written."""

    page: int
    read: int = 0
    regions: int = 0
    tokens: int = 0


class Observer:
    """Hears of a run as it goes on. This one does nothing; the command line's shows progress."""

    def note(self, text: str) -> None:
        """Something was decided that nobody asked for by name."""

    def skipped(self, text: str) -> None:
        """A file in a folder is no document, and why."""

    def begin(self, documents: int) -> None:
        """The inputs are known."""

    def opened(self, name: str, pages: int) -> None:
        """A document has `pages` pages still to be read."""

    def reading(self, progress: PageProgress) -> None:
        """A model is at work on a page; heard a few times a second."""

    def page(self, entry: JournalEntry) -> None:
        """A page was read, or has failed for good."""

    def document(self, result: DocumentResult) -> None:
        """A document has ended."""

    def trace(self, text: str) -> None:
        """The traceback behind a failure, for those who want to see it."""
