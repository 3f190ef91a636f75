"""How much of this machine a run may use: workers, and threads and memory in each."""

from __future__ import annotations

from docparse.machine import available_memory, usable_cores

MEMORY_PER_WORKER = 2**30  # bytes; OCR and layout models peak at 0.7 GiB on dense scans, more above 144 dpi
MIN_LIMIT = 1536 * 2**20  # bytes that a worker may always hold: a dense scan, with some room
MAX_LIMIT = 2**31  # bytes; only a hostile page takes more


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
