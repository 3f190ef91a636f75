"""What this machine has, containers' limits included: cores, memory, graphics processors. Nothing heavy is imported."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

CGROUP = Path("/sys/fs/cgroup")
QUERY = ("--query-gpu=index,uuid,name,memory.total,memory.free", "--format=csv,noheader,nounits")


@dataclass(frozen=True)
class Gpu:
    """An NVIDIA device; memory in bytes."""

    name: str
    total: int
    free: int


def installed(packages: Iterable[str]) -> dict[str, str]:
    """Return the versions of those of these packages that are installed."""
    from importlib.metadata import PackageNotFoundError, version

    found = {}
    for name in packages:
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found


def usable_cores() -> int:
    """Cores this process may run on."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    quota, _, period = _read(CGROUP / "cpu.max").partition(" ")
    if quota.isdigit() and period.strip().isdigit():
        cores = min(cores, -(-int(quota) // int(period)))
    return max(1, cores)


def available_memory() -> int:
    """Return bytes that can still be used, 0 where unknown."""
    fields = dict(line.split(":", 1) for line in _read(Path("/proc/meminfo")).splitlines() if ":" in line)
    available = int(fields.get("MemAvailable", "0 kB").split()[0]) * 1024
    limit, used = _read(CGROUP / "memory.max").strip(), _read(CGROUP / "memory.current").strip()
    if limit.isdigit() and used.isdigit():
        statistics = dict(line.split() for line in _read(CGROUP / "memory.stat").splitlines())
        reclaimable = int(statistics.get("inactive_file", 0))  # pages of files read before: given back when needed
        available = min(available, max(0, int(limit) - int(used) + reclaimable))
    return available


def gpus() -> tuple[Gpu, ...]:
    """Return the NVIDIA devices that CUDA_VISIBLE_DEVICES leaves, as the driver's own `nvidia-smi` lists them."""
    tool = shutil.which("nvidia-smi")
    if tool is None:
        return ()
    try:
        done = subprocess.run([tool, *QUERY], capture_output=True, text=True, timeout=20, check=True)
    except (OSError, subprocess.SubprocessError):
        return ()
    listed = [[field.strip() for field in line.split(",")] for line in done.stdout.splitlines()]
    found = {}
    for index, uuid, name, total, free in (row for row in listed if len(row) == 5):
        if total.isdigit() and free.isdigit():
            found[index] = found[uuid] = Gpu(name, int(total) * 2**20, int(free) * 2**20)
    visible = os.environ.get("CUDA_VISIBLE_DEVICES")
    chosen = [row[0] for row in listed] if visible is None else [part.strip() for part in visible.split(",")]
    return tuple(found[one] for one in chosen if one in found)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError:
        return ""
