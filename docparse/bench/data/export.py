"""What the methods wrote, as files that the official scorers of OmniDocBench and olmOCR-bench read as they are."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from docparse.bench.data.pages import BenchPage
from docparse.errors import OutputError


@dataclass(frozen=True)
class Output:
    """The Markdown that `method` of `model` wrote for a page in its run number `run` (0-based)."""

    model: str
    method: str
    page: BenchPage
    run: int
    markdown: str


class Exporter:
    """Writes outputs below `folder` as they come, with several models into a folder of each.

    What cannot be written ends the writing and nothing else: `error` says what that was.
    """

    def __init__(self, folder: Path, *, by_model: bool = False) -> None:
        self.folder = folder
        self.by_model = by_model
        self.error = ""

    def __call__(self, output: Output) -> None:
        if self.error:
            return
        try:
            export(output, self.folder / Path(output.model).name if self.by_model else self.folder)
        except OutputError as error:
            self.error = str(error)


def export(output: Output, folder: Path) -> None:
    """Write an output into the folder of its method below `folder`. Raises `OutputError`.

    Pages that OmniDocBench annotated become `<image>.md`, of several runs the first; all others become olmOCR-bench's
    `<document>_pg<number>_repeat<run>.md`, in the folders in which their documents lie.
    """
    if output.page.annotation and output.run:
        return
    target = folder / folder_name(output.method) / _file(output.page, output.run)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(output.markdown, encoding="utf-8")
    except OSError as error:
        raise OutputError(f"{target}: cannot write: {error.strerror or error}") from None


def folder_name(method: str) -> str:
    """Return a method with its parameters as one name that needs no quoting: `hsd(tau=0.75,n=4)` is
    `hsd_tau=0.75_n=4`."""
    return re.sub(r"[^\w.+=-]+", "_", method).strip("_")


def _file(page: BenchPage, run: int) -> PurePosixPath:
    document = PurePosixPath(page.document)
    if page.annotation:
        return document.with_name(f"{document.stem}.md")
    return document.with_name(f"{document.stem}_pg{page.number}_repeat{run + 1}.md")
