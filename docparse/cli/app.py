"""The commands, each from the file of its name. Values are checked by `Settings`, for every layer of settings alike."""

from __future__ import annotations

import logging
from typing import Annotated, Any

import typer

from docparse.bench.options import BenchOptions, ReportOptions
from docparse.cli.convert import convert
from docparse.cli.doctor import examine
from docparse.cli.models import models
from docparse.cli.models_check import check_model
from docparse.cli.options import SWITCH, PlainHelp, verbosity, with_options
from docparse.cli.view import view
from docparse.errors import UsageError

app = typer.Typer(
    name="docparse",
    cls=PlainHelp,
    help="PDFs and page images to Markdown, HTML and JSON, offline.",
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)


@app.callback(invoke_without_command=True)
def docparse(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", metavar=SWITCH, help="Print the version and exit.")] = False,
) -> None:
    if version:
        from docparse import __version__

        typer.echo(f"docparse {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit(2)


app.command()(convert)


@app.command(context_settings={"allow_extra_args": True})
@with_options(BenchOptions, ReportOptions)
def bench(
    context: typer.Context,
    *,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", metavar=SWITCH, help="The result only.")] = False,
    verbose: Annotated[int, verbosity("-vv: tracebacks.")] = 0,
    **typed: Any,
) -> int:
    """Measure acceleration methods against plain decoding on the same pages. Ctrl-C: the pages so far are reported."""
    if context.args:
        raise UsageError(f"bench {' '.join(context.args)}: name the document or folder with --data")
    if verbose > 1:  # the tracebacks of what a report tells in one line
        logging.basicConfig(format="%(message)s")
        logging.getLogger("docparse").setLevel(logging.DEBUG)
    from docparse.cli.bench import measure_and_tell

    return int(measure_and_tell({name: value for name, value in typed.items() if value is not None}, quiet=quiet))


app.command()(view)
app.command("doctor")(examine)
models.command("check")(check_model)
app.add_typer(models, name="models")
