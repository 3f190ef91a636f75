"""Where the report of a bench goes: checked before hours of measuring, and written so that nothing measured is lost."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Mapping
from contextlib import nullcontext
from pathlib import Path
from time import monotonic
from typing import Any

from docparse.bench.compare import comparable
from docparse.bench.options import ReportOptions
from docparse.bench.report import Report, encoded
from docparse.cli import quiet_pipe
from docparse.errors import OutputError, UsageError
from docparse.run.files import replacing

STDOUT = "-"
PART = ".part"  # after the name of a file that is not whole yet, and of the report of a run that is not over
SAVE_SECONDS = 10.0  # seconds between two reports of a run that is not over
SAVE_FACTOR = 20  # times as long as it took to write the last one, at least


class Outputs(ReportOptions):
    """Where the report goes, checked before hours of measuring; "": nowhere."""

    def check(self) -> None:
        """Before hours of measuring, not after. Raises `UsageError`, `EnvironmentProblem`."""
        if self.report and (self.json or self.export):
            raise UsageError("--report runs nothing: leave out --json and --export")
        if self.json == self.markdown == STDOUT:
            raise UsageError("--json - and --markdown -: stdout takes one of them")
        for option, target in (("--json", self.json), ("--html", self.html), ("--markdown", self.markdown)):
            if target not in ("", STDOUT):
                _check_target(option, Path(target))
        if self.html == STDOUT:
            raise UsageError("--html -: name a file")
        if self.export:
            _check_folder(Path(self.export))
        if self.fail_below and not self.compare:
            raise UsageError("--fail-below needs --compare OLD.json")

    def older(self, settings: Mapping[str, Any], methods: Collection[str]) -> Report | None:
        """Return the report to compare with, if one is. Raises `UsageError` where it measured something else."""
        return comparable(Path(self.compare), settings, methods) if self.compare else None

    def write(self, report: Report) -> None:
        """Write all files, the JSON first: it is the one that the others can be made of. Raises `OutputError`."""
        if self.json:
            write(encoded(report), self.json)
        if self.markdown:
            from docparse.bench.show.markdown import markdown

            write(markdown(report).encode(), self.markdown)
        if self.html:
            from docparse.bench.show.html.write import render

            write(render(report).encode(), self.html)


class Saved:
    """The report of a run that is not over, beside the file it will become: what is left of a run that is killed. It is
    written now and then. If that fails, `say` is told once, and it is not tried again."""

    def __init__(self, target: Path, say: Callable[[str], None]) -> None:
        self.path = target.with_name(target.name + PART)
        self.say = say
        self._due = 0.0 if _is_file(target) else float("inf")

    def __call__(self, report: Callable[[], Report]) -> None:
        began = monotonic()
        if began < self._due:
            return
        try:
            write(encoded(report()), str(self.path))
        except OutputError as error:
            self.say(f"{error}: results are saved at the end only")
            self._due = float("inf")
        else:
            self._due = monotonic() + max(SAVE_SECONDS, SAVE_FACTOR * (monotonic() - began))


def write(data: bytes, target: str) -> None:
    """Write to a file, which is whole or what it was, to a pipe or a device, or `-`: stdout. Raises `OutputError`."""
    if target == STDOUT:
        try:
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
        except BrokenPipeError:
            quiet_pipe()  # whoever reads it has had enough; the other files are written
        return
    end = Path(target).resolve()
    part = end.with_name(end.name + PART) if _is_file(end) else end
    try:
        with replacing(end, part) if part != end else nullcontext():
            part.write_bytes(data)
    except OSError as error:
        raise OutputError(f"{target}: cannot write: {error.strerror or error}") from None


def _is_file(path: Path) -> bool:
    return (path.is_file() or not path.exists()) and os.access(path.absolute().parent, os.W_OK)


def _check_target(option: str, path: Path) -> None:
    folder = path.absolute().parent
    if path.is_dir() or not os.access(path if path.exists() else folder, os.W_OK):
        raise UsageError(
            f"{option} {path}: {'is a folder' if path.is_dir() else f'{folder} is not a folder that can be written to'}"
        )


def _check_folder(path: Path) -> None:
    """It is made at once: whether that is possible shows nothing but trying (permissions do not, in /proc)."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"--export {path}: not a folder that can be written to: {error.strerror or error}") from None
    if not os.access(path, os.W_OK):
        raise UsageError(f"--export {path}: is not a folder that can be written to")
