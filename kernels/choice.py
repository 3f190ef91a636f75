"""Which implementation of an operation runs: Triton's on a CUDA device, torch's elsewhere, or what the user forces."""

from __future__ import annotations

import importlib.util
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor

VARIABLE = "DOCPARSE_KERNELS"
CHOICES = ("auto", "triton", "reference")


def chosen() -> str:
    """What the environment variable DOCPARSE_KERNELS says; `ValueError` where it is none of `CHOICES`."""
    choice = os.environ.get(VARIABLE) or "auto"
    if choice not in CHOICES:
        raise ValueError(f"{VARIABLE}={choice} is not one of {', '.join(CHOICES)}")
    return choice


def use_triton(tensor: Tensor) -> bool:
    """Whether work on this tensor goes to Triton.

    `auto` takes Triton for tensors of a CUDA device if it is installed. Raises `ValueError` for an unknown choice, and
    where `triton` is forced and cannot be had: not installed, or not a CUDA device. (Under TRITON_INTERPRET=1 tensors
    of the CPU are accepted.)
    """
    choice = chosen()
    if choice == "reference" or (choice == "auto" and not tensor.is_cuda):
        return False
    installed = importlib.util.find_spec("triton") is not None
    if choice == "auto":
        return installed
    if not installed:
        raise ValueError(f"{VARIABLE}=triton needs the package triton: install it, or unset the variable")
    if not tensor.is_cuda and os.environ.get("TRITON_INTERPRET") != "1":
        raise ValueError(f"{VARIABLE}=triton needs a CUDA device, not {tensor.device}: unset it or choose `reference`")
    return True
