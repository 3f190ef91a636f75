"""`docparse bench`: methods beside plain decoding on the same pages, as a table and as JSON."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from docparse.bench.report import Report
from docparse.bench.request import Request
from docparse.bench.table import as_table
from docparse.cli.progress import Console
from docparse.errors import ExitCode, InputError, OutputError, UsageError


def carry_out(values: Mapping[str, Any], *, json: str, quiet: bool) -> ExitCode:
    """Run the bench; `PARTIAL` where a lossless method did not write what plain decoding wrote, `NOTHING` where there
    was no page to measure on."""
    request = Request(**values)
    request.check_model()
    if json not in ("", "-"):
        _check_target(Path(json))
    from docparse.bench.run import run

    console = Console(quiet=quiet, verbose=0)
    try:
        outcome = run(request, console.say)
    except InputError as error:
        console.error(str(error))
        return ExitCode.NOTHING
    _show(outcome.report, outcome.lossless, json)
    broken = outcome.report.broken(outcome.lossless)
    for page in broken:
        console.error(f"not identical to plain decoding: {page}")
    return ExitCode.PARTIAL if broken else ExitCode.OK


def _check_target(path: Path) -> None:
    """Before hours of measuring, not after. Raises `UsageError`."""
    folder = path.absolute().parent
    if path.is_dir() or not os.access(folder, os.W_OK):
        raise UsageError(f"--json {path}: {'is a folder' if path.is_dir() else f'{folder} is no folder to write into'}")


def _show(report: Report, lossless: frozenset[str], json: str) -> None:
    """The table on stdout, unless JSON goes there."""
    from rich.console import Console as Screen

    encoded = msgspec.json.format(msgspec.json.encode(report)) + b"\n"
    if json == "-":
        sys.stdout.buffer.write(encoded)
        return
    if json:
        try:
            Path(json).write_bytes(encoded)
        except OSError as error:
            raise OutputError(f"{json}: cannot write: {error.strerror or error}") from None
    screen = Screen(width=None if sys.stdout.isatty() else 160, highlight=False)
    mark = " (random weights)" * report.random_weights
    for category in dict.fromkeys(summary.category for summary in report.summary):
        chosen = [summary for summary in report.summary if summary.category == category]
        screen.print(as_table(chosen, f"{report.model}, {category}, pages: {chosen[0].pages}", lossless, mark))
