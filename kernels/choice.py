"""Which implementation of an operation the user wants: DOCPARSE_KERNELS is auto, triton or reference."""

from __future__ import annotations

import os

VARIABLE = "DOCPARSE_KERNELS"
CHOICES = ("auto", "triton", "reference")


def chosen() -> str:
    """What the environment variable says, `auto` where it is not set; `ValueError` where it is none of `CHOICES`."""
    choice = os.environ.get(VARIABLE) or "auto"
    if choice not in CHOICES:
        raise ValueError(f"{VARIABLE}={choice} is not one of {', '.join(CHOICES)}")
    return choice
