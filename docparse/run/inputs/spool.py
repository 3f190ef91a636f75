"""Bytes that come through a pipe, read without waiting for ever and no more than there is room for. Documents that come
so or from a URL are put into files, each in a thread of its own: a pipe that nobody writes to stops no other."""

from __future__ import annotations

import errno
import os
import select
import shutil
import stat
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from docparse.run.inputs.document import Input
from docparse.sizes import shown_size
from docparse.storage import pieces as url_pieces

CHUNK = 2**20
SILENCE = 120.0  # seconds without a byte; a program that makes a document may take its time
MAX_LIST_BYTES = 2**28  # bytes; some two million names
LISTEN_SECONDS = 0.5  # between two looks at whether anybody still wants the bytes
AT_A_TIME = 4
ROOM_LEFT = 2**28  # bytes of the temporary disk that are left to others


def open_stream(path: str) -> int:
    """Return a descriptor that reads a pipe or a regular file; opening it waits for no writer. Raises `OSError`."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
    mode = os.fstat(descriptor).st_mode
    if not (stat.S_ISFIFO(mode) or stat.S_ISREG(mode)):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "neither a file nor a pipe")
    return descriptor


def chunks(descriptor: int, silence: float | None, wanted: Callable[[], bool] = lambda: True) -> Iterator[bytes]:
    """Yield what comes until the end. Raises `TimeoutError` where nothing came for `silence` seconds (None: wait on),
    and `InterruptedError` where it is not `wanted` any more."""
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    waited = 0.0
    while silence is None or waited < silence:
        if not wanted():
            raise InterruptedError(errno.EINTR, "not wanted any more")
        if not poll.poll(LISTEN_SECONDS * 1000):
            waited += LISTEN_SECONDS
            continue
        try:
            chunk = os.read(descriptor, CHUNK)
        except BlockingIOError:
            continue
        if not chunk:
            return
        waited = 0.0
        yield chunk
    raise OSError(errno.ETIMEDOUT, f"nothing came through the pipe for {silence:g} s")


def chunks_of(stream: IO[bytes]) -> Iterator[bytes]:
    while chunk := stream.read(CHUNK):
        yield chunk


def at_most(pieces: Iterable[bytes], max_bytes: int, advice: str) -> Iterator[bytes]:
    """Yield the pieces. Raises `OSError` where they are more than `most` bytes together; `advice` says what to do."""
    total = 0
    for piece in pieces:
        total += len(piece)
        if total > max_bytes:
            raise OSError(errno.EFBIG, f"more than {shown_size(max_bytes)}: {advice}")
        yield piece


@dataclass(eq=False)
class Spool:
    """One document in, or on its way to, the file `path`; `problem`: why it cannot be read; `about` came with it."""

    item: Input
    path: Path
    about: Any = None
    problem: str = ""
    stdin: IO[bytes] | None = None
    wanted: bool = True
    begun: bool = False
    ended: bool = False

    def copy(self, limit: int) -> None:
        """Fill the file; at most `limit` bytes, or as many as leave others room on the disk."""
        try:
            free = shutil.disk_usage(self.path.parent).free - ROOM_LEFT
            advice = "raise --max-spool, or give a file"
            if free < limit:
                advice = f"{self.path.parent.parent} has no more room: set TMPDIR"
            with open(self.path, "wb") as file:
                for piece in at_most(self._pieces(), max(0, min(limit, free)), advice):
                    file.write(piece)
        except (OSError, ValueError) as error:
            self.path.unlink(missing_ok=True)
            self.problem = f"cannot be read: {getattr(error, 'strerror', None) or error}"

    def _pieces(self) -> Iterator[bytes]:
        """Yield the bytes of the input; standard input may take as long as it likes, as with every shell tool."""

        def wanted() -> bool:
            return self.wanted

        if self.item.url:
            yield from url_pieces(self.item.url, wanted)
        elif self.item.path is not None:
            with os.fdopen(open_stream(str(self.item.path)), "rb", 0) as pipe:
                yield from chunks(pipe.fileno(), SILENCE, wanted)
        elif self.stdin is not None:
            yield from chunks_of(self.stdin)
        elif sys.stdin is None:
            raise OSError(errno.EBADF, "standard input is closed")
        else:  # by its descriptor: a thread that waits in the file object would hold the interpreter's end up
            yield from chunks(sys.stdin.fileno(), None, wanted)


class Spooler:
    """Spools documents, a few at a time."""

    def __init__(self, folder: Path, limit: int, stdin: IO[bytes] | None = None, *, at_a_time: int = AT_A_TIME) -> None:
        self.folder = folder
        self.limit = limit
        self.at_a_time = max(AT_A_TIME, at_a_time)
        self.stdin = stdin
        self._spools: deque[Spool] = deque()
        self._count = 0
        self._ended = threading.Event()

    @property
    def waiting(self) -> bool:
        return bool(self._spools)

    @property
    def full(self) -> bool:
        """Return whether enough was added for now; a pipe that must not wait for others is added all the same."""
        return len(self._spools) >= self.at_a_time

    def add(self, item: Input, about: Any = None) -> None:
        self._count += 1
        self._spools.append(Spool(item, self.folder / f"{self._count}.spool", about, stdin=self.stdin))
        self._start()

    def take(self) -> Spool | None:
        done = next((spool for spool in self._spools if spool.ended), None)
        if done is not None:
            self._spools.remove(done)
            self._start()
        return done

    def forget(self, path: Path) -> None:
        """Remove a document that was spooled to `path`; it has been read."""
        if path.parent == self.folder:
            path.unlink(missing_ok=True)

    def drop(self, item: Input) -> None:
        """Nobody wants this document any more; it comes to its end soon, with a problem."""
        for spool in self._spools:
            spool.wanted = spool.wanted and spool.item is not item

    def wait(self, seconds: float) -> None:
        """Come back when one of the documents under way has ended, or after `seconds`."""
        self._ended.wait(seconds)
        self._ended.clear()

    def stop(self) -> None:
        """Nobody wants the documents any more; the threads notice soon."""
        for spool in self._spools:
            spool.wanted = False

    def _start(self) -> None:
        under_way = sum(spool.begun and not spool.ended for spool in self._spools)
        waiting = [spool for spool in self._spools if not spool.begun]
        for spool in waiting[: self.at_a_time - under_way]:
            spool.begun = True
            threading.Thread(target=self._fetch, args=(spool,), daemon=True).start()

    def _fetch(self, spool: Spool) -> None:
        try:
            spool.copy(self.limit)
        except Exception as error:  # of a file object that somebody gave us
            spool.path.unlink(missing_ok=True)
            spool.problem = f"cannot be read: {type(error).__name__}: {error}"
        finally:
            spool.ended = True
            self._ended.set()
