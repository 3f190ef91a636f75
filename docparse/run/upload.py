"""Outputs that belong to a URL: written into a folder of this machine, then copied there."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from docparse.errors import EnvironmentProblem
from docparse.run.output_writer import OutputSummary, WriteOutputs
from docparse.run.tasks import WorkerState
from docparse.storage import Storage

JOURNAL_SECONDS = 30.0  # between two copies of the journal, which grows
JOURNAL_SHARE = 20  # and so many times as long as the last copy took


@dataclass(frozen=True)
class WriteAndUpload:
    """Writes the outputs of a document below `folder` and copies them to the same place below `url`, pictures first:
    what names them is there last. Answers with `OutputSummary`."""

    write: WriteOutputs
    folder: Path
    url: str

    def run(self, state: WorkerState) -> OutputSummary:
        written = self.write.run(state)
        started = time.perf_counter()
        storage = Storage(self.url)
        files = self.write.files
        for path in [*(files.images / name for name in written.images), *files.by_name(but=written.unwritten).values()]:
            storage.put(path, path.relative_to(self.folder).as_posix())
            path.unlink()
        return replace(written, seconds=written.seconds | {"upload": _since(started)})


@contextmanager
def kept_at(storage: Storage, journal: Path) -> Iterator[None]:
    """Fetch the journal of earlier runs, and copy that of this one there now and then and at the end.

    Raises `EnvironmentProblem` where the storage cannot be read or written, before anything else is done.
    """
    journal.parent.mkdir(parents=True, exist_ok=True)
    storage.fetch(journal.name, journal)
    journal.touch()
    storage.put(journal, journal.name)
    ended = threading.Event()
    copying = threading.Thread(target=_copy, args=(storage, journal, ended, journal.stat().st_size), daemon=True)
    copying.start()
    try:
        yield
    finally:
        ended.set()
        copying.join()
        storage.put(journal, journal.name)


def _copy(storage: Storage, journal: Path, ended: threading.Event, size: int) -> None:
    """Copy the journal whenever it is no longer of the `size` that it had."""
    pause = JOURNAL_SECONDS
    while not ended.wait(pause):
        if journal.stat().st_size != size:
            started = time.perf_counter()
            size = journal.stat().st_size
            with suppress(EnvironmentProblem):  # the last copy, or the next document, says so
                storage.put(journal, journal.name)
            pause = max(JOURNAL_SECONDS, JOURNAL_SHARE * _since(started))


def _since(started: float) -> float:
    return round(time.perf_counter() - started, 4)
