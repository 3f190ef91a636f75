"""The pages a bench runs on: documents and folders of them, with ground truth where a Markdown file lies beside one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from docparse.errors import InputError
from docparse.inputs import SUFFIXES
from docparse.pdf import open_document
from docparse.pdf.content import PageContent


@dataclass(frozen=True)
class BenchPage:
    """One page of a data set. `truth` is its Markdown, None where nobody wrote it down."""

    path: Path
    number: int
    category: str
    truth: str | None = None

    @property
    def name(self) -> str:
        return f"{self.path.name}:{self.number}"

    @contextmanager
    def open(self) -> Iterator[PageContent]:
        """The page, not yet rendered. Raises `InputError`, `PageError`."""
        with open_document(self.path, name=self.path.name) as document:
            yield document.page(self.number)


def pages_of(source: Path, most: int = 0) -> list[BenchPage]:
    """The first `most` pages (0: all) of a document, or of the documents in a folder in the order of their names.

    The category is the name of the folder a document lies in. `page.md` beside `page.pdf` is the truth of a one-page
    document. Raises `InputError` where there is no page.
    """
    if not source.exists():
        raise InputError(f"{source}: no such file or folder")
    files = [source] if source.is_file() else sorted(path for path in source.rglob("*") if path.suffix in SUFFIXES)
    pages: list[BenchPage] = []
    for path in files:
        with open_document(path, name=path.name) as document:
            count = document.pages
        truth = path.with_suffix(".md")
        text = truth.read_text(encoding="utf-8") if count == 1 and truth.is_file() else None
        pages += [BenchPage(path, number, path.absolute().parent.name, text) for number in range(1, count + 1)]
        if most and len(pages) >= most:
            return pages[:most]
    if not pages:
        raise InputError(f"{source}: there is no PDF or image; give a document or a folder of documents")
    return pages
