"""Lists of inputs: `@list.txt`, `@-`, and a list that another program writes into a pipe."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from typing import IO

from docparse.errors import UsageError
from docparse.run.inputs.document import display_name
from docparse.run.inputs.stream import MOST_IN_A_LIST, SILENCE, at_most, chunks, chunks_of, open_stream
from docparse.run.inputs.timed import TimedCalls

TOO_LONG = "this is no list of inputs"


def listed(argument: str, stdin: IO[bytes] | None, calls: TimedCalls) -> Iterator[str]:
    """Yield the lines of the list that `argument` names, `@` in front; empty lines and `#` comments do not count.

    Raises `UsageError` where it cannot be read.
    """
    name = argument[1:]
    try:
        if name == "-":
            content = b"".join(at_most(chunks_of(stdin), MOST_IN_A_LIST, TOO_LONG)) if stdin is not None else b""
        else:
            content = _content(name, calls)
    except OSError as error:
        raise UsageError(f"{display_name(name)}: cannot read the list of inputs: {error.strerror or error}") from None
    for line in content.splitlines():
        item = os.fsdecode(line.strip())
        if item and not item.startswith("#"):
            yield item


def _content(path: str, calls: TimedCalls) -> bytes:
    """Return what is in a file or comes through a pipe. Raises `OSError`."""
    descriptor = calls.one(open_stream, path)
    try:
        if stat.S_ISFIFO(os.fstat(descriptor).st_mode):
            return b"".join(at_most(chunks(descriptor, SILENCE), MOST_IN_A_LIST, TOO_LONG))
    finally:
        os.close(descriptor)
    return calls.one(_read, path)


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return b"".join(at_most(chunks_of(file), MOST_IN_A_LIST, TOO_LONG))
