"""Memory of a worker: what it holds, and a limit that it cannot pass."""

from __future__ import annotations

import os
import sys

from docparse.sizes import shown_size

LIBRARIES = 2**27  # bytes of code that a worker maps from files, which the system's limit does not count
STACK = 2**23  # bytes that the system counts for a thread, of which hardly any are touched
ADVICE = "raise --max-memory, or use a lower --dpi"


def limit_memory(limit: int, threads: int) -> None:
    """Let allocations of this process fail that would take it beyond `limit` bytes; `threads` are those it may start.

    Only on Linux: private memory that can be written (RLIMIT_DATA); RLIMIT_AS would count what libraries only reserve.
    """
    if sys.platform != "linux":
        return
    import resource

    data = limit - LIBRARIES + threads * STACK
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    if hard != resource.RLIM_INFINITY:
        data = min(data, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (data, data))


def resident_memory(process: int | str = "self") -> int:
    """Return the resident set of a process in bytes; 0 where the system does not tell cheaply."""
    try:
        with open(f"/proc/{process}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0


def peak_memory() -> int:
    """Return the most that this process ever held, in bytes; right after its start that may be what its parent held."""
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def too_much(limit: int) -> str:
    """Return the line for a worker that was stopped at `limit` bytes."""
    return f"took more memory than a worker may have, {shown_size(limit)}: {ADVICE}"
