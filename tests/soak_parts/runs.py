"""`docparse convert` as a person runs it: a process of its own, watched until it ends."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

COMMAND = (sys.executable, "-P", "-m", "docparse", "convert")
PATIENCE = 240.0  # seconds without a line in the journal; more than opening, reading or writing twice may take
JOURNAL = "docparse-journal.jsonl"
LOOK = 0.05  # seconds between two looks at a run
MARK = "SOAK_RUN"  # in the environment of every process of a run: the folder that the run works in
GRACE = 5.0  # seconds in which the processes of a run that has ended must be gone


class Room:
    """The folders of one trial: documents, outputs, and a folder for temporary files that is empty at first."""

    def __init__(self, folder: Path, out: Path | None = None) -> None:
        self.folder = folder
        self.documents = folder / "in"
        self.out = out or folder / "out"
        self.temporary = folder / "tmp"
        self.log = folder / "stderr.txt"
        self.documents.mkdir(parents=True)
        self.temporary.mkdir()

    @property
    def journal(self) -> Path:
        return self.out / JOURNAL

    @property
    def inputs(self) -> list[str]:
        return sorted(str(path) for path in self.documents.iterdir())

    def environment(self) -> dict[str, str]:
        """Return the variables of a run: no settings, a temporary folder of its own, and the mark of its processes."""
        inherited = {key: value for key, value in os.environ.items() if not key.startswith(("DOCPARSE_", "SOAK_"))}
        return inherited | {"TMPDIR": str(self.temporary), MARK: str(self.folder)}

    def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


@dataclass
class Ended:
    """How a run ended. `code` is None where it had to be killed; `outlived` are workers that were left behind."""

    code: int | None
    errors: str
    seconds: float
    outlived: list[int]


class Running:
    """A run of `docparse convert` over the documents of a room; a context manager that leaves no process behind."""

    def __init__(self, room: Room, *options: str, environment: dict[str, str] | None = None) -> None:
        self.room = room
        self.started = time.monotonic()
        with open(room.log, "wb") as log:
            self.process = subprocess.Popen(
                [*COMMAND, str(room.documents), "-o", str(room.out), *options],
                env=room.environment() | (environment or {}),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=log,
            )

    def __enter__(self) -> Running:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def over(self, seconds: float) -> bool:
        """Wait for so long, counted from the start of the run, or until it ends; return whether it has ended."""
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(max(0.0, self.started + seconds - time.monotonic()))
        return self.process.poll() is not None

    def finish(self) -> Ended:
        """Wait until the run ends, or kill it when its journal has not grown for `PATIENCE` seconds."""
        size, since = -1, time.monotonic()
        while (code := self.process.poll()) is None and time.monotonic() - since < PATIENCE:
            now = self.room.journal.stat().st_size if self.room.journal.exists() else 0
            if now != size:
                size, since = now, time.monotonic()
            time.sleep(LOOK)
        self.__exit__()
        seconds, errors = time.monotonic() - self.started, self.room.log.read_text(encoding="utf-8", errors="replace")
        return Ended(code, errors, seconds, outliving(self.room.folder))


def convert(room: Room, *options: str, environment: dict[str, str] | None = None) -> Ended:
    """Run `docparse convert` to its end."""
    with Running(room, *options, environment=environment) as running:
        return running.finish()


def children(pid: int) -> list[int]:
    """Return the process ids of the children that the threads of `pid` started; none if it is gone."""
    found: list[int] = []
    with suppress(OSError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            found += map(int, (thread / "children").read_text(encoding="ascii").split())
    return found


def marked(folder: Path) -> list[int]:
    """Return the ids of all running processes that carry the mark of the run in `folder`."""
    wanted = f"{MARK}={folder}".encode()
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # gone meanwhile, or not ours to look at
            if wanted in (process / "environ").read_bytes().split(b"\0"):
                found.append(int(process.name))
    return found


def outliving(folder: Path) -> list[int]:
    """Return the processes of a run that are there `GRACE` seconds after its parent ended; they are killed."""
    until = time.monotonic() + GRACE
    while (left := marked(folder)) and time.monotonic() < until:
        time.sleep(LOOK)
    for pid in left:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return left
