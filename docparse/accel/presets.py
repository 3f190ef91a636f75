"""Stacks with names, from no acceleration to all of it. What each costs and gains is in docs/benchmarks/methods.md."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

# A preset is another spelling of its stack and stands alone: who wants to change something writes the stack.
PRESETS: Mapping[str, str] = MappingProxyType(
    {
        "none": "none",
        "lossless": "hsd",
        "balanced": "fastocr(focal=0.34,rank=peak)+hsd(tau=0.75)",
        "fast": "rtprune+fastocr(focal=0.34,rank=peak)+hsd(tau=0.75)",
    }
)
