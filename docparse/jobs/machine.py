"""How much of this machine a run may use: workers, and threads in each."""

from __future__ import annotations

from docparse.machine import available_memory, usable_cores

MEMORY_PER_WORKER = 600 * 2**20  # bytes; OCR and layout models with a large page, measured on dense scans


def default_workers() -> int:
    """A worker per core, as far as memory goes."""
    memory = available_memory()
    most = max(1, memory // MEMORY_PER_WORKER) if memory else usable_cores()
    return min(usable_cores(), most)


def thread_limits(threads: int) -> dict[str, str]:
    """Environment variables that keep numeric libraries to `threads` threads; they read them when imported."""
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "OPENCV_FOR_THREADS_NUM")
    return dict.fromkeys(names, str(threads))
