"""The commands; long ones have files of their own. `Settings` checks values, for every layer of settings alike."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from docparse.bench.options import BenchOptions, ReportOptions
from docparse.cli.convert import convert
from docparse.cli.doctor import examine
from docparse.cli.models import models
from docparse.cli.models_check import check_model
from docparse.cli.options import PanelHelp, Quiet, Verbose, no_option, verbosity, with_options
from docparse.errors import UsageError
from docparse.guard import show_tracebacks

VIEW_NAME = "docparse-view.html"
app = typer.Typer(
    name="docparse",
    help="PDFs and page images to Markdown, HTML and JSON, offline.",
    add_completion=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)


@app.callback(invoke_without_command=True)
def docparse(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    if version:
        from docparse import __version__

        typer.echo(f"docparse {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit(2)


app.command(cls=PanelHelp)(convert)


@app.command(cls=PanelHelp, context_settings={"allow_extra_args": True})
@with_options(BenchOptions, ReportOptions)
def bench(
    context: typer.Context,
    *,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="The result only.")] = False,
    verbose: Annotated[int, verbosity("-vv: tracebacks.")] = 0,
    **typed: Any,
) -> int:
    """Measure acceleration methods against plain decoding. Ctrl-C: the pages so far are reported."""
    if context.args:
        raise UsageError(f"bench {' '.join(context.args)}: name the document or folder with --data")
    if verbose > 1:  # the tracebacks of what a report tells in one line
        show_tracebacks()
    from docparse.cli.bench import measure_and_tell

    return int(measure_and_tell({name: value for name, value in typed.items() if value is not None}, quiet=quiet))


@app.command(cls=PanelHelp)
def view(
    out: Annotated[
        Path, typer.Argument(metavar="OUT", help="An output folder of docparse convert, or one .json that it wrote.")
    ],
    to: Annotated[
        Path | None,
        typer.Option(
            "-o", "--out", metavar="FILE", help="The HTML file (default: OUT/docparse-view.html).", callback=no_option
        ),
    ] = None,
    source: Annotated[
        Path | None,
        typer.Option(
            "--source", metavar="PATH", help="Where the documents are, unless they are found.", callback=no_option
        ),
    ] = None,
    max_pages: Annotated[
        int, typer.Option("--max-pages", metavar="N", min=0, help="Show at most N pages; 0: all.")
    ] = 1000,
    password: Annotated[str, typer.Option("--password", metavar="TEXT", help="Password of encrypted PDFs.")] = "",
    quiet: Quiet = False,
    verbose: Verbose = 0,
) -> int:
    """Show a run in one HTML file: each page beside its Markdown."""
    from docparse.run.inputs import display_name
    from docparse.sizes import counted, shown_size
    from docparse.view.found import find
    from docparse.view.write import write_view

    found = find(out, source)
    to = to or (out / VIEW_NAME if out.is_dir() else out.with_suffix(".view.html"))
    if to.suffix.lower() not in (".html", ".htm"):
        raise UsageError(f"{display_name(to)}: a view is HTML: name a file that ends with .html")
    chapters = write_view(found, to, max_pages=max_pages, password=password)
    print(display_name(to))
    if quiet:
        return 0
    for line in [chapter.found.note for chapter in chapters if chapter.found.note]:
        print(line, file=sys.stderr)
    pages, left_out = sum(len(chapter.pages) for chapter in chapters), sum(chapter.left_out for chapter in chapters)
    more = f"; {counted(left_out, 'more page')} not shown: raise --max-pages" if left_out else ""
    print(f"{counted(pages, 'page')}, {shown_size(to.stat().st_size)}{more}", file=sys.stderr)
    return 0


app.command("doctor", cls=PanelHelp)(examine)
models.command("check", cls=PanelHelp)(check_model)
app.add_typer(models, name="models")
