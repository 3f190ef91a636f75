"""A bench run as JSON: every row, what they come to, and everything needed to run it again."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import msgspec

from docparse.bench.rows import Row, Summary, summarise

SCHEMA = "docparse-bench-1"
PACKAGES = ("docparse", "torch", "transformers", "triton", "pypdfium2", "onnxruntime")


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """One run. `random_weights` says that it shows speed and nothing else."""

    schema: str = SCHEMA
    model: str
    revision: str
    random_weights: bool
    machine: dict[str, str]
    versions: dict[str, str]
    settings: dict[str, Any]
    summary: tuple[Summary, ...]
    rows: tuple[Row, ...]

    def broken(self, lossless: frozenset[str]) -> list[str]:
        """Pages on which a method that is called lossless did not write what plain decoding wrote."""
        rows = [row for row in self.rows if row.method in lossless and not row.identical]
        return list(dict.fromkeys(f"{row.page} ({row.method})" for row in rows))


def report(rows: Sequence[Row], settings: Mapping[str, Any], **about: Any) -> Report:
    """The rows with their summaries and this machine."""
    return Report(
        machine=_machine(),
        versions=_versions(),
        settings=dict(settings),
        summary=tuple(summarise(rows)),
        rows=tuple(rows),
        **about,
    )


def _machine() -> dict[str, str]:
    import torch

    facts = {"system": platform.platform(), "processor": platform.machine(), "cores": str(os.cpu_count())}
    facts["threads"] = str(torch.get_num_threads())
    if torch.cuda.is_available():
        facts["gpu"] = torch.cuda.get_device_name()
    return facts


def _versions() -> dict[str, str]:
    found = {"python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
