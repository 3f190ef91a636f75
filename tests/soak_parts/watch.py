"""What `/proc` tells of a run: its processes, by a mark in their environment, and the most memory they held."""

from __future__ import annotations

import os
import re
import signal
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

MARK = "SOAK_RUN"  # in the environment of every process of a run: the folder that the run works in
GRACE = 5.0  # seconds in which the processes of a run that has ended must be gone
PEAK = re.compile(r"^VmHWM:\s+(\d+) kB", re.MULTILINE)


@dataclass
class Memory:
    """The largest resident set seen so far, in bytes, of the parent and of any one worker."""

    parent: int = 0
    worker: int = 0

    def sample(self, parent: int) -> None:
        """Look at the process `parent` and its children."""
        self.parent = max(self.parent, peak(parent))
        self.worker = max([self.worker, *(peak(pid) for pid in children(parent))])


def peak(pid: int) -> int:
    """Return the most bytes that process `pid` ever had resident, 0 if it is gone."""
    try:
        found = PEAK.search(Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace"))
    except OSError:
        return 0
    return int(found[1]) * 1024 if found else 0


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
    for name in os.listdir("/proc"):
        if name.isdigit():
            with suppress(OSError):  # gone meanwhile, or not ours to look at
                if wanted in Path(f"/proc/{name}/environ").read_bytes().split(b"\0"):
                    found.append(int(name))
    return found


def outliving(folder: Path) -> list[int]:
    """Return the processes of a run that are there `GRACE` seconds after its parent ended; they are killed."""
    until = time.monotonic() + GRACE
    while (left := marked(folder)) and time.monotonic() < until:
        time.sleep(0.05)
    for pid in left:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return left
