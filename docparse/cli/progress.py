"""What a person sees while a run goes on: lines on stderr, and a progress bar where stderr is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import msgspec

from docparse.cli import quiet_pipe
from docparse.errors import OutputError
from docparse.run.journal import JournalEntry
from docparse.run.result import DocumentResult, Observer, PageProgress
from docparse.sizes import counted
from docparse.types import page_label

if TYPE_CHECKING:
    from rich.progress import Progress


class Console:
    """Lines on stderr: errors always, what happened unless quiet, details with -v."""

    def __init__(self, *, quiet: bool, verbose: int) -> None:
        self.quiet = quiet
        self.verbose = 0 if quiet else verbose

    def error(self, text: str) -> None:
        self._print(f"docparse: {text}")

    def say(self, text: str) -> None:
        if not self.quiet:
            self._print(text)

    def detail(self, text: str) -> None:
        if self.verbose:
            self._print(text)

    def _print(self, text: str) -> None:
        try:
            print(text, file=sys.stderr, flush=True)
        except OSError:
            quiet_pipe()  # the terminal is gone, or who read along; the run goes on to its end


@contextmanager
def bar(console: Console, *columns: str) -> Iterator[Progress | None]:
    """Yield a progress bar with these columns of rich; None unless stderr is a terminal and `--quiet` is off."""
    if console.quiet or not sys.stderr.isatty():
        yield None
        return
    from rich import progress as rich
    from rich.console import Console as RichConsole

    shown = [rich.TextColumn("{task.description}"), rich.BarColumn(), *(getattr(rich, name)() for name in columns)]
    with rich.Progress(*shown, console=RichConsole(stderr=True), transient=True, redirect_stdout=False) as progress:
        yield progress


def print_json(form: Any) -> None:
    """Print `form` on standard output as JSON. Raises `OutputError`; a closed pipe is left to the caller."""
    try:
        sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(form)) + b"\n")
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        quiet_pipe()
        raise OutputError(f"standard output: cannot write: {error.strerror or error}") from None


class Lines(Observer):
    """Prints one line for everything worth knowing; about a document on standard output only with -v."""

    def __init__(self, console: Console, *, to_stdout: bool = False) -> None:
        self.console = console
        self._to_stdout = to_stdout
        self._alone = False  # there is one document: a line says what was written
        self._chosen: dict[str, str] = {}  # the last choice of `--accel auto` that was told, of each document
        self._failed: dict[str, tuple[str, int]] = {}  # why pages of a document failed last, and how many more so
        self._told: set[str] = set()  # documents of which a line said what is missing

    def note(self, text: str) -> None:
        self.console.say(text)

    def usual(self, text: str) -> None:
        self.console.detail(text)

    def skipped(self, text: str) -> None:
        self.console.detail(f"skipped {text}")

    def begin(self, documents: int) -> None:
        self._alone = documents == 1

    def page(self, entry: JournalEntry) -> None:
        where = f"{entry.input}: {page_label(entry.page or 0, entry.last)}"
        error = entry.error.removeprefix(f"{entry.input}: ").removeprefix(f"page {entry.page}: ")
        for warning in entry.warnings:
            self.console.say(f"{where}: {warning}")
        if entry.chosen and entry.chosen != self._chosen.get(entry.input):
            self._chosen[entry.input] = entry.chosen
            self.console.say(f"{where}: --accel auto: {entry.chosen}")
        if entry.status != "ok":
            self._told.add(entry.input)
        if entry.status == "failed":
            tries = f" after {entry.attempts} attempts" if entry.attempts > 1 else ""
            why = f"{'were not read' if entry.last else 'failed'}{tries}: {error}"
            last, more = self._failed.get(entry.input, ("", 0))
            if why == last:  # told once, and counted
                self._failed[entry.input] = (why, more + 1)
                return
            self._count_failed(entry.input)
            self._failed[entry.input] = (why, 0)
            self.console.error(f"{where} {why}")
            return
        if entry.status == "partial":
            self.console.error(f"{where} is partial: {error}")
        self.console.detail(f"{where}: {_figures(entry)}")

    def _count_failed(self, name: str) -> None:
        why, more = self._failed.pop(name, ("", 0))
        if more:
            self.console.error(f"{name}: {counted(more, 'more page')} {why}")

    def document(self, result: DocumentResult) -> None:
        self._count_failed(result.input)
        for warning in result.warnings:
            lacks = warning in result.error  # something that was asked for: an error, also with -q
            if lacks:
                self._told.add(result.input)
            (self.console.error if lacks else self.console.say)(f"{result.input}: {warning}")
        if result.status != "ok" and result.input not in self._told:
            earlier = " in an earlier run" if result.partial_pages else ""
            self.console.error(f"{result.error}{earlier}")
        if result.outputs:
            tell = self.console.say if self._alone and not self._to_stdout else self.console.detail
            written = "" if self._to_stdout else f"{', '.join(result.outputs)}: "
            tell(f"{result.input}: {written}{_done(result)}")

    def trace(self, text: str) -> None:
        if self.console.verbose > 1:
            self.console.say(text.rstrip())


def _done(result: DocumentResult) -> str:
    """Return how much of a document is in its outputs, and how long it took."""
    if result.resumed:
        return "finished by an earlier run"
    pages = counted(result.pages, "page")
    lost = set(result.failed_pages)
    for first, last in result.unread_pages:
        lost.update(range(first, last + 1))
    read = f"{result.pages - len(lost)} of {pages}" if lost else pages
    return f"{read} in {result.seconds:.1f} s"


def _figures(entry: JournalEntry) -> str:
    figures = [f"{sum(entry.seconds.values()):.2f} s", f"text layer {entry.text_quality}"]
    if entry.structure not in ("", "untagged"):
        figures.append("tags followed" if entry.structure == "tagged" else f"tags {entry.structure}")
    if entry.aal is not None:
        figures.append(f"{entry.tokens} tokens, {entry.aal:.2f} drafts accepted per step")
    if entry.resized:
        figures.append(f"picture resized {entry.resized}")
    return ", ".join(figures)


class Terminal(Lines):
    """The lines, and below them a bar that counts pages and says how far a model is with the one it reads."""

    def __init__(self, console: Console, progress: Progress, *, to_stdout: bool = False) -> None:
        super().__init__(console, to_stdout=to_stdout)
        self.progress = progress
        self.bar = progress.add_task("", total=None)
        self.documents = self.ended = self.pages = 0
        self.at = ""

    @staticmethod
    @contextmanager
    def observer(console: Console, *, to_stdout: bool = False) -> Iterator[Lines]:
        """Return what shows progress: a bar if stderr is a terminal and `--quiet` was not given."""
        with bar(console, "MofNCompleteColumn", "TimeElapsedColumn") as progress:
            if progress is None:
                yield Lines(console, to_stdout=to_stdout)
            else:
                yield Terminal(console, progress, to_stdout=to_stdout)

    def begin(self, documents: int) -> None:
        super().begin(documents)
        self.documents = documents
        self._show()

    def opened(self, name: str, pages: Collection[int]) -> None:
        self.pages += len(pages)
        self._show()

    def reading(self, progress: PageProgress) -> None:
        self.at = _place(progress)
        self._show()

    def page(self, entry: JournalEntry) -> None:
        self.at = ""
        if entry.error_category != "limit":  # those were not counted
            self.progress.advance(self.bar, max(1, entry.last - (entry.page or 0) + 1))
        self._show()
        super().page(entry)

    def document(self, result: DocumentResult) -> None:
        self.ended += 1
        self._show()
        super().document(result)

    def _show(self) -> None:
        documents = f"{self.ended}/{self.documents} documents, " if self.documents > 1 else ""
        description = f"{documents}{self.at or 'pages'}"
        self.progress.update(self.bar, description=description, total=self.pages or None)


def _place(progress: PageProgress) -> str:
    """`page 3, 12 of 39 regions, 1,204 tokens`, as far as there is something to say."""
    place = f"page {progress.page}"
    if progress.regions:
        place += f", {progress.read} of {progress.regions} regions"
    return f"{place}, {progress.tokens:,} tokens" if progress.tokens else place
