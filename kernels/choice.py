"""Which implementation of an operation the user wants: DOCPARSE_KERNELS is auto, triton or reference."""

from __future__ import annotations

import os

VARIABLE = "DOCPARSE_KERNELS"
CHOICES = ("auto", "triton", "reference")


def triton_runs(device: str, installed: bool) -> bool:
    """Whether work on a device (`cpu`, `cuda:0`) goes to Triton: on CUDA where it is `installed`, or as is forced.

    Raises `ValueError` for an unknown choice, and where Triton is forced and cannot be had. (Under TRITON_INTERPRET=1
    it takes tensors of the CPU.)
    """
    choice, cuda = os.environ.get(VARIABLE) or "auto", device.startswith("cuda")
    if choice not in CHOICES:
        raise ValueError(f"{VARIABLE}={choice} is not one of {', '.join(CHOICES)}")
    if choice != "triton":
        return choice == "auto" and cuda and installed
    if not installed:
        raise ValueError(f"{VARIABLE}=triton needs the package triton: install it, or unset the variable")
    if not cuda and os.environ.get("TRITON_INTERPRET") != "1":
        raise ValueError(f"{VARIABLE}=triton needs a CUDA device, not {device}: unset it or choose `reference`")
    return True
