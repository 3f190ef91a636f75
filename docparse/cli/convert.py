"""`docparse convert`: flags to settings, the run, and what is printed about it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer

from docparse.cli.options import Quiet, no_option, verbosity, with_options
from docparse.errors import UsageError
from docparse.settings import RUN, Settings, load_settings

if TYPE_CHECKING:
    from docparse.cli.progress import Console
    from docparse.run.result import DocumentResult, RunSummary


@with_options(Settings)
def convert(
    inputs: Annotated[
        list[str],
        typer.Argument(
            metavar="INPUT",
            help="PDFs, images, folders, globs, @list.txt, @- (a list on stdin), - (one document on stdin).",
        ),
    ],
    out: Annotated[
        str | None,
        typer.Option(
            "-o", "--out", metavar="OUT", help="A folder, a file, or - for stdout (the default).", callback=no_option
        ),
    ] = None,
    *,
    resume: Annotated[bool, typer.Option("--resume", help="Continue an interrupted run.", rich_help_panel=RUN)] = False,
    config: Annotated[
        str | None,
        typer.Option(
            "--config",
            metavar="FILE",
            help="TOML file of settings (default: docparse.toml, if there).",
            callback=no_option,
        ),
    ] = None,
    quiet: Quiet = False,
    verbose: Annotated[int, verbosity("More detail; -vv: with tracebacks.")] = 0,
    json: Annotated[bool, typer.Option("--json", help="A summary of the run on stdout, as JSON.")] = False,
    **typed: Any,
) -> int:
    """Convert documents to Markdown, HTML or JSON."""
    from docparse.cli.progress import Console, Terminal, print_json
    from docparse.run.convert import convert as convert_documents
    from docparse.run.outputs import has_format

    flags = {name: value for name, value in typed.items() if value is not None}
    settings = load_settings(flags, file=Path(config) if config else None)
    if out and "format" not in flags and has_format(out):
        settings = msgspec.structs.replace(settings, format="")  # that of a file of settings is for folders
    if not flags.get("pages", "1").strip():
        raise UsageError("--pages is empty: write something like 1-3,7,-1, or leave it out for all pages")
    to_stdout = out in (None, "-")
    if json and to_stdout:
        raise UsageError("--json and the document cannot both go to stdout: use -o FOLDER or -o FILE")
    if to_stdout and resume:
        raise UsageError("--resume needs pages of an earlier run, and stdout keeps none: use -o FOLDER or -o FILE")
    if to_stdout and flags.get("images") == "ref":
        raise UsageError("--images ref needs a place for the pictures: use -o FOLDER, or --images embed")
    console = Console(quiet=quiet, verbose=verbose)
    with Terminal.observer(console, to_stdout=to_stdout) as observer:
        summary = convert_documents(inputs, out, settings, resume=resume, observer=observer, show_stderr=verbose > 1)
    if json:
        print_json(msgspec.to_builtins(summary) | {"exit_code": int(summary.exit_code)})
    conclude(summary, console, resumable=not to_stdout)
    return int(summary.exit_code)


def conclude(summary: RunSummary, console: Console, *, resumable: bool) -> None:
    """The last lines: what ended the run early, and the counts where there were several documents."""
    if summary.error:
        console.error(summary.error)
    documents = summary.documents
    if summary.interrupted:
        kept = "; finished pages are kept: run again with --resume" if resumable else ""
        console.error(f"interrupted, {counts(documents)}{kept}" if documents else "interrupted")
        return
    if not documents and not summary.error:
        passed = f" ({skipped(summary.skipped, console)})" if summary.skipped else ""
        console.error(f"no PDF or image among the inputs{passed}: name a file or a folder that holds some")
    if len(documents) > 1:
        console.say(counts(documents))
    if documents and summary.skipped:
        console.say(skipped(summary.skipped, console))


def counts(documents: list[DocumentResult]) -> str:
    """`3 converted (2 by an earlier run), 1 failed`, and `2 of 16 converted` where some were not come to."""
    number = Counter(item.status for item in documents)
    earlier = Counter(item.status for item in documents if item.resumed)
    text = f"{number['ok']} of {len(documents)} converted" if number["unfinished"] else f"{number['ok']} converted"
    parts = [(text, earlier["ok"])]
    parts += [(f"{number[status]} {status}", earlier[status]) for status in ("partial", "failed") if number[status]]
    return ", ".join(part + (f" ({before} by an earlier run)" if before else "") for part, before in parts)


def skipped(count: int, console: Console) -> str:
    text = "1 file skipped: not a document" if count == 1 else f"{count} files skipped: not documents"
    return text if console.verbose else f"{text} (-v lists {'it' if count == 1 else 'them'})"
