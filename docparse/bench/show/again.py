"""The command that measures a report again."""

from __future__ import annotations

import shlex
from dataclasses import MISSING, fields

from docparse.bench.report import Report
from docparse.bench.request import BenchRequest


def command(report: Report) -> str:
    """`docparse bench` with every option that is not at its default."""
    parts = ["docparse", "bench"]
    for field in fields(BenchRequest):
        value = report.settings.get(field.name, MISSING)
        if value is MISSING or value is None or value == field.default:
            continue
        parts.append(f"--{field.name.replace('_', '-')}")
        if value is not True:
            parts.append(str(value))
    return shlex.join(parts)
