"""The implementation of the kernels that the user wants, checked before anything is loaded."""

from __future__ import annotations

from importlib.util import find_spec

from docparse.errors import UsageError
from docparse.kernels.choice import triton_runs


def check_kernels(device: str) -> None:
    """Raise `UsageError` where DOCPARSE_KERNELS is no choice, or cannot be had on this device (`cpu`, `cuda:1`)."""
    try:
        triton_runs(device, find_spec("triton") is not None)
    except ValueError as error:
        raise UsageError(str(error)) from None
