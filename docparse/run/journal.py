"""The journal of a run: one JSON object per line for every page, and one per document (`"page": null`).

Lines are appended in one write under a lock; a torn one is closed off by the next writer and ignored by readers.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Literal

import msgspec

from docparse.errors import OutputError
from docparse.run.files import make_folder, output_error
from docparse.run.inputs import display_name


class JournalEntry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One line. `page` is 1-based, or None for the document as a whole; `last` is there where the line is about all
    pages from `page` to that one. Fields without a default are always written.

    `seconds` is per stage. A page that a vision-language model wrote has its `tokens`, the average acceptance length
    `aal`, the draft tokens `accepted` by their source, and how many `region_tokens` were written before; `chosen` is
    what `--accel auto` took for it. `key` names the document, its settings and its output folder: the same key, the
    same pages. `output` names the key plus everything else that decides the bytes of the output files.
    """

    input: str
    page: int | None
    status: Literal["ok", "partial", "failed"]
    engine: str
    seconds: dict[str, float]
    error: str
    error_category: str
    attempts: int
    key: str
    warnings: tuple[str, ...] = ()
    # only of a page
    last: int = 0
    text_quality: str = ""
    structure: str = ""
    tokens: int = 0
    aal: float | None = None
    accepted: dict[str, int] = {}
    region_tokens: int = 0
    resized: str = ""
    chosen: str = ""
    # only of a document
    pages: int = 0
    failed_pages: tuple[int, ...] = ()
    partial_pages: tuple[int, ...] = ()
    unread_pages: tuple[tuple[int, int], ...] = ()  # ranges that nothing was tried on
    outputs: tuple[str, ...] = ()
    output: str = ""
    again: tuple[int, ...] = ()  # pages that were read with less effort than was asked for
    unwritten: tuple[str, ...] = ()  # outputs that failed
    files: tuple[str, ...] = ()  # what it wrote, from the output folder on; pictures by their folder
    images: tuple[str, ...] = ()  # the pictures in that folder


class Journal:
    """An append-only file of entries; with `path=None` it forgets everything."""

    def __init__(self, path: Path | None) -> None:
        self.path = path

    def write(self, entry: JournalEntry) -> None:
        """Append one line. Raises `OutputError`."""
        if self.path is None:
            return
        line = msgspec.json.encode(entry) + b"\n"
        try:
            make_folder(self.path.parent)
            descriptor = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o666)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX)
                size = os.fstat(descriptor).st_size
                torn = size > 0 and os.pread(descriptor, 1, size - 1) != b"\n"
                left = b"\n" + line if torn else line
                while left:  # a write may be short: at a quota, on a network
                    left = left[os.write(descriptor, left) :]
            finally:
                os.close(descriptor)
        except OSError as error:
            raise output_error(self.path, error) from error

    def entries(self) -> Iterator[JournalEntry]:
        """Yield the readable lines, oldest first. Raises `OutputError` where the file itself cannot be read."""
        if self.path is None or not self.path.exists():
            return
        try:
            with open(self.path, "rb") as file:
                for line in file:
                    with suppress(msgspec.DecodeError):
                        yield msgspec.json.decode(line, type=JournalEntry)
        except OSError as error:
            name, reason = display_name(self.path), error.strerror or error
            raise OutputError(f"{name}: the journal cannot be read: {reason}; choose another place") from None

    def remove(self) -> None:
        if self.path is not None:
            self.path.unlink(missing_ok=True)


class JournalHistory(msgspec.Struct):
    """The record of earlier runs in the journal: finished documents by output key, written pages of the others."""

    documents: dict[str, JournalEntry] = {}
    pages: dict[str, set[int]] = {}

    @staticmethod
    def read(journal: Journal) -> JournalHistory:
        """Return what the readable lines of `journal` say, in time that is linear in them. A document is finished where
        its last line says so and no other one has written, or begun to write, any of its files since."""
        history = JournalHistory()
        last: dict[str, JournalEntry] = {}  # by output key
        writers: dict[str, str] = {}  # the output key that wrote a file last
        for entry in journal.entries():
            if entry.page is None:
                last[entry.output] = entry
                writers |= dict.fromkeys(entry.files, entry.output)
                if _is_finished(entry):
                    history.pages.pop(entry.key, None)
            elif entry.status != "failed":
                history.pages.setdefault(entry.key, set()).add(entry.page)
        for output, entry in last.items():
            if _is_finished(entry) and all(writers[name] == output for name in entry.files):
                history.documents[output] = entry
        return history


def _is_finished(entry: JournalEntry) -> bool:
    """Return whether nothing of a document is to be tried again."""
    left = entry.failed_pages or entry.again or entry.unwritten
    return entry.status == "ok" or (entry.status == "partial" and not left)
