"""`docparse convert` as a person runs it: a process of its own, watched until it ends."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from soak_parts.watch import MARK, Memory, outliving

COMMAND = (sys.executable, "-P", "-m", "docparse", "convert")
PATIENCE = 240.0  # seconds without a line in the journal; more than opening, reading or writing twice may take
JOURNAL = "docparse-journal.jsonl"
LOOK = 0.05  # seconds between two looks at a run


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
    memory: Memory
    outlived: list[int] = field(default_factory=list)


class Running:
    """A run of `docparse convert` over the documents of a room; a context manager that leaves no process behind."""

    def __init__(self, room: Room, *options: str, environment: dict[str, str] | None = None) -> None:
        self.room = room
        self.memory = Memory()
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
        """Watch the run for so long, counted from its start, or until it ends; return whether it has ended."""
        while self.process.poll() is None:
            if time.monotonic() - self.started >= seconds:
                return False
            self.memory.sample(self.process.pid)
            time.sleep(LOOK)
        return True

    def finish(self, patience: float = PATIENCE) -> Ended:
        """Watch the run until it ends, or kill it when its journal has not grown for `patience` seconds."""
        size, since = -1, time.monotonic()
        code: int | None = None
        while (code := self.process.poll()) is None and time.monotonic() - since < patience:
            self.memory.sample(self.process.pid)
            if (now := self._journaled()) != size:
                size, since = now, time.monotonic()
            time.sleep(LOOK)
        seconds = time.monotonic() - self.started
        if code is None:
            self.process.kill()
            self.process.wait()
        outlived = outliving(self.room.folder)
        return Ended(code, self.room.log.read_text(encoding="utf-8", errors="replace"), seconds, self.memory, outlived)

    def _journaled(self) -> int:
        try:
            return self.room.journal.stat().st_size
        except OSError:
            return 0


def convert(room: Room, *options: str, environment: dict[str, str] | None = None) -> Ended:
    """Run `docparse convert` to its end."""
    with Running(room, *options, environment=environment) as running:
        return running.finish()


def undisturbed(room: Room, *options: str) -> Ended:
    """Run `docparse convert` to its end. Raises `RuntimeError` where not everything went well."""
    ended = convert(room, *options)
    if ended.code != 0:
        raise RuntimeError(f"a run that nobody disturbed ended with exit code {ended.code}: {ended.errors.strip()}")
    return ended
