"""The commands and their options. Values are checked by `Settings`, for every layer of settings alike."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Annotated, Any

import typer

from docparse.bench.options import BenchOptions, ReportOptions
from docparse.cli import quiet_pipe
from docparse.cli.options import SWITCH, Json, PlainHelp, Quiet, Verbose, verbosity, with_options
from docparse.errors import UsageError
from docparse.settings import RUN, Settings

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


@app.command()
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
        str | None, typer.Option("-o", "--out", metavar="OUT", help="A folder, a file, or - for stdout (the default).")
    ] = None,
    *,
    resume: Annotated[
        bool, typer.Option("--resume", metavar=SWITCH, help="Continue an interrupted run.", rich_help_panel=RUN)
    ] = False,
    config: Annotated[
        str | None,
        typer.Option("--config", metavar="FILE", help="TOML file of settings (default: docparse.toml, if there)."),
    ] = None,
    quiet: Quiet = False,
    verbose: Annotated[int, verbosity("Say more; -vv with tracebacks.")] = 0,
    json: Annotated[
        bool, typer.Option("--json", metavar=SWITCH, help="A summary of the run on stdout, as JSON.")
    ] = False,
    **typed: Any,
) -> int:
    """Convert documents to Markdown, HTML or JSON."""
    from docparse.cli.convert import convert_and_tell

    flags = {name: value for name, value in typed.items() if value is not None}
    try:
        code = convert_and_tell(inputs, out, flags, config, resume=resume, quiet=quiet, verbose=verbose, as_json=json)
    except BrokenPipeError:  # whoever closed our output has had enough of it; typer would call that a failure
        quiet_pipe()
        return 0
    return int(code)


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


@app.command()
def view(
    out: Annotated[
        Path, typer.Argument(metavar="OUT", help="An output folder of docparse convert, or one .json that it wrote.")
    ],
    to: Annotated[
        Path | None,
        typer.Option("-o", "--out", metavar="FILE", help="The HTML file (default: OUT/docparse-view.html)."),
    ] = None,
    source: Annotated[
        Path | None,
        typer.Option("--source", metavar="PATH", help="Where the documents are now, if they have moved."),
    ] = None,
    max_pages: Annotated[
        int, typer.Option("--max-pages", metavar="N", min=0, help="Show at most N pages; 0: all.")
    ] = 1000,
    password: Annotated[str, typer.Option("--password", metavar="TEXT", help="Password of encrypted PDFs.")] = "",
    quiet: Quiet = False,
    verbose: Verbose = 0,
) -> int:
    """Show a run in one HTML file: each page beside what was read from it."""
    from docparse.cli.view import view_run

    return int(view_run(out, to, source, max_pages=max_pages, password=password, quiet=quiet))


@app.command()
def doctor(
    json: Annotated[bool, typer.Option("--json", metavar=SWITCH, help="The findings on stdout, as JSON.")] = False,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", metavar=SWITCH, help="Only what is missing.")] = False,
    verbose: Annotated[int, verbosity("Look for accelerators too.")] = 0,
) -> int:
    """Look at this machine and convert a page."""
    from docparse.cli.doctor import examine

    return int(examine(as_json=json, thorough=verbose > 0, quiet=quiet))


models = typer.Typer(cls=PlainHelp, help="Vision-language models: which there are, what is cached, download, check.")
app.add_typer(models, name="models")

Name = Annotated[str, typer.Argument(metavar="NAME", help="A name of `docparse models list`.")]
Located = Annotated[str, typer.Argument(metavar="NAME", help="A name of `docparse models list`, or a folder.")]
Offline = Annotated[
    bool | None,
    typer.Option("--offline/--online", metavar=SWITCH, show_default=False, help="Nothing is downloaded either way."),
]


@models.command("list")
def list_models(offline: Offline = None, json: Json = False, quiet: Quiet = False, verbose: Verbose = 0) -> int:
    """Show every family: licence, size, whether it is cached, whether it fits into this machine."""
    from docparse.cli.models import show_list

    return int(show_list(as_json=json, quiet=quiet))


@models.command("pull")
def pull_model(
    name: Name,
    revision: Annotated[
        str | None,
        typer.Option("--revision", metavar="REV", help="A commit, tag or branch in place of the pinned commit."),
    ] = None,
    offline: Annotated[
        bool | None, typer.Option("--offline/--online", metavar=SWITCH, show_default=False, help="Refuse to download.")
    ] = None,
    timeout: Annotated[
        float, typer.Option("--timeout", metavar="S", min=0.1, help="Seconds without a byte until it tries again.")
    ] = 30.0,
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = 0,
) -> int:
    """Download a model's weights into the Hugging Face cache, or continue a download; print the folder."""
    from docparse.cli.models import pull_model as carry_out

    return int(carry_out(name, revision=revision, offline=offline, timeout=timeout, as_json=json, quiet=quiet))


@models.command("verify")
def verify_model(
    name: Located,
    offline: Offline = None,
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = 0,
) -> int:
    """Compare the files on disk with the published hashes."""
    from docparse.cli.models import verify_model as carry_out

    return int(carry_out(name, offline=offline, as_json=json, quiet=quiet))


@models.command("check")
def check_model(
    name: Located,
    device: Annotated[str | None, typer.Option("--device", metavar="DEVICE", help="auto, cpu, cuda[:N], mps.")] = None,
    dtype: Annotated[
        str | None, typer.Option("--dtype", metavar="DTYPE", help="auto, bfloat16, float16, float32.")
    ] = None,
    offline: Offline = None,
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = 0,
) -> int:
    """Let a model read one bundled page and report on prompt, files, speed and text. The first thing to run."""
    from docparse.cli.models_check import check_model as carry_out

    given = {"device": device, "dtype": dtype, "offline": offline}
    flags = {key: value for key, value in given.items() if value is not None}
    return int(carry_out(name, flags, as_json=json, quiet=quiet))


@models.command("path")
def path_of_model(
    name: Name,
    offline: Offline = None,
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = 0,
) -> int:
    """Print the folder that holds a model's weights."""
    from docparse.cli.models import show_path

    return int(show_path(name, offline=offline, as_json=json))
