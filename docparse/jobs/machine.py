"""How much of this machine a run may use: cores and memory, containers' limits included."""

from __future__ import annotations

import os
from pathlib import Path

MEMORY_PER_WORKER = 600 * 2**20  # bytes; OCR and layout models with a large page, measured on dense scans
CGROUP = Path("/sys/fs/cgroup")


def usable_cores() -> int:
    """Cores this process may run on."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    quota, _, period = _read(CGROUP / "cpu.max").partition(" ")
    if quota.isdigit() and period.strip().isdigit():
        cores = min(cores, -(-int(quota) // int(period)))
    return max(1, cores)


def available_memory() -> int:
    """Bytes that can still be used, 0 where unknown."""
    fields = dict(line.split(":", 1) for line in _read(Path("/proc/meminfo")).splitlines() if ":" in line)
    available = int(fields.get("MemAvailable", "0 kB").split()[0]) * 1024
    limit, used = _read(CGROUP / "memory.max").strip(), _read(CGROUP / "memory.current").strip()
    if limit.isdigit() and used.isdigit():
        available = min(available, max(0, int(limit) - int(used)))
    return available


def default_workers() -> int:
    """A worker per core, as far as memory goes."""
    memory = available_memory()
    most = max(1, memory // MEMORY_PER_WORKER) if memory else usable_cores()
    return min(usable_cores(), most)


def thread_limits(threads: int) -> dict[str, str]:
    """Environment variables that keep numeric libraries to `threads` threads; they read them when imported."""
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "OPENCV_FOR_THREADS_NUM")
    return dict.fromkeys(names, str(threads))


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError:
        return ""
