"""Outputs that belong to a URL: written into a folder of this machine, then copied there."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from docparse.errors import EnvironmentProblem
from docparse.storage import Storage

JOURNAL_SECONDS = 30.0  # between two copies of the journal, which grows
JOURNAL_SHARE = 20  # and so many times as long as the last copy took


def upload(files: Iterable[Path], folder: Path, url: str) -> None:
    """Move files to the same places below `url` that they have below `folder`. Raises `EnvironmentProblem`."""
    storage = Storage(url)
    for path in files:
        storage.put(path, path.relative_to(folder).as_posix())
        path.unlink()


@contextmanager
def kept_at(storage: Storage, journal: Path) -> Iterator[None]:
    """Fetch the journal of earlier runs, and copy that of this one there now and then and at the end. Raises
    `EnvironmentProblem` where the storage cannot be read or written, before anything else is done."""
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
            pause = max(JOURNAL_SECONDS, JOURNAL_SHARE * (time.perf_counter() - started))
