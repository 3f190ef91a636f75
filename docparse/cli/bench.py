"""`docparse bench`: methods beside plain decoding on the same pages, as a table and as files. Where these go is checked
before hours of measuring, and they are written so that nothing measured is lost."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Mapping
from contextlib import nullcontext
from dataclasses import asdict, fields
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from docparse.bench.compare import beside, comparable
from docparse.bench.data.sources import pages_from
from docparse.bench.options import ReportOptions
from docparse.bench.report import INTERRUPTED, Report, encoded, older
from docparse.bench.request import BenchRequest
from docparse.bench.show.remarks import unfinished
from docparse.bench.show.terminal import show, show_table
from docparse.cli import quiet_pipe
from docparse.cli.progress import Console
from docparse.errors import ExitCode, InputError, OutputError, UsageError
from docparse.run.files import replacing
from docparse.settings import as_option

if TYPE_CHECKING:
    from rich.console import Console as Screen

MIN_CALIBRATION_PAGES = 10  # fewer show nothing that should be kept
WIDTH = 160  # characters, where the output is no terminal
STDOUT = "-"
PART = ".part"  # after the name of a file that is not whole yet, and of the report of a run that is not over
SAVE_SECONDS = 10.0  # seconds between two reports of a run that is not over
SAVE_FACTOR = 20  # times as long as it took to write the last one, at least


def measure_and_tell(typed: Mapping[str, Any], *, quiet: bool) -> ExitCode:
    """Run the bench as it was `typed`.

    Return `PARTIAL` where a method failed on a page, or a lossless one did not write what plain decoding wrote, or
    became worse than the older report allows, or not all was measured or written; `NOTHING` where there was no page to
    measure on; `INTERRUPTED`, with what was measured by then in all outputs.
    """
    written = {field.name for field in fields(ReportOptions)}
    request = BenchRequest(**{name: value for name, value in typed.items() if name not in written})
    outputs = Outputs(**{name: value for name, value in typed.items() if name in written})
    outputs.check()
    if request.throughput and outputs.export:
        raise UsageError("--throughput measures nothing else: leave out --export")
    console = Console(quiet=quiet, verbose=0)
    if outputs.report:
        return _again(request, outputs, console)
    if request.calibrate:
        return _calibrate(request, outputs, console)
    old = outputs.older(request.settings, request.stacks)
    request.check_models()
    try:
        pages = pages_from(request.data, request.max_pages, request.seed)
    except InputError as error:
        console.error(str(error))
        return ExitCode.NOTHING
    from docparse.bench.data.export import Exporter
    from docparse.bench.run import run

    exporter = Exporter(Path(outputs.export), by_model=len(request.models) > 1) if outputs.export else None
    saved = Saved(Path(outputs.json), console.error) if outputs.json not in ("", STDOUT) else None
    try:
        how = {name: each for name, each in (("keep", exporter), ("save", saved)) if each}
        report = run(request, pages, console.say, **how)
    except KeyboardInterrupt:  # here: typer would end in silence
        console.error("interrupted before every method had read a page: there is nothing to report")
        return ExitCode.INTERRUPTED
    code = _told(report, old, outputs, console)
    if exporter and exporter.error:
        console.error(exporter.error)
        return code or ExitCode.PARTIAL
    return code


def _calibrate(request: BenchRequest, outputs: Outputs, console: Console) -> ExitCode:
    """Measure what presets should be, and keep it: the one file that a bench writes without being told where."""
    if outputs != Outputs():
        raise UsageError("--calibrate writes no report: leave out --json, --html, --markdown, --export and --compare")
    request.check_models()
    from docparse.bench.calibration import calibration, lines
    from docparse.vlm.calibrated import store

    try:
        found = calibration(request, pages_from(request.data, request.max_pages, request.seed), console.say)
    except InputError as error:
        console.error(str(error))
        return ExitCode.NOTHING
    except KeyboardInterrupt:
        console.error("interrupted: nothing was kept")
        return ExitCode.INTERRUPTED
    enough = found.pages >= MIN_CALIBRATION_PAGES
    few = f"not kept: presets need {MIN_CALIBRATION_PAGES} pages at least, and {found.pages} were measured"
    for line in [*lines(found), f"kept in {store(found)}; delete it to undo" if enough else few]:
        _screen(stderr=False).print(line, soft_wrap=True, markup=False)
    return ExitCode.OK


def _again(request: BenchRequest, outputs: Outputs, console: Console) -> ExitCode:
    """A report of an older run; what is asked for besides would need a run."""
    plain = asdict(BenchRequest())
    for name, value in asdict(request).items():
        if value != plain[name]:
            raise UsageError(f"--report runs nothing: leave out {as_option(name)}")
    report = older(Path(outputs.report), "--report")
    return _told(report, outputs.older(report.settings, report.methods), outputs, console)


def _told(report: Report, old: Report | None, outputs: Outputs, console: Console) -> ExitCode:
    screen = _screen(stderr=STDOUT in (outputs.json, outputs.markdown))
    show(report, screen)  # first: a file that cannot be written loses no table
    problems = [unfinished(report.unfinished)] if report.unfinished else []
    problems += [f"{each.page}: {each.model} with {each.method} failed: {each.error}" for each in report.failures]
    problems += [f"not identical to plain decoding: {page}" for page in report.broken]
    if old and not report.unfinished:
        compared = beside(old, report, outputs.fail_below)
        show_table(compared, screen)
        said = f"{{}} with {{}}: {{}} was {{}} and is {{}}, a ratio of {{}}, below {outputs.fail_below:g}"
        problems += [said.format(line.name, *line.cells) for line in compared.lines if line.bad]
    outputs.write(report)
    for problem in problems:
        console.error(problem)
    if report.unfinished and report.unfinished.why == INTERRUPTED and not outputs.report:
        return ExitCode.INTERRUPTED
    if not (report.rows or report.throughput):
        return ExitCode.NOTHING
    return ExitCode.PARTIAL if problems else ExitCode.OK


def _screen(*, stderr: bool) -> Screen:
    """Return where tables go: stdout, unless a file's text goes there. Nobody need read them: all else is written."""
    from rich.console import Console as Screen

    there = (sys.stderr if stderr else sys.stdout).isatty()
    screen = Screen(stderr=stderr, width=None if there else WIDTH, highlight=False)
    screen.on_broken_pipe = quiet_pipe  # type: ignore[method-assign]  # rich would end the process
    return screen


class Outputs(ReportOptions):
    """The files that the report goes to, checked before hours of measuring; "": none."""

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
