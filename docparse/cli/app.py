"""The commands and their options. Values are checked by `Settings`, for every layer of settings alike."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from docparse.accel.presets import PRESETS
from docparse.cli.bench_options import bench
from docparse.cli.options import SWITCH, setting
from docparse.settings import Settings

NAMED_STACKS = ", ".join(PRESETS)  # what they stand for would not fit a terminal

app = typer.Typer(
    name="docparse",
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


READ, WRITE, RUN = "What reads the page", "What is written", "How the run goes"


@app.command()
def convert(  # noqa: PLR0913, PLR0917 - typer wants an argument for every option
    context: typer.Context,
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
    format: Annotated[
        str | None, setting("--format", "One or several, with commas (default: md).", "md,html,json")
    ] = None,
    pages: Annotated[
        str | None, setting("--pages", "Pages, as in 1-3,7,-1; a range ends where the document does.", "RANGES")
    ] = None,
    password: Annotated[str | None, setting("--password", "Password of encrypted PDFs.", "TEXT")] = None,
    model: Annotated[
        str | None,
        setting(
            "--model",
            "What reads pages: the pipeline, or a vision-language model by name (docparse models list) or folder.",
            "auto|pipeline|NAME|FOLDER",
            rich_help_panel=READ,
        ),
    ] = None,
    accel: Annotated[
        str | None,
        setting(
            "--accel",
            f"How a model is made faster: methods joined with + as in rtprune+hsd(tau=0.75), or {NAMED_STACKS}; "
            "auto is lossless where that pays, auto(lossy=true) may change the text.",
            "auto|PRESET|METHOD+...",
            rich_help_panel=READ,
        ),
    ] = None,
    device: Annotated[
        str | None, setting("--device", "Where a model runs.", "auto|cpu|cuda[:N]|mps", rich_help_panel=READ)
    ] = None,
    dtype: Annotated[str | None, setting("--dtype", "Numbers a model computes with.", rich_help_panel=READ)] = None,
    max_tokens: Annotated[
        int | None,
        setting(
            "--max-tokens",
            "The most a model may write for one page; without it, what its authors use.",
            "N",
            rich_help_panel=READ,
        ),
    ] = None,
    layout_engine: Annotated[
        str | None, setting("--layout-engine", "What finds the regions of a page.", rich_help_panel=READ)
    ] = None,
    text_layer: Annotated[
        str | None, setting("--text-layer", "Use the text in the PDF, never, or nothing else.", rich_help_panel=READ)
    ] = None,
    hidden_text: Annotated[
        bool | None,
        setting(
            "--hidden-text/--no-hidden-text",
            "Keep text in the PDF that nobody can see (invisible, white on white, half a point high).",
            rich_help_panel=READ,
        ),
    ] = None,
    ocr: Annotated[
        str | None, setting("--ocr", "Read pixels where needed, always, never.", rich_help_panel=READ)
    ] = None,
    lang: Annotated[
        str | None,
        setting(
            "--lang", "Language for OCR, which reads Latin script, Chinese and Japanese.", "LANG", rich_help_panel=READ
        ),
    ] = None,
    dpi: Annotated[
        int | None,
        setting(
            "--dpi",
            "Resolution for OCR, crops and models; without it 144, or what a model's authors use.",
            "N",
            rich_help_panel=READ,
        ),
    ] = None,
    tables: Annotated[
        str | None, setting("--tables", "Pipes, HTML; auto: HTML where cells span.", rich_help_panel=WRITE)
    ] = None,
    formulas: Annotated[
        bool | None, setting("--formulas/--no-formulas", "Mark formulas up as LaTeX.", rich_help_panel=WRITE)
    ] = None,
    images: Annotated[
        str | None, setting("--images", "Figures: left out, as files, inside the output.", rich_help_panel=WRITE)
    ] = None,
    keep_headers: Annotated[
        bool | None,
        setting("--keep-headers/--drop-headers", "Keep running headers and footers.", rich_help_panel=WRITE),
    ] = None,
    page_breaks: Annotated[
        bool | None, setting("--page-breaks/--no-page-breaks", "Mark where pages begin.", rich_help_panel=WRITE)
    ] = None,
    layout_pdf: Annotated[
        bool | None,
        setting("--layout-pdf/--no-layout-pdf", "Also draw the regions on the pages.", rich_help_panel=WRITE),
    ] = None,
    page_timeout: Annotated[
        float | None,
        setting("--page-timeout", "Seconds for one page (default: 120, with a model 7200).", "S", rich_help_panel=RUN),
    ] = None,
    document_timeout: Annotated[
        float | None, setting("--document-timeout", "Seconds for one document.", "S", rich_help_panel=RUN)
    ] = None,
    retries: Annotated[
        int | None,
        setting(
            "--retries",
            "Further attempts at a page that failed as if by chance, in a crash or for lack of memory.",
            "N",
            rich_help_panel=RUN,
        ),
    ] = None,
    max_pages: Annotated[
        int | None,
        setting("--max-pages", "Pages read of one document; 0: all.", "N", rich_help_panel=RUN),
    ] = None,
    max_damaged: Annotated[
        int | None,
        setting(
            "--max-damaged",
            "Give a document up after so many pages in a row that cannot be read; 0: never.",
            "N",
            rich_help_panel=RUN,
        ),
    ] = None,
    workers: Annotated[
        int | None,
        setting(
            "--workers",
            "Processes of the pipeline (default: 0, one per core; one beside a model on a CPU).",
            "N",
            rich_help_panel=RUN,
        ),
    ] = None,
    threads: Annotated[
        int | None, setting("--threads", "Threads of a worker (default: 0, cores / workers).", "N", rich_help_panel=RUN)
    ] = None,
    server: Annotated[
        str | None,
        setting("--server", "Let an OpenAI-compatible server write the pages.", "URL", rich_help_panel=RUN),
    ] = None,
    served_model: Annotated[
        str | None, setting("--served-model", "The model's name at the server.", "NAME", rich_help_panel=RUN)
    ] = None,
    devices: Annotated[
        str | None,
        setting("--devices", "A process of the model on each: cuda:0,cuda:1 or all.", "D,D|all", rich_help_panel=RUN),
    ] = None,
    batch: Annotated[
        int | None,
        setting("--batch", "Pages that a model writes at once (default: 0, as many as pay).", "N", rich_help_panel=RUN),
    ] = None,
    ahead: Annotated[
        int | None,
        setting("--ahead", "Pages that the pipeline may be ahead of the model.", "N", rich_help_panel=RUN),
    ] = None,
    max_memory: Annotated[
        str | None,
        setting(
            "--max-memory",
            "Most memory of a worker (default: a share of the machine's); a model's process has no limit.",
            "SIZE",
            rich_help_panel=RUN,
        ),
    ] = None,
    max_spool: Annotated[
        str | None, setting("--max-spool", "Most bytes of a document from a pipe.", "SIZE", rich_help_panel=RUN)
    ] = None,
    ray: Annotated[
        str | None,
        setting(
            "--ray",
            "Read on a Ray cluster: start one here, join the one of this machine, or that at an address.",
            "local|auto|[ray://]HOST:PORT",
            rich_help_panel=RUN,
        ),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", metavar=SWITCH, help="Go on where an earlier run stopped.", rich_help_panel=RUN)
    ] = False,
    offline: Annotated[
        bool | None, setting("--offline/--online", "Forbid network access.", rich_help_panel=RUN)
    ] = None,
    config: Annotated[
        str | None,
        typer.Option("--config", metavar="FILE", help="TOML file of settings (default: docparse.toml, if there)."),
    ] = None,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", metavar=SWITCH, help="Errors only.")] = False,
    verbose: Annotated[
        int,
        typer.Option(
            "-v", "--verbose", count=True, metavar=SWITCH, show_default=False, help="Say more; -vv with tracebacks."
        ),
    ] = 0,
    json: Annotated[
        bool, typer.Option("--json", metavar=SWITCH, help="A summary of the run on stdout, as JSON.")
    ] = False,
) -> int:
    """Convert documents to Markdown, HTML or JSON."""
    values = dict(locals())
    context.ensure_object(dict)["verbose"] = verbose
    from docparse.cli.convert import Request, carry_out

    flags = {name: values[name] for name in Settings.__struct_fields__ if values.get(name) is not None}
    request = Request(inputs, out, resume, config, quiet, verbose, json)
    return int(carry_out(request, flags))


app.command(context_settings={"allow_extra_args": True})(bench)


@app.command()
def view(
    context: typer.Context,
    out: Annotated[
        Path, typer.Argument(metavar="OUT", help="An output folder of docparse convert, or one .json that it wrote.")
    ],
    to: Annotated[
        Path | None,
        typer.Option("-o", "--out", metavar="FILE", help="Where it goes (default: OUT/docparse-view.html)."),
    ] = None,
    source: Annotated[
        Path | None,
        typer.Option("--source", metavar="PATH", help="The document, or the folder of documents, that have moved."),
    ] = None,
    max_pages: Annotated[
        int, typer.Option("--max-pages", metavar="N", min=0, help="The most pages that are shown; 0: all.")
    ] = 1000,
    password: Annotated[str, typer.Option("--password", metavar="TEXT", help="Password of encrypted PDFs.")] = "",
    quiet: Annotated[bool, typer.Option("-q", "--quiet", metavar=SWITCH, help="Errors only.")] = False,
    verbose: Annotated[
        int,
        typer.Option("-v", "--verbose", count=True, metavar=SWITCH, show_default=False, help="-vv: with tracebacks."),
    ] = 0,
) -> int:
    """Show a run in one HTML file: each page beside what was read from it."""
    context.ensure_object(dict)["verbose"] = verbose
    from docparse.cli.view import view_run

    return int(view_run(out, to, source, max_pages=max_pages, password=password, quiet=quiet))


@app.command()
def doctor(
    context: typer.Context,
    json: Annotated[bool, typer.Option("--json", metavar=SWITCH, help="The findings on stdout, as JSON.")] = False,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", metavar=SWITCH, help="Only what is missing.")] = False,
    verbose: Annotated[
        int,
        typer.Option(
            "-v", "--verbose", count=True, metavar=SWITCH, show_default=False, help="Look for accelerators too."
        ),
    ] = 0,
) -> int:
    """Look at this machine and convert a page."""
    context.ensure_object(dict)["verbose"] = verbose
    from docparse.cli.doctor import examine

    return int(examine(as_json=json, thorough=verbose > 0, quiet=quiet))


models = typer.Typer(help="Vision-language models: which there are, what is cached, download, check.")
app.add_typer(models, name="models")

Name = Annotated[str, typer.Argument(metavar="NAME", help="A name of `docparse models list`.")]
Located = Annotated[str, typer.Argument(metavar="NAME", help="A name of `docparse models list`, or a folder.")]
Json = Annotated[bool, typer.Option("--json", metavar=SWITCH, help="The result on stdout, as JSON.")]
Quiet = Annotated[bool, typer.Option("-q", "--quiet", metavar=SWITCH, help="Errors only.")]
Offline = Annotated[
    bool | None,
    typer.Option("--offline/--online", metavar=SWITCH, show_default=False, help="Nothing is downloaded either way."),
]
Verbose = Annotated[
    int,
    typer.Option("-v", "--verbose", count=True, metavar=SWITCH, show_default=False, help="-vv: with tracebacks."),
]


@models.command("list")
def list_models(
    context: typer.Context, offline: Offline = None, json: Json = False, quiet: Quiet = False, verbose: Verbose = 0
) -> int:
    """Show every family: licence, size, whether it is cached, whether it fits into this machine."""
    context.ensure_object(dict)["verbose"] = verbose
    from docparse.cli.models import show_list

    return int(show_list(as_json=json, quiet=quiet))


@models.command("pull")
def pull_model(
    context: typer.Context,
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
    """Download a model's weights into the Hugging Face cache, resuming what was begun; print the folder."""
    context.ensure_object(dict)["verbose"] = verbose
    from docparse.cli.models import pull_model as carry_out

    return int(carry_out(name, revision=revision, offline=offline, timeout=timeout, as_json=json, quiet=quiet))


@models.command("verify")
def verify_model(
    context: typer.Context,
    name: Located,
    offline: Offline = None,
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = 0,
) -> int:
    """Compare the files on disk with the published hashes."""
    context.ensure_object(dict)["verbose"] = verbose
    from docparse.cli.models import verify_model as carry_out

    return int(carry_out(name, offline=offline, as_json=json, quiet=quiet))


@models.command("check")
def check_model(
    context: typer.Context,
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
    """Have a model read one bundled page: prompt, files, speed, and whether it reads. The first thing to run."""
    context.ensure_object(dict)["verbose"] = verbose
    from docparse.cli.models_check import check_model as carry_out

    given = {"device": device, "dtype": dtype, "offline": offline}
    flags = {key: value for key, value in given.items() if value is not None}
    return int(carry_out(name, flags, as_json=json, quiet=quiet))


@models.command("path")
def path_of_model(
    context: typer.Context,
    name: Name,
    offline: Offline = None,
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = 0,
) -> int:
    """Print the folder that holds a model's weights."""
    context.ensure_object(dict)["verbose"] = verbose
    from docparse.cli.models import show_path

    return int(show_path(name, offline=offline, as_json=json))
