"""`docparse convert` as a person runs it: a process of its own, watched until it ends."""

import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from run_outputs import contents

COMMAND = (sys.executable, "-P", "-m", "docparse", "convert")
PATIENCE = 240.0  # seconds without a line in the journal; more than opening, reading or writing twice may take
LOOK = 0.05  # seconds between two looks at a run
MARK = "SOAK_RUN"  # in the environment of every process of a run: the folder that the run works in
GRACE = 5.0  # seconds in which the processes of a run that has ended must be gone


class Room:
    """The folders of one trial: documents, outputs, and a folder for temporary files that is empty at first."""

    def __init__(self, folder, documents=()):
        self.folder, self.documents, self.temporary, self.out = (
            folder,
            *(folder / name for name in ("in", "tmp", "out")),
        )
        self.journal, self.log = self.out / "docparse-journal.jsonl", folder / "stderr.txt"
        self.documents.mkdir(parents=True)
        self.temporary.mkdir()
        for path in documents:
            shutil.copy(path, self.documents)

    def contents(self):
        """Return every file of the output folder but the journal, by its path in it."""
        return contents(self.out)

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)


@dataclass
class Ended:
    """How a run ended. `code` is None where it had to be killed; `outlived` are workers that were left behind."""

    code: int | None
    errors: str
    seconds: float
    outlived: list


class Running:
    """A run of `docparse convert` over the documents of a room; a context manager that leaves no process behind."""

    def __init__(self, room, *options):
        self.room, self.started = room, time.monotonic()
        # no settings, a temporary folder of its own, and the mark of its processes
        inherited = {key: value for key, value in os.environ.items() if not key.startswith(("DOCPARSE_", "SOAK_"))}
        environment = inherited | {"TMPDIR": str(room.temporary), MARK: str(room.folder)}
        command, nothing = [*COMMAND, str(room.documents), "-o", str(room.out), *options], subprocess.DEVNULL
        with open(room.log, "wb") as log:
            self.process = subprocess.Popen(command, env=environment, stdin=nothing, stdout=nothing, stderr=log)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def over(self, seconds):
        """Wait for so long, counted from the start of the run, or until it ends; return whether it has ended."""
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(max(0.0, self.started + seconds - time.monotonic()))
        return self.process.poll() is not None

    def finish(self):
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


def convert(room, *options):
    """Run `docparse convert` to its end."""
    with Running(room, *options) as running:
        return running.finish()


def children(pid):
    """Return the process ids of the children that the threads of `pid` started; none if it is gone."""
    found = []
    with suppress(OSError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            found += map(int, (thread / "children").read_text(encoding="ascii").split())
    return found


def marked(folder):
    """Return the ids of all running processes that carry the mark of the run in `folder`."""
    wanted, found = f"{MARK}={folder}".encode(), []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # gone meanwhile, or not ours to look at
            if wanted in (process / "environ").read_bytes().split(b"\0"):
                found.append(int(process.name))
    return found


def outliving(folder):
    """Return the processes of a run that are there `GRACE` seconds after its parent ended; they are killed."""
    until = time.monotonic() + GRACE
    while (left := marked(folder)) and time.monotonic() < until:
        time.sleep(LOOK)
    for pid in left:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return left
