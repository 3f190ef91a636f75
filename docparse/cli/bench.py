"""`docparse bench`: methods beside plain decoding on the same pages, as a table and as files."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docparse.bench import compare as comparing
from docparse.bench.report import Report, encoded
from docparse.bench.request import Request
from docparse.bench.table import show
from docparse.cli.progress import Console
from docparse.errors import ExitCode, InputError, OutputError, UsageError

if TYPE_CHECKING:
    from rich.console import Console as Screen

WIDTH = 160  # characters, where the output is no terminal


@dataclass(frozen=True, kw_only=True)
class Outputs:
    """Where the report goes besides the terminal ("": nowhere), and what it is compared with."""

    json: str = ""
    compare: str = ""
    fail_below: float = 0.0

    def check(self) -> None:
        """Before hours of measuring, not after. Raises `UsageError`."""
        if self.json not in ("", "-"):
            _check_target("--json", Path(self.json))
        if self.fail_below and not self.compare:
            raise UsageError("--fail-below: say with --compare which older report to compare with")


def carry_out(values: Mapping[str, Any], outputs: Outputs, *, quiet: bool) -> ExitCode:
    """Run the bench. `PARTIAL` where a method failed on a page, or a lossless one did not write what plain decoding
    wrote, or became slower than the older report allows; `NOTHING` where there was no page to measure on."""
    request = Request(**values)
    outputs.check()
    old = comparing.older(Path(outputs.compare)) if outputs.compare else None
    if old is not None:
        spelled = {name: str(stack) for name, stack in request.stacks.items()}
        settings = asdict(request) | {"drafts": request.drafted}
        comparing.check_comparable(Path(outputs.compare), old, settings, spelled)
    request.check_models()
    from docparse.bench.run import run

    console = Console(quiet=quiet, verbose=0)
    try:
        report = run(request, console.say)
    except InputError as error:
        console.error(str(error))
        return ExitCode.NOTHING
    return _told(report, old, outputs, console)


def _told(report: Report, old: Report | None, outputs: Outputs, console: Console) -> ExitCode:
    """Write and show the report; what the run comes to."""
    _write(report, outputs)
    screen = _screen(stderr=outputs.json == "-")
    show(report, screen)
    for failure in report.failures:
        console.error(f"{failure.page}: {failure.model} with {failure.method} failed: {failure.error}")
    for page in report.broken:
        console.error(f"not identical to plain decoding: {page}")
    worse = []
    if old is not None:
        found = comparing.changes(old, report)
        screen.print(comparing.as_table(found, outputs.fail_below))
        worse = [change for change in found if change.ratio < outputs.fail_below]
    for change in worse:
        console.error(f"{change.model} with {change.method}: {change.metric} is {change.ratio:.2f} of what it was")
    if not report.rows:
        return ExitCode.NOTHING
    return ExitCode.PARTIAL if report.failures or report.broken or worse else ExitCode.OK


def _write(report: Report, outputs: Outputs) -> None:
    if outputs.json == "-":
        sys.stdout.buffer.write(encoded(report))
    elif outputs.json:
        _save(Path(outputs.json), encoded(report))


def _save(path: Path, data: bytes) -> None:
    try:
        path.write_bytes(data)
    except OSError as error:
        raise OutputError(f"{path}: cannot write: {error.strerror or error}") from None


def _check_target(option: str, path: Path) -> None:
    folder = path.absolute().parent
    if path.is_dir() or not os.access(folder, os.W_OK):
        raise UsageError(
            f"{option} {path}: {'is a folder' if path.is_dir() else f'{folder} is no folder to write into'}"
        )


def _screen(*, stderr: bool) -> Screen:
    """Where tables go: stdout, unless JSON goes there."""
    from rich.console import Console as Screen

    there = (sys.stderr if stderr else sys.stdout).isatty()
    return Screen(stderr=stderr, width=None if there else WIDTH, highlight=False)
