"""The options of `docparse bench`."""

from __future__ import annotations

import logging
from typing import Annotated, Any

import typer

from docparse.cli.options import SWITCH
from docparse.errors import UsageError

WHAT, DRAFTS, WRITE, RUN = "What is measured", "What drafts are made of", "What is written", "How the run goes"
WRITTEN = ("report", "json", "html", "markdown", "export", "compare", "fail_below")
PAPERS = ("hsd-table2", "fastocr-table1", "rtprune-table1", "aircache-table5", "vlcache-figure4")
COMMON = ("context", "quiet", "verbose")


def option(flag: str, help_text: str, metavar: str, panel: str, **more: Any) -> Any:
    return typer.Option(flag, help=help_text, metavar=metavar, rich_help_panel=panel, **more)


def bench(  # noqa: PLR0913, PLR0917 - typer wants an argument for every option
    context: typer.Context,
    model: Annotated[str, option("--model", "Models to measure with, one after the other.", "M[,M...]", WHAT)] = "tiny",
    method: Annotated[
        str,
        option(
            "--method",
            "Methods and stacks as --accel names them; plain decoding, ar, is always first.",
            "A,B,A+B",
            WHAT,
        ),
    ] = "hsd",
    baseline: Annotated[str, option("--baseline", "What speedups are measured against.", "METHOD", WHAT)] = "ar",
    data: Annotated[
        str,
        option(
            "--data",
            "Pages: a document, a folder, olmocr-bench:DIR, omnidocbench:DIR, or those that come with docparse.",
            "SRC",
            WHAT,
        ),
    ] = "builtin",
    pages: Annotated[
        int | None,
        option("--pages", "At most so many, 0 for all (default: 20 of builtin, else all).", "N", WHAT, min=0),
    ] = None,
    random_weights: Annotated[
        bool,
        option("--random-weights", "The published size without its weights: speed only.", SWITCH, WHAT),
    ] = False,
    drafts: Annotated[
        str,
        option(
            "--drafts",
            "The pipeline; told to read pixels (ocr); true blocks; plain decoding's own output (default: pipeline).",
            "pipeline|ocr|truth|oracle|none",
            DRAFTS,
        ),
    ] = "",
    draft_noise: Annotated[
        float, option("--draft-noise", "Share of the drafts' characters to change.", "P", DRAFTS, show_default=False)
    ] = 0.0,
    box_jitter: Annotated[
        float,
        option(
            "--box-jitter", "How far their boxes are moved, as a share of the sides.", "P", DRAFTS, show_default=False
        ),
    ] = 0.0,
    ablate: Annotated[
        str, option("--ablate", "A parameter of a method at several values.", "METHOD.PARAMETER=V1,V2,...", WHAT)
    ] = "",
    throughput: Annotated[
        str,
        option(
            "--throughput", "Pages and tokens a minute at these batch sizes; nothing else is measured.", "B,B,...", WHAT
        ),
    ] = "",
    leave_out: Annotated[
        str,
        option("--leave-out", "Pages that do not count: plain decoding looped or wrote more.", "loops,over:N", WHAT),
    ] = "",
    reproduce: Annotated[
        str,
        option("--reproduce", "A paper's table with ours beside it.", "|".join(PAPERS), WHAT),
    ] = "",
    runs: Annotated[int, option("--runs", "How often each page is read.", "R", RUN, min=1)] = 1,
    batch: Annotated[int, option("--batch", "So many pages decoded at once.", "B", RUN, min=1)] = 1,
    max_tokens: Annotated[
        int, option("--max-tokens", "Longest output of a page (0: the usual limit).", "N", RUN, min=0)
    ] = 0,
    device: Annotated[str, option("--device", "Where the model runs.", "DEVICE", RUN)] = "auto",
    dtype: Annotated[str, option("--dtype", "Precision of the weights.", "DTYPE", RUN)] = "auto",
    seed: Annotated[int, option("--seed", "Of pages drawn, noise and random weights.", "S", RUN)] = 0,
    json: Annotated[
        str, option("--json", "Everything as JSON, to a file or - (stdout); FILE.part while it runs.", "FILE", WRITE)
    ] = "",
    html: Annotated[str, option("--html", "Tables and plots as one file.", "FILE", WRITE)] = "",
    markdown: Annotated[str, option("--markdown", "Tables as Markdown, to a file or - (stdout).", "FILE", WRITE)] = "",
    report: Annotated[
        str, option("--report", "Show an older --json report again, and run nothing.", "OLD.json", WRITE)
    ] = "",
    export: Annotated[
        str, option("--export", "What the methods wrote, as files for the official scorers.", "DIR", WRITE)
    ] = "",
    compare: Annotated[str, option("--compare", "An older --json report to compare with.", "OLD.json", WRITE)] = "",
    fail_below: Annotated[
        float,
        option(
            "--fail-below",
            "End with exit code 1 where now over before is less.",
            "RATIO",
            WRITE,
            min=0,
            show_default=False,
        ),
    ] = 0.0,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", metavar=SWITCH, help="The result only.")] = False,
    verbose: Annotated[
        int, typer.Option("-v", "--verbose", count=True, metavar=SWITCH, show_default=False, help="-vv: tracebacks.")
    ] = 0,
) -> int:
    """Measure acceleration methods against plain decoding on the same pages. Ctrl-C: the pages so far are reported."""
    values = dict(locals())
    context.ensure_object(dict)["verbose"] = verbose
    if context.args:
        raise UsageError(f"bench {' '.join(context.args)}: name the document or folder with --data")
    if verbose > 1:  # the tracebacks of what a report tells in one line
        logging.basicConfig(format="%(message)s")
        logging.getLogger("docparse").setLevel(logging.DEBUG)
    from docparse.cli.bench import carry_out
    from docparse.cli.bench_outputs import Outputs

    outputs = Outputs(**{name: values.pop(name) for name in WRITTEN})
    measured = {name: value for name, value in values.items() if name not in COMMON}
    return int(carry_out(measured, outputs, quiet=quiet))
