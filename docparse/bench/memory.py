"""How much memory something took beyond what was in use before it: of the device, else of this process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import torch

SELF = Path("/proc/self")
RESET_PEAK = "5"  # to clear_refs: the resident size so far is forgotten as a peak (proc_pid_clear_refs(5))


@dataclass
class Growth:
    """`bytes` between what was in use at the beginning and the peak, 0 where the system does not tell."""

    bytes: int = 0


@contextmanager
def memory_growth(device: torch.device) -> Iterator[Growth]:
    """Measures what runs inside; the number is there afterwards."""
    growth = Growth()
    if device.type == "cuda":
        torch.cuda.reset_peak_memory_stats(device)
        before = torch.cuda.memory_allocated(device)
        yield growth
        growth.bytes = torch.cuda.max_memory_allocated(device) - before
        return
    before = _reset()
    yield growth
    growth.bytes = max(0, _resident("VmHWM") - before) if before else 0


def _reset() -> int:
    """Forget the peak so far; the bytes in use now, 0 where that is not possible."""
    try:
        (SELF / "clear_refs").write_text(RESET_PEAK)
    except OSError:
        return 0
    return _resident("VmRSS")


def _resident(field: str) -> int:
    lines = (SELF / "status").read_text(encoding="utf-8").splitlines()
    values = (line.split()[1] for line in lines if line.startswith(f"{field}:"))
    return int(next(values, 0)) * 1024
