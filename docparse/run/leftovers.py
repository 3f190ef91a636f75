"""What a run that was killed has left behind, and the next one clears away: only what nobody holds."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from docparse.errors import EnvironmentProblem
from docparse.run.store import PageStore

PREFIX = "docparse-run-"
LOCK = "lock"


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """Yield a folder of this run in the system's temporary one; those that killed runs have left there are removed.

    A run holds a lock in its folder, and the system lets it go however the process ends. A process that this one has
    forked removes nothing. Raises `EnvironmentProblem`.
    """
    with ExitStack() as stack:
        try:
            parent = Path(tempfile.gettempdir())
            _clear(parent)
            while True:
                folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent))
                stack.callback(remove_ours, folder, os.getpid())
                if _claim(folder / LOCK, stack):
                    break
        except OSError as error:
            raise EnvironmentProblem(
                f"cannot make a temporary folder: {error.strerror or error}: set TMPDIR to a writable folder"
            ) from None
        yield folder


def remove_ours(folder: Path, process: int) -> None:
    """Remove a folder, unless the `process` that made it has forked this one."""
    if os.getpid() == process:
        shutil.rmtree(folder, ignore_errors=True)


def _claim(path: Path, stack: ExitStack) -> bool:
    """Make and lock the file; False where another run took the folder for an old one in the meantime."""
    lock = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)  # not handed on to workers
    stack.callback(os.close, lock)
    fcntl.flock(lock, fcntl.LOCK_EX)
    return path.exists()


def _clear(parent: Path) -> None:
    for folder in parent.glob(f"{PREFIX}*"):
        with suppress(OSError), open(folder / LOCK, "rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.fstat(lock.fileno()).st_uid == os.geteuid():
                shutil.rmtree(folder, ignore_errors=True)


def clear_work(work: Path) -> None:
    """Remove files of killed runs that are not whole from the work folder. Finished pages stay, for `--resume`."""
    with suppress(OSError):
        for path in list(work.iterdir()):
            if path.name.endswith(".gone"):
                shutil.rmtree(path, ignore_errors=True)
            elif path.is_dir():
                PageStore(path).clear_temporary()
