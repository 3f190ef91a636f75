"""`Converter` keeps worker processes, and a model with its weights, from document to document; `convert` is its short
form."""

from __future__ import annotations

import os
import shutil
import threading
import weakref
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from itertools import chain
from pathlib import Path
from typing import BinaryIO, Unpack, cast

import msgspec

from docparse.errors import DocparseError, InputError, UsageError, error_of
from docparse.library.document import Document, Folder
from docparse.library.keywords import Keywords, Ranges, in_python, ranges, settings_from, told_in_python
from docparse.library.session import Job, Log, Session
from docparse.ranges import PageRanges
from docparse.run.inputs import Input, display_name, resolve
from docparse.run.inputs.document import output_stem
from docparse.run.inputs.spool import at_most, chunks_of
from docparse.run.leftovers import temporary_folder
from docparse.run.workers import planned_pool
from docparse.sizes import parse_size
from docparse.storage import is_url
from docparse.types import Page

Source = str | os.PathLike[str] | bytes | bytearray | BinaryIO
SOURCE = "source"  # the folder of a document that did not come as a path
NAME = "document"  # of bytes, which have none


class Converter:
    """Converts documents with one set of settings; `with Converter(...) as converter:` ends its processes at the end.

    The keywords are the settings of `docparse convert`. They are checked here: `UsageError` and `EnvironmentProblem`
    are raised before anything is converted. Any thread may call any method; processes start when there is work.
    """

    def __init__(self, *, config: str | os.PathLike[str] | None = None, **settings: Unpack[Keywords]) -> None:
        self.settings = settings_from(settings, config)
        self._opening = threading.Lock()
        self._stack = ExitStack()
        self._session: Session | None = None
        self._process = os.getpid()
        self._end = weakref.finalize(self, _close, self._stack, self._process)
        self._open()

    def __enter__(self) -> Converter:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End every process; documents that were converted stay."""
        self._end()

    def convert(self, source: Source, *, pages: Ranges | None = None) -> Document:
        """Return `source` converted: a path, a URL that the command line takes, bytes, or a binary file object.

        `pages` in place of those of the settings. Raises `DocparseError` where nothing of it could be read; pages that
        failed are marked in the `Document`, which is then `partial`.
        """
        session = self._open()
        job = session.add(self._job(source), _chosen(pages))
        try:
            session.work_until(lambda: job.ended)
        finally:
            session.drop(job)
        document = _document(job, self)
        if document.status == "failed":
            raise _failure(document)
        return document

    def convert_all(self, sources: Iterable[Source] | Source, *, pages: Ranges | None = None) -> Iterator[Document]:
        """Yield a `Document` for each of `sources` as it ends, in any order, also for one that failed: its `status` and
        `error` say so. Folders and globs are all documents in them. A few are read ahead of what has been taken."""
        session, chosen = self._open(), _chosen(pages)
        one = isinstance(sources, str | os.PathLike | bytes | bytearray) or hasattr(sources, "read")
        each = [cast(Source, sources)] if one else cast(Iterable[Source], sources)
        coming = chain.from_iterable(map(self._jobs, each))
        under_way: list[Job] = []
        try:
            while True:
                while len(under_way) < session.loop.max_open and (job := next(coming, None)):
                    under_way.append(session.add(job, chosen))
                if not under_way:
                    return
                session.work_until(lambda: any(job.ended for job in under_way))
                for job in [job for job in under_way if job.ended]:
                    under_way.remove(job)
                    yield _document(job, self)
        finally:
            for job in under_way:
                session.drop(job)

    def iter_pages(self, source: Source, *, pages: Ranges | None = None) -> Iterator[Page]:
        """Yield the pages of `source` in their order, each as soon as it has been read.

        What takes the whole document is not known yet: levels of headings, lists and paragraphs that go on over a page
        break, running headers. Raises `DocparseError` where it cannot be opened; pages that failed say why.
        """
        session = self._open()
        job = session.add(self._job(source, wants_pages=True), _chosen(pages))
        try:
            while not job.ended or job.next_page:
                session.work_until(lambda: job.ended or job.next_page is not None)
                yield from job.take()
        finally:
            session.drop(job)
        document = _document(job, self)
        if document.status == "failed" and not job.taken:
            raise _failure(document)

    @told_in_python()
    def _open(self) -> Session:
        """The loop over documents; another one where the last was ended by an error."""
        with self._opening:
            if not self._end.alive:
                raise UsageError("this Converter is closed: make another one")
            if os.getpid() != self._process:
                raise UsageError("this Converter belongs to the process that made it: make another one in this one")
            if self._session is None or self._session.failure is not None:
                self._stack.close()
                images = "none" if self.settings.images == "none" else "ref"  # what is embedded is a file before
                settings = msgspec.structs.replace(self.settings, images=images)
                temporary = self._stack.enter_context(temporary_folder())
                plan, pool = self._stack.enter_context(planned_pool(settings, Log()))
                self._stack.enter_context(pool)
                self._session = Session(plan, pool, temporary)
                Log().note(plan.note)
            return self._session

    def _job(self, source: Source, *, wants_pages: bool = False) -> Job:
        """Raises `UsageError` where `source` is not one document."""
        jobs = list(self._jobs(source, wants_pages=wants_pages))
        if not jobs:
            raise UsageError(f"{source!s}: it contains no PDF or image: give a document")
        if len(jobs) > 1:
            raise UsageError(f"{source!s}: {len(jobs)} documents, but convert takes one: use Converter.convert_all")
        return jobs[0]

    def _jobs(self, source: Source, *, wants_pages: bool = False) -> Iterator[Job]:
        if isinstance(source, str | os.PathLike):
            for item in _named(source, offline=self.settings.offline):
                yield Job(item, Folder(), wants_pages=wants_pages)
            return
        folder = Folder()
        yield Job(self._spooled(source, folder.path / SOURCE), folder, wants_pages=wants_pages)

    def _spooled(self, source: bytes | bytearray | BinaryIO, folder: Path) -> Input:
        """`source` in a file, where workers can read it; one that cannot be read has its problem."""
        if not (isinstance(source, bytes | bytearray) or hasattr(source, "read")):
            kind = type(source).__name__
            raise UsageError(f"a source is a path, a URL, bytes or an open binary file, not {kind}")
        named = getattr(source, "name", NAME)  # a number, where it was opened by its descriptor
        name = Path(named if isinstance(named, str) else NAME).name or NAME
        pieces: Iterable[bytes] = [bytes(source)] if isinstance(source, bytes | bytearray) else chunks_of(source)
        try:
            folder.mkdir()
            with open(folder / name, "xb") as file:
                for piece in at_most(pieces, parse_size(self.settings.max_spool), "raise max_spool, or give a path"):
                    file.write(piece)
        except TypeError:
            raise UsageError(f"{name} is open as text: open it with mode 'rb'") from None
        except OSError as error:
            raise InputError(f"{name}: cannot be read: {error.strerror or error}") from None
        return Input(folder / name, display_name(name), Path(output_stem(name)))


def _close(stack: ExitStack, process: int) -> None:
    """End what is in `stack`, unless the `process` that it belongs to has forked this one."""
    if os.getpid() == process:
        stack.close()


def convert(source: Source, *, config: str | os.PathLike[str] | None = None, **settings: Unpack[Keywords]) -> Document:
    """Return one document converted; see `Converter`, which does many without starting anything again.

    The `settings` are those of `docparse convert`, among them `pages`, `password`, `ocr`, `text_layer`, `tables`,
    `images`, `model`, `workers` and `page_timeout`; docs/python.md says more.
    """
    with Converter(config=config, **settings) as converter:
        return converter.convert(source)


def iter_pages(
    source: Source, *, config: str | os.PathLike[str] | None = None, **settings: Unpack[Keywords]
) -> Iterator[Page]:
    """Yield the pages of one document as they come; see `Converter.iter_pages`."""
    with Converter(config=config, **settings) as converter:
        yield from converter.iter_pages(source)


def _named(source: str | os.PathLike[str], *, offline: bool) -> list[Input]:
    """The documents at a path or URL; `-` and `@list` are names like any other here."""
    text = os.fsdecode(source)
    plain = not is_url(text) and text.startswith(("-", "@"))
    return resolve([f"./{text}" if plain else text], offline=offline).documents


def _document(job: Job, converter: Converter) -> Document:
    assert job.result is not None  # it has ended
    folder = job.folder
    del job.folder  # it goes with the Document, and workers remember their last job
    shutil.rmtree(folder.path / SOURCE, ignore_errors=True)
    files = job.destination.files(job.item.output) if job.item.output.name else None
    return Document(folder, files, job.item.name, job.result, converter.settings)


def _failure(document: Document) -> DocparseError:
    """Return the error of a document of which nothing could be read, with why its first page failed."""
    reason = next((f": {page.error}" for page in document.pages if page.error), "")
    return error_of(document.error_category, document.error + in_python(reason))


def _chosen(pages: Ranges | None) -> str | None:
    text = None if pages is None else ranges(pages)
    with told_in_python():
        PageRanges.parse(text or "")
    return text
