"""What the methods wrote, as files that the official scorers of OmniDocBench and olmOCR-bench read as they are."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from docparse.bench.data.pages import BenchPage


@dataclass(frozen=True)
class Output:
    """The Markdown that `method` of `model` wrote for a page in its run number `run` (0-based)."""

    model: str
    method: str
    page: BenchPage
    run: int
    markdown: str


class Exporter:
    """Writes outputs as they come into the folder of their method below `folder`, of several models below that of each.

    Pages that OmniDocBench annotated become `<image>.md`, of several runs the first; all others become olmOCR-bench's
    `<document>_pg<number>_repeat<run>.md`, in the folders in which their documents lie. What cannot be written ends the
    writing and nothing else: `error` says what that was.
    """

    def __init__(self, folder: Path, *, by_model: bool = False) -> None:
        self.folder = folder
        self.by_model = by_model
        self.error = ""

    def __call__(self, output: Output) -> None:
        page, document = output.page, PurePosixPath(output.page.document)
        if self.error or (page.annotation and output.run):
            return
        name = document.stem if page.annotation else f"{document.stem}_pg{page.number}_repeat{output.run + 1}"
        folder = self.folder / Path(output.model).name if self.by_model else self.folder
        target = folder / folder_name(output.method) / document.with_name(f"{name}.md")
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(output.markdown, encoding="utf-8")
        except OSError as error:
            self.error = f"{target}: cannot write: {error.strerror or error}"


def folder_name(method: str) -> str:
    """Return a method as a name that needs no quoting: `hsd(tau=0.75,n=4)` is `hsd_tau=0.75_n=4`."""
    return re.sub(r"[^\w.+=-]+", "_", method).strip("_")
