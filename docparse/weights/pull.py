"""Downloading a family's weights into the hub's cache: only what is needed, hashed, and resumed where it was cut, which
the hub's own library does not do."""

from __future__ import annotations

import errno
import os
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from docparse.errors import EnvironmentProblem
from docparse.weights import pins, store, weightfiles
from docparse.weights.card import Card
from docparse.weights.hub import Hub, Refused, Remote

WEIGHTS = ".safetensors"
NEEDED = (".json", ".txt", ".model", ".jinja", ".tiktoken")  # configuration, vocabulary, chat template: no code
RETRIES = 4  # in a row that brought less than PROGRESS bytes
PROGRESS = 2**20
PATIENCE = 0.5  # seconds before waiting for another program's download is worth a word
MARGIN = 2**26  # bytes that stay free on the disk


class Watcher:
    """A watcher of a download, for a person; this one is silent."""

    def begin(self, revision: str, total: int, there: int) -> None:
        """Bytes of all files together, and of those that an earlier download left."""

    def file(self, name: str, size: int) -> None:
        """A file's turn."""

    def arrived(self, count: int) -> None:
        """Bytes; negative where some that were there turned out to be useless."""

    def note(self, text: str) -> None:
        """Something out of the ordinary."""


def pull(card: Card, *, timeout: float = 30.0, pause: float = 1.0, watcher: Watcher | None = None) -> store.Snapshot:
    """Make the cache hold the pinned revision, else the branch head: whole, and as published.

    Files that are there already are hashed, not fetched. `timeout`: seconds without a byte after which a connection
    counts as dead; `pause`: seconds before it is tried again, doubled for each further try. Raises `UsageError` for a
    revision that cannot be one, and `EnvironmentProblem` with one line; what has arrived by then is kept.
    """
    pins.check_revision(card.revision or store.MAIN)
    again = f"run `docparse models pull {card.name}` again"
    try:
        return _Pull(card, Hub(card.repository, timeout), watcher or Watcher(), pause).run()
    except Refused as error:
        kept = "; what has arrived is kept" if error.passing else ""
        raise EnvironmentProblem(str(error) if error.final else f"{error}{kept}: {again}") from None
    except OSError as error:
        advice = "free some space" if error.errno == errno.ENOSPC else "set HF_HOME to a folder you can write to"
        place = error.filename or store.cache_folder()
        raise EnvironmentProblem(f"{place}: {error.strerror or error}: {advice}, then {again}") from None


@dataclass
class _Pull:
    card: Card
    hub: Hub
    watcher: Watcher
    pause: float
    commit: str = field(default="", init=False)

    @property
    def folder(self) -> Path:
        return store.repository_folder(self.card.repository)

    @property
    def snapshot(self) -> Path:
        return self.folder / "snapshots" / self.commit

    def run(self) -> store.Snapshot:
        self.commit, listed = self.hub.listing(self.card.revision or store.MAIN)
        pins.check_commit(self.card, self.commit)  # before anything is written
        for path in (self.folder / "blobs", self.snapshot):
            path.mkdir(parents=True, exist_ok=True)
        files = [file for file in listed if file.name.endswith(NEEDED)] + self._weights(listed)
        self._begin(files)
        for file in files:  # weights last: where they are whole, everything is
            self.watcher.file(file.name, file.size)
            self._obtain(file)
        self._remember()
        return store.Snapshot(self.snapshot, self.commit)

    def _weights(self, listed: Sequence[Remote]) -> list[Remote]:
        """The shards of the index, which is fetched for it; else the single file; else all there are."""
        by_name = {file.name: file for file in listed if file.name.endswith((WEIGHTS, weightfiles.INDEX))}
        index = by_name.pop(weightfiles.INDEX, None)
        if index is not None:
            self._obtain(index)
            wanted = weightfiles.shards_of(self.snapshot / index.name)
        else:
            wanted = [weightfiles.SINGLE] if weightfiles.SINGLE in by_name else sorted(by_name)
        absent = [name for name in wanted if name not in by_name]
        if absent or not wanted:
            lack = f"does not hold {absent[0]}, which its index names" if absent else "holds no weights as safetensors"
            raise EnvironmentProblem(f"{self.card.repository} at {self.commit[:12]} {lack}: it cannot be used")
        return [by_name[name] for name in wanted]

    def _begin(self, files: Sequence[Remote]) -> None:
        """Is there room for what is still to come? Asked before the first large byte."""
        there = sum(min(file.size, max(map(_size, self._places(file)))) for file in files)
        total = sum(file.size for file in files)
        free = shutil.disk_usage(self.folder).free
        if total - there + MARGIN > free:
            raise EnvironmentProblem(
                f"{self.card.name}: {(total - there) / 1e9:.1f} GB are still to be fetched and {free / 1e9:.1f} GB are "
                f"free in {store.cache_folder()}: free some, or set HF_HOME to a folder on a larger disk"
            )
        self.watcher.begin(self.commit, total, there)

    def _obtain(self, file: Remote) -> None:
        """The blob, hashed, and the snapshot's link to it."""
        blob, part, name = self._blob(file), self._part(file), self.snapshot / file.name
        with self._alone(file):
            kept = blob if blob.exists() else name  # on a disk without links the snapshot holds the file itself
            if kept.exists() and not _as_published(kept, file):
                self.watcher.note(f"{file.name}: what is cached is damaged, so it is fetched again")
                self.watcher.arrived(-min(file.size, _size(kept)))
                kept.unlink()
            if not kept.exists():
                self._fetch(file, part)
                if not _as_published(part, file):
                    part.unlink()
                    reason = f"{self.card.repository}: {file.name} arrived with another hash than the published one"
                    raise Refused(f"{reason} and was thrown away")
                os.replace(part, blob)
            if blob.exists():
                _link(blob, name)

    @contextmanager
    def _alone(self, file: Remote) -> Iterator[None]:
        """Holding the lock that the hub's library takes for the file as well."""
        from huggingface_hub.utils import WeakFileLock

        lock = store.cache_folder() / ".locks" / self.folder.name / f"{file.digest}.lock"
        lock.parent.mkdir(parents=True, exist_ok=True)
        with ExitStack() as stack:
            try:
                stack.enter_context(WeakFileLock(lock, timeout=PATIENCE))
            except TimeoutError:
                self.watcher.note(f"{file.name}: another program is fetching it; waiting for that one")
                stack.enter_context(WeakFileLock(lock))
            yield

    def _fetch(self, file: Remote, part: Path) -> None:
        """Append to `part` until it is whole; a lost connection is taken up where it broke."""
        tries = 0
        if _size(part) > file.size:
            part.unlink()
        while not part.exists() or _size(part) < file.size:
            before = _size(part)
            try:
                self._append(file, part)
            except Refused as error:
                tries = 0 if _size(part) - before >= PROGRESS else tries + 1
                if not error.passing or tries > RETRIES:
                    raise
                self.watcher.note(f"{file.name}: {error}; trying again from {_size(part) / 1e6:.1f} MB")
                time.sleep(self.pause * 2**tries)

    def _append(self, file: Remote, part: Path) -> None:
        with open(part, "ab") as out:
            start = out.tell()
            with self.hub.reading(file, self.commit, start) as (continued, pieces):
                if not continued:
                    out.truncate(0)
                    self.watcher.arrived(-start)
                for piece in pieces:
                    out.write(piece)
                    self.watcher.arrived(len(piece))
                    if out.tell() > file.size:
                        raise Refused(f"{self.card.repository}: {file.name} is longer than the hub says")
            if out.tell() < file.size:
                raise Refused("the connection was closed early", passing=True)

    def _remember(self) -> None:
        """What the branch or tag stood for: other programs find the snapshot by it without a network."""
        revision = self.card.revision or store.MAIN
        if revision != self.commit:
            reference = self.folder / "refs" / revision
            reference.parent.mkdir(parents=True, exist_ok=True)
            reference.write_text(self.commit, encoding="utf-8")

    def _places(self, file: Remote) -> tuple[Path, ...]:
        """Return where the file or a part of it may be."""
        return self._blob(file), self._part(file), self.snapshot / file.name

    def _blob(self, file: Remote) -> Path:
        return self.folder / "blobs" / file.digest

    def _part(self, file: Remote) -> Path:
        """Return where a file grows; the name from which older versions of the hub's library resume as well."""
        return self.folder / "blobs" / f"{file.digest}.incomplete"


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _as_published(path: Path, file: Remote) -> bool:
    return _size(path) == file.size and store.digest(path, file.digest) == file.digest


def _link(blob: Path, name: Path) -> None:
    """A relative link, as the hub's library makes it; on a disk without links the file itself."""
    if name.exists() and name.samefile(blob):
        return
    name.unlink(missing_ok=True)
    try:
        name.symlink_to(os.path.relpath(blob, name.parent))
    except OSError:
        os.replace(blob, name)
