"""The device a model runs on, as torch sees it: what was asked for, or an error; never another one."""

from __future__ import annotations

import torch

from docparse.machine import available_memory
from docparse.weights.memory import Device, check_present


def find_device(name: str = "auto") -> Device:
    """`auto` is the first CUDA device, else the CPU. Raises `EnvironmentProblem` for a device that is not here."""
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    kind = name.partition(":")[0]
    if kind == "cpu":
        return Device(name, "memory", available_memory())
    check_present(name, _count(kind))
    if kind == "cuda":
        torch.cuda.set_device(name)  # kernels and graphs run on the current device
        return Device(name, torch.cuda.get_device_name(name), torch.cuda.mem_get_info(name)[0])
    return Device(name, f"{kind} device", available_memory() if kind == "mps" else 0)


def responds(device: torch.device) -> bool:
    """Return whether this process can still use the device: after an illegal access every call fails, and as libraries
    have many words for that, the device is asked."""
    if device.type == "cpu":
        return True
    try:
        torch.accelerator.synchronize(device)
    except RuntimeError:
        return False
    return True


def _count(kind: str) -> int:
    if kind == "mps":
        return int(torch.backends.mps.is_available())
    module = getattr(torch, kind, None)
    return module.device_count() if module is not None and module.is_available() else 0
