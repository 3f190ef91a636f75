"""What a run says about itself: to an observer while it goes on, of a document that has ended, in a summary."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from docparse.errors import ExitCode
from docparse.run.journal import JournalEntry
from docparse.settings import Settings
from docparse.types import page_label

if TYPE_CHECKING:
    from docparse.run.attempts import Attempts
    from docparse.run.output_writer import OutputSummary

NOTHING_SHOWN = {
    "nothing": "the output is empty: no text was found",
    "only-headers": "the output is empty: only running headers and footers were found; try --keep-headers",
}


class DocumentResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one input. `resumed` means that an earlier run had finished it. `failed` with outputs means that
    every page failed; without outputs, that nothing could be written. `unfinished`: the run ended before it did. Of
    `partial_pages` something may be missing; on `unread_pages`, first and last of each range, nothing was tried."""

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
    """The end of a run. `error`: it ended before all documents were tried; `skipped`: files that are no documents."""

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
    """The progress of a page that a model reads: `read` of `regions`, where it reads by regions, and `tokens`
    written."""

    page: int
    read: int = 0
    regions: int = 0
    tokens: int = 0


class Observer:
    """Hears of a run as it goes on. This one does nothing; the command line's shows progress."""

    def note(self, text: str) -> None:
        """Something was decided that nobody asked for by name."""

    def usual(self, text: str) -> None:
        """The same, where it is what nearly everybody gets."""

    def skipped(self, text: str) -> None:
        """A file in a folder is no document, and why."""

    def begin(self, documents: int) -> None:
        """The inputs are known."""

    def opened(self, name: str, pages: Collection[int]) -> None:
        """A document is open, and these pages are still to be read."""

    def reading(self, progress: PageProgress) -> None:
        """A model is at work on a page; heard a few times a second."""

    def page(self, entry: JournalEntry) -> None:
        """A page was read, or has failed for good."""

    def document(self, result: DocumentResult) -> None:
        """A document has ended."""

    def trace(self, text: str) -> None:
        """The traceback behind a failure, for those who want to see it."""


def result_of(
    name: str, pages: int, ended: Attempts, others: Sequence[str], category: str, **more: Any
) -> DocumentResult:
    """Return how a document `name` ended whose outputs are there: what came of its `pages` is in `ended`, `others` are
    lines about what else is not as it should be, of that `category`; `more` are further fields of the result."""
    lost = [number for number in ended.failed if number not in ended.unread]
    told = ((lost, "failed"), (ended.partial, "partial"))
    counts = [f"{_count(numbers, pages)} {how}" for numbers, how in told if numbers]
    counts += [f"{page_label(first, last)} not read" for first, last in sorted(ended.unread.items())]
    errors = [*counts, *others]
    nothing = len(lost) + sum(last - first + 1 for first, last in ended.unread.items()) == pages
    return DocumentResult(
        input=name,
        status="failed" if nothing else "partial" if errors else "ok",
        pages=pages,
        failed_pages=tuple(sorted(ended.failed)),
        partial_pages=tuple(sorted(ended.partial)),
        unread_pages=tuple(sorted(ended.unread.items())),
        error=f"{name}: {'; '.join(errors)}" if errors else "",
        error_category=("page" if counts else category) if errors else "",
        **more,
    )


def _count(numbers: Collection[int], pages: int) -> str:
    return f"page {min(numbers)}" if len(numbers) == 1 else f"{len(numbers)} of {pages} pages"


def emptiness(written: OutputSummary, settings: Settings) -> str:
    """Return the warning for an output that shows nothing, with the advice to read the pixels unless that was done."""
    line = NOTHING_SHOWN.get(written.shows, "")
    if written.shows != "nothing":
        return line
    if settings.text_layer == "only" or settings.ocr == "off":
        return f"{line}; if these are scans, leave out {'--ocr off' if settings.ocr == 'off' else '--text-layer only'}"
    return line if written.pixels_read else f"{line}; if these are scans, try --ocr force"
