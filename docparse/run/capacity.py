"""How much of this machine a run may use: workers, and threads and memory in each; what a worker holds, and the limit
that it cannot pass."""

from __future__ import annotations

import os
import sys

from docparse.machine import available_memory, usable_cores
from docparse.sizes import shown_size

MEMORY_PER_WORKER = 2**30  # bytes; OCR and layout models peak at 0.7 GiB on dense scans, more above 144 dpi
MIN_LIMIT = 1536 * 2**20  # bytes that a worker may always hold: a dense scan, with some room
MAX_LIMIT = 2**31  # bytes; only a hostile page takes more
LIBRARIES = 2**27  # bytes of code that a worker maps from files, which the system's limit does not count
STACK = 2**23  # bytes that the system counts for a thread, of which hardly any are touched
ADVICE = "raise --max-memory, or use a lower --dpi"


def default_workers() -> int:
    """Return a worker per core, as far as memory goes."""
    memory = available_memory()
    most = max(1, memory // MEMORY_PER_WORKER) if memory else usable_cores()
    return min(usable_cores(), most)


def default_memory(workers: int) -> int:
    """Return the bytes that each of so many workers may hold: its share of the machine, within reason."""
    return within_reason(available_memory() // workers or MAX_LIMIT)


def within_reason(share: int) -> int:
    """Return the bytes that a worker may hold where its share of a machine is so many."""
    return max(MIN_LIMIT, min(MAX_LIMIT, share))


def thread_limits(threads: int) -> dict[str, str]:
    """Return environment variables that keep numeric libraries to `threads` threads; they read them when imported."""
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "OPENCV_FOR_THREADS_NUM")
    return dict.fromkeys(names, str(threads))


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
