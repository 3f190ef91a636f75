"""Bytes that come through a pipe: read without waiting for ever, and no more than there is room for."""

from __future__ import annotations

import errno
import os
import select
import stat
from collections.abc import Callable, Iterable, Iterator
from typing import IO

from docparse.sizes import shown_size

CHUNK = 2**20
SILENCE = 120.0  # seconds without a byte; a program that makes a document may take its time
MAX_LIST_BYTES = 2**28  # bytes; some two million names
LISTEN_SECONDS = 0.5  # between two looks at whether anybody still wants the bytes


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
