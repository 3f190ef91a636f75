"""`docparse bench`: methods beside plain decoding on the same pages, as a table and as files."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

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
    """Where the report goes besides the terminal, the folder `export` for what the methods wrote ("": nowhere), the
    older report that it is compared with, and the one that is shown in place of a run."""

    report: str = ""
    json: str = ""
    html: str = ""
    markdown: str = ""
    export: str = ""
    compare: str = ""
    fail_below: float = 0.0

    def check(self) -> None:
        """Before hours of measuring, not after. Raises `UsageError`, `EnvironmentProblem`."""
        if self.report and (self.json or self.export):
            raise UsageError("--report runs nothing: leave out --json and --export")
        if self.json == self.markdown == "-":
            raise UsageError("--json - and --markdown -: stdout takes one of them")
        for option, target in (("--json", self.json), ("--html", self.html), ("--markdown", self.markdown)):
            if target not in ("", "-"):
                _check_target(option, Path(target))
        if self.html == "-":
            raise UsageError("--html -: name a file")
        if self.html:
            from docparse.bench.report_html.write import check_html

            check_html()
        if self.export:
            _check_folder(Path(self.export))
        if self.fail_below and not self.compare:
            raise UsageError("--fail-below: say with --compare which older report to compare with")

    def older(self, settings: dict[str, Any], methods: dict[str, str]) -> Report | None:
        """The report to compare with. Raises `UsageError` where it measured something else than these."""
        if not self.compare:
            return None
        path = Path(self.compare)
        old = comparing.older(path)
        comparing.check_comparable(path, old, settings, methods)
        return old


def carry_out(values: Mapping[str, Any], outputs: Outputs, *, quiet: bool) -> ExitCode:
    """Run the bench. `PARTIAL` where a method failed on a page, or a lossless one did not write what plain decoding
    wrote, or became slower than the older report allows; `NOTHING` where there was no page to measure on."""
    request = Request(**values)
    outputs.check()
    if request.aal is not None:
        return _predict(request, request.aal, outputs)
    if outputs.report:
        return _again(request, outputs, Console(quiet=quiet, verbose=0))
    old = outputs.older(request.settings, {name: str(stack) for name, stack in request.stacks.items()})
    request.check_models()
    console = Console(quiet=quiet, verbose=0)
    try:
        from docparse.bench.run import run

        folder = Path(outputs.export) if outputs.export else None
        report = run(request, console.say, watch=bool(outputs.html), folder=folder)
    except InputError as error:
        console.error(str(error))
        return ExitCode.NOTHING
    except KeyboardInterrupt:  # here: typer would end in silence
        console.error("interrupted: no report was written, and a bench cannot be resumed")
        return ExitCode.INTERRUPTED
    return _told(report, old, outputs, console)


def _again(request: Request, outputs: Outputs, console: Console) -> ExitCode:
    """A report of an older run, with predictions if they are asked for; what else is asked for would need a run."""
    plain = asdict(Request())
    for name, value in asdict(request).items():
        if value != plain[name] and name != "predict":
            raise UsageError(f"--report runs nothing: leave out --{name.replace('_', '-')}")
    report = comparing.older(Path(outputs.report), "--report")
    old = outputs.older(report.settings, report.methods)
    if request.predict:
        from docparse.bench.predictions import with_predictions

        report = with_predictions(report, request.predict)
    return _told(report, old, outputs, console)


def _told(report: Report, old: Report | None, outputs: Outputs, console: Console) -> ExitCode:
    """On the terminal, in files, and by the exit code."""
    screen = _screen(stderr="-" in (outputs.json, outputs.markdown))
    _show(report, screen)  # first: a file that cannot be written loses no table
    if outputs.json:
        _write(encoded(report), outputs.json)
    if outputs.markdown:
        from docparse.bench.markdown import markdown

        _write(markdown(report).encode(), outputs.markdown)
    if outputs.html:
        from docparse.bench.report_html.write import write_html

        write_html(report, Path(outputs.html))
    worse = _compared(report, old, outputs.fail_below, screen) if old else []
    problems = [*_problems(report), *worse]
    for problem in problems:
        console.error(problem)
    if not report.rows:
        return ExitCode.NOTHING
    return ExitCode.PARTIAL if problems else ExitCode.OK


def _problems(report: Report) -> list[str]:
    failed = [f"{each.page}: {each.model} with {each.method} failed: {each.error}" for each in report.failures]
    return failed + [f"not identical to plain decoding: {page}" for page in report.broken]


def _compared(report: Report, old: Report, threshold: float, screen: Screen) -> list[str]:
    """Print the comparison; what fell below the threshold."""
    found = comparing.changes(old, report)
    screen.print(comparing.as_table(found, threshold))
    return [
        f"{change.model} with {change.method}: {change.metric} was {change.before:.3f} and is {change.now:.3f}, "
        f"a ratio of {change.ratio:.3f}, below {threshold:g}"
        for change in found
        if change.ratio < threshold
    ]


def _show(report: Report, screen: Screen) -> None:
    show(report, screen)
    if report.predictions:
        from docparse.bench.hardware import CHARACTERS
        from docparse.bench.predict_table import show_predictions

        show_predictions(report.predictions, screen)
        if any(model.token_per_character for model in report.models):
            screen.print(
                f"AAL is in tokens of {CHARACTERS.value:g} characters: as measured, over {CHARACTERS.value:g}."
            )


def _predict(request: Request, aal: float, outputs: Outputs) -> ExitCode:
    """From an acceptance alone; with how far that is off where something was published."""
    if outputs != Outputs(json=outputs.json):
        raise UsageError("--aal runs nothing: leave out --html, --markdown, --report, --export and --compare")
    from docparse.bench.predict import Workload, devices_of, predict
    from docparse.bench.predict_table import show_predictions

    predictions = predict({request.method: Workload(aal)}, devices_of(request.predict))
    if outputs.json:
        _write(msgspec.json.format(msgspec.json.encode({"predictions": predictions})) + b"\n", outputs.json)
    show_predictions(predictions, _screen(stderr=outputs.json == "-"), published=True)
    return ExitCode.OK


def _write(data: bytes, target: str) -> None:
    """To a file, or `-`: stdout. Raises `OutputError`."""
    if target == "-":
        sys.stdout.buffer.write(data)
        return
    try:
        Path(target).write_bytes(data)
    except OSError as error:
        raise OutputError(f"{target}: cannot write: {error.strerror or error}") from None


def _check_target(option: str, path: Path) -> None:
    folder = path.absolute().parent
    if path.is_dir() or not os.access(path if path.exists() else folder, os.W_OK):
        raise UsageError(
            f"{option} {path}: {'is a folder' if path.is_dir() else f'{folder} is no folder to write into'}"
        )


def _check_folder(path: Path) -> None:
    """It is made at once: whether that is possible shows nothing but trying (permissions do not, in /proc)."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"--export {path}: no folder to write into: {error.strerror or error}") from None
    if not os.access(path, os.W_OK):
        raise UsageError(f"--export {path}: is no folder to write into")


def _screen(*, stderr: bool) -> Screen:
    """Where tables go: stdout, unless a file's text goes there."""
    from rich.console import Console as Screen

    there = (sys.stderr if stderr else sys.stdout).isatty()
    return Screen(stderr=stderr, width=None if there else WIDTH, highlight=False)
