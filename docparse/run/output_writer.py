"""From finished pages to the output files of a document, page by page."""

from __future__ import annotations

import copy
import logging
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Literal, TextIO, cast

import msgspec

from docparse.errors import EnvironmentProblem, OutputError, ran_out_of_memory
from docparse.guard import Guard, reason_of
from docparse.layout.document.outline import Outline
from docparse.render import FORMATS, RenderOptions
from docparse.render.markdown import block_markdown
from docparse.render.options import NOT_A_BLOCKS
from docparse.run.files import DiskFull, output_error, replacing, whole_file
from docparse.run.outputs import LAYOUT_PDF, Files
from docparse.run.store import TEMPORARY, PageStore
from docparse.run.tasks import SourceFile, WorkerState
from docparse.run.upload import upload
from docparse.settings import Settings
from docparse.types import DocumentInfo, Page

FAILED = "format {} failed ({}): use another --format"
logger = logging.getLogger("docparse")


@dataclass(frozen=True)
class OutputSummary:
    """A summary of the outputs. They show everything, `only-headers` (which are left out), or `nothing`. `seconds` is
    by output, `images` are the names of the pictures beside it, `pixels_read` says that every page went through OCR.
    `failed` is a line about what could only be written as plain text, not refined, or not written at all, "" where
    there is none; `unwritten` are the outputs of the last kind."""

    shows: Literal["text", "only-headers", "nothing"]
    seconds: dict[str, float] = field(default_factory=dict)
    images: tuple[str, ...] = ()
    pixels_read: bool = False
    failed: str = ""
    unwritten: tuple[str, ...] = ()


@dataclass(frozen=True)
class WriteOutputs:
    """Assembles the pages `numbers` of a document and writes its files; answers with `OutputSummary`. An output that
    fails costs itself; raises `OutputError` where there is no other. With a `url` the files below `folder` are moved
    there, pictures first: what names them comes last."""

    source: SourceFile
    info: DocumentInfo
    numbers: tuple[int, ...]
    store: Path
    files: Files
    folder: Path = Path()
    url: str = ""

    def run(self, state: WorkerState) -> OutputSummary:
        started = time.perf_counter()
        guard = Guard(raised=NOT_A_BLOCKS)
        book = Book(PageStore(self.store), self.numbers, guard)
        seconds = {"outline": round(time.perf_counter() - started, 4)}
        options = replace(render_options(state.settings, self.files.images, book.store.asset), guard=guard)
        images = copy_images(book, self.files.images) if options.images == "ref" else ()
        lost: dict[str, str] = {}
        for name, path in self.files.by_name().items():
            started, before = time.perf_counter(), len(guard.failures)
            try:
                self._write(name, path, book, options, state)
            except Exception as error:
                if isinstance(error, (DiskFull, EnvironmentProblem)) or ran_out_of_memory(error):
                    raise
                logger.debug("output %s failed", name, exc_info=True)
                del guard.failures[before:]  # what it could not mark up is in no other output
                lost[name] = str(error) if isinstance(error, OutputError) else FAILED.format(name, reason_of(error))
            seconds[name] = round(time.perf_counter() - started, 4)
        if len(lost) == len(self.files.by_name()):
            raise OutputError("; ".join(lost.values()))
        if self.url:
            started = time.perf_counter()
            pictures = (self.files.images / name for name in images)
            upload([*pictures, *self.files.by_name(but=lost).values()], self.folder, self.url)
            seconds["upload"] = round(time.perf_counter() - started, 4)
        shows = guard("looking for text", lambda: book.shows(options), lambda: TEXT)
        failed = "; ".join(filter(None, [*lost.values(), guard.summary("the words are written as plain text")]))
        return OutputSummary(shows, seconds, images, book.pixels_read, failed, tuple(lost))

    def _write(self, name: str, path: Path, book: Book, options: RenderOptions, state: WorkerState) -> None:
        """Write one output, which is in the store until it is whole."""
        temporary = self.store / f"{name}{TEMPORARY}"
        if name != LAYOUT_PDF:
            with whole_file(path, temporary) as out:
                FORMATS[name].write(self.info, book.pages(), cast(TextIO, out), options)
            return
        from docparse.render.overlay import write_layout_pdf

        try:
            with replacing(path, temporary):
                write_layout_pdf(state.document(self.source), book.pages(), temporary)
        except OSError as error:
            raise output_error(path, error) from error


TEXT: Literal["text"] = "text"


class Book:
    """The pages of a document with everything that only the whole document knows; read from the store each time."""

    def __init__(self, store: PageStore, numbers: tuple[int, ...], guard: Guard) -> None:
        self.store = store
        self.guard = guard
        self.numbers = list(numbers)
        self.outline = Outline()
        self.pixels_read = True
        for page in store.pages(self.numbers):
            guard(f"outline of {page.label}", partial(self.outline.add, page), lambda: None)
            self.pixels_read &= "ocr" in page.seconds

    def pages(self) -> Iterator[Page]:
        outline = copy.deepcopy(self.outline)  # refining remembers the page before
        for page in self._stored():
            name = f"outline of {page.label}"
            yield self.guard(name, partial(outline.refine, page), lambda page=page: page)  # type: ignore[misc]

    def shows(self, options: RenderOptions) -> Literal["text", "only-headers", "nothing"]:
        """Return what the writers print with these options; that all of them print the same blocks is their promise."""
        found: Literal["only-headers", "nothing"] = "nothing"
        for page in self.pages():
            if page.status != "ok":
                return "text"
            for block in page.blocks:
                if block_markdown(block, options):
                    if options.keep_headers or not block.category.is_furniture:
                        return "text"
                    found = "only-headers"
        return found

    def _stored(self) -> Iterator[Page]:
        """Without times: the same pages give the same bytes in every run."""
        return (msgspec.structs.replace(page, seconds={}) for page in self.store.pages(self.numbers))


def render_options(settings: Settings, images: Path, load_asset: Callable[[str], bytes]) -> RenderOptions:
    """Return how a document is printed by these settings, with its pictures in the folder `images` beside it."""
    return RenderOptions(
        tables=settings.tables,
        images=settings.images,
        keep_headers=settings.keep_headers,
        page_breaks=settings.page_breaks,
        image_dir=images.name,
        load_asset=load_asset,
    )


def copy_images(book: Book, folder: Path) -> tuple[str, ...]:
    """Put the crops that the pages name beside the output; answers with their names. Raises `OutputError`."""
    names: set[str] = set()
    for page in book.pages():
        for name in {block.image for block in page.blocks if block.image} - names:
            with whole_file(folder / name, book.store.folder / f"{name}{TEMPORARY}", "wb") as out:
                out.write(book.store.asset(name))
            names.add(name)
    return tuple(sorted(names))
