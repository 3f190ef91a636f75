"""Files that are either whole or not there: written under a temporary name, then renamed."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from docparse.errors import OutputError
from docparse.run.inputs import display_name

FULL = (errno.ENOSPC, errno.EDQUOT)
REASONS = {errno.EROFS: "the folder is read-only", errno.EEXIST: "a file of this name is in the way"}


class DiskFull(OutputError):
    """The disk is full or read-only: nothing more can be written here by anybody: the run ends."""


def output_error(path: Path, error: OSError) -> OutputError:
    name = display_name(path)
    reason = error.strerror or str(error)
    if error.errno in FULL:
        return DiskFull(f"{name}: {reason}: free some space and run again with --resume, or choose another place")
    kind = DiskFull if error.errno == errno.EROFS else OutputError
    return kind(f"{name}: cannot write: {REASONS.get(error.errno or 0, reason)}; choose another place")


@contextmanager
def whole_file(
    path: Path, temporary: Path | None = None, mode: str = "w", *, on_disk: bool = True
) -> Iterator[IO[Any]]:
    """Open `temporary`, a hidden file beside `path` unless said, for writing and rename it to `path` at the end; an
    error does not change `path`.

    Both must be in one file system; missing folders are made. `on_disk`: see `replacing`. Raises `OutputError`.
    """
    temporary = temporary or path.with_name(f".{path.name}.{os.getpid()}")
    text: dict[str, Any] = {"encoding": "utf-8", "newline": "\n", "errors": "backslashreplace"}
    how = {} if "b" in mode else text
    try:
        make_folder(path.parent)
        with replacing(path, temporary, on_disk=on_disk), open(temporary, mode, **how) as file:
            yield file
    except OSError as error:
        raise output_error(path, error) from error


@contextmanager
def replacing(path: Path, temporary: Path, *, on_disk: bool = True) -> Iterator[None]:
    """`temporary`, which is written meanwhile, becomes `path` at the end; on any error it goes, and `path` stays.
    `on_disk`: its content first, or a loss of power may leave the name without it. That takes some milliseconds."""
    try:
        yield
        if on_disk:
            with open(temporary, "rb") as file:
                os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:  # Ctrl-C as well
        with suppress(OSError):
            temporary.unlink()
        raise


def make_folder(folder: Path) -> None:
    """`mkdir -p`, also while another process removes an empty parent. Raises `OutputError`."""
    for attempt in range(20):
        try:
            return folder.mkdir(parents=True, exist_ok=True)
        except FileNotFoundError as error:
            if attempt == 19:
                raise output_error(folder, error) from error
        except OSError as error:
            raise output_error(folder, error) from error
    return None
