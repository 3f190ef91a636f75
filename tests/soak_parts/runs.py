"""`docparse convert` as a person runs it: a process of its own, watched until it ends."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

COMMAND = (sys.executable, "-P", "-m", "docparse", "convert")
PATIENCE = 240.0  # seconds without a line in the journal; more than opening, reading or writing twice may take
LOOK = 0.05  # seconds between two looks at a run
MARK = "SOAK_RUN"  # in the environment of every process of a run: the folder that the run works in
GRACE = 5.0  # seconds in which the processes of a run that has ended must be gone


class Room:
    """The folders of one run: documents, outputs, and a folder for temporary files that is empty at first."""

    def __init__(self, folder, documents=()):
        self.folder, self.documents = folder, folder / "in"
        self.out, self.temporary = folder / "out", folder / "tmp"
        self.journal, self.log = self.out / "docparse-journal.jsonl", folder / "stderr.txt"
        self.documents.mkdir(parents=True)
        self.temporary.mkdir()
        for each in documents:
            (self.documents / each.name).write_bytes(each.data)


@dataclass
class Ended:
    """How a run ended. `code` is None where it had to be killed; `outlived` are workers that were left behind."""

    code: int | None
    errors: str
    outlived: list


def convert(room, *options):
    """Run `docparse convert` over the documents of a room to its end, or kill it when its journal has not grown for
    `PATIENCE` seconds."""
    # no settings, a temporary folder of its own, and the mark of its processes
    inherited = {key: value for key, value in os.environ.items() if not key.startswith(("DOCPARSE_", "SOAK_"))}
    environment = inherited | {"TMPDIR": str(room.temporary), MARK: str(room.folder)}
    command, nothing = [*COMMAND, str(room.documents), "-o", str(room.out), *options], subprocess.DEVNULL
    size, since = -1, time.monotonic()
    with (
        open(room.log, "wb") as log,
        subprocess.Popen(command, env=environment, stdin=nothing, stdout=nothing, stderr=log) as process,
    ):
        try:
            while (code := process.poll()) is None and time.monotonic() - since < PATIENCE:
                now = room.journal.stat().st_size if room.journal.exists() else 0
                if now != size:
                    size, since = now, time.monotonic()
                time.sleep(LOOK)
        finally:
            process.kill()
    return Ended(code, room.log.read_text(encoding="utf-8", errors="replace"), outliving(room.folder))


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
