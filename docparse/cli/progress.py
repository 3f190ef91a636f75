"""What a person sees while a run goes on: lines on stderr, and a progress bar where stderr is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from docparse.jobs.journal import Entry
from docparse.jobs.result import DocumentResult, Observer, PageProgress
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
        print(text, file=sys.stderr, flush=True)


class Lines(Observer):
    """One line for everything worth knowing."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self._chosen: dict[str, str] = {}  # the last choice of `--accel auto` that was told, of each document

    def note(self, text: str) -> None:
        self.console.say(text)

    def skipped(self, text: str) -> None:
        self.console.detail(f"skipped {text}")

    def page(self, entry: Entry) -> None:
        where = f"{entry.input}: {page_label(entry.page or 0, entry.last)}"
        for warning in entry.warnings:
            self.console.say(f"{where}: {warning}")
        if entry.chosen and entry.chosen != self._chosen.get(entry.input):
            self._chosen[entry.input] = entry.chosen
            self.console.say(f"{where}: --accel auto: {entry.chosen}")
        if entry.status == "failed":
            tries = f" after {entry.attempts} attempts" if entry.attempts > 1 else ""
            self.console.error(f"{where} failed: {entry.error}{tries}")
            return
        if entry.status == "partial":
            self.console.error(f"{where} is partial: {entry.error}")
        self.console.detail(f"{where}: {_figures(entry)}")

    def document(self, result: DocumentResult) -> None:
        for warning in result.warnings:
            self.console.error(f"{result.input}: {warning}")
        if result.status == "failed" and not result.failed_pages:  # of which there was a line each
            self.console.error(result.error)
        if result.resumed and result.partial_pages:
            self.console.error(f"{result.error} in an earlier run")
        if result.outputs:
            pages = "1 page" if result.pages == 1 else f"{result.pages} pages"
            done = "finished by an earlier run" if result.resumed else f"{pages} in {result.seconds:.1f} s"
            self.console.detail(f"{result.input}: {', '.join(result.outputs)}: {done}")

    def trace(self, text: str) -> None:
        if self.console.verbose > 1:
            self.console.say(text.rstrip())


def _figures(entry: Entry) -> str:
    """What a page took, in one line."""
    figures = [f"{sum(entry.seconds.values()):.2f} s", f"text layer {entry.text_quality}"]
    if entry.aal is not None:
        figures.append(f"{entry.tokens} tokens, {entry.aal:.2f} drafts accepted per step")
    if entry.resized:
        figures.append(f"picture resized {entry.resized}")
    return ", ".join(figures)


class Terminal(Lines):
    """The lines, and below them a bar that counts pages and says how far a model is with the one it reads."""

    def __init__(self, console: Console, progress: Progress) -> None:
        super().__init__(console)
        self.progress = progress
        self.bar = progress.add_task("", total=None)
        self.documents = self.ended = self.pages = 0
        self.at = ""

    @staticmethod
    @contextmanager
    def observer(console: Console) -> Iterator[Lines]:
        """With a bar if stderr is a terminal and nobody asked for quiet."""
        if console.quiet or not sys.stderr.isatty():
            yield Lines(console)
            return
        from rich.console import Console as RichConsole
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        with Progress(*columns, console=RichConsole(stderr=True), transient=True, redirect_stdout=False) as progress:
            yield Terminal(console, progress)

    def begin(self, documents: int) -> None:
        self.documents = documents
        self._show()

    def opened(self, name: str, pages: int) -> None:
        self.pages += pages
        self._show()

    def reading(self, progress: PageProgress) -> None:
        self.at = _place(progress)
        self._show()

    def page(self, entry: Entry) -> None:
        self.at = ""
        self.progress.advance(self.bar)
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
