"""The options of `docparse bench`, each with what its help says; nothing heavy is imported for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from docparse.settings import told

PAPERS = ("hsd-table2", "fastocr-table1", "rtprune-table1", "aircache-table5", "vlcache-figure4")
WHAT, DRAFTS, WRITE, RUN = "What is measured", "Drafts", "What is written", "How the run goes"


@dataclass(frozen=True, kw_only=True)
class BenchOptions:
    """The measurement that is asked for, as it was typed. Models and methods are lists with commas."""

    model: Annotated[str, told("Models to measure with, one after the other.", "M[,M...]", WHAT)] = "tiny"
    method: Annotated[
        str, told("Methods and stacks as for --accel; plain decoding (ar) always comes first.", "A,B,A+B", WHAT)
    ] = "hsd"
    data: Annotated[
        str,
        told(
            "Pages: a document, a folder, olmocr-bench:DIR, omnidocbench:DIR, or those that come with docparse.",
            "SRC",
            WHAT,
        ),
    ] = "builtin"
    pages: Annotated[
        int | None, told("At most N pages; 0: all (default: 20 of builtin, else all).", "N", WHAT, least=0)
    ] = None
    random_weights: Annotated[bool, told("The published size without its weights: speed only.", "", WHAT)] = False
    drafts: Annotated[
        str,
        told(
            "Where drafts come from: the pipeline, its OCR, the ground truth, plain decoding's own output (oracle) "
            "(default: pipeline).",
            "pipeline|ocr|truth|oracle|none",
            DRAFTS,
        ),
    ] = ""
    draft_noise: Annotated[float, told("Share of the drafts' characters to change.", "P", DRAFTS)] = 0.0
    box_jitter: Annotated[float, told("How far to move the drafts' boxes, as a share of their sides.", "P", DRAFTS)] = (
        0.0
    )
    throughput: Annotated[
        str, told("Pages and tokens a minute at these batch sizes; nothing else is measured.", "B,B,...", WHAT)
    ] = ""
    leave_out: Annotated[
        str, told("Leave out pages where plain decoding looped or wrote more than N tokens.", "loops,over:N", WHAT)
    ] = ""
    reproduce: Annotated[str, told("Measure a paper's table, and print both.", "|".join(PAPERS), WHAT)] = ""
    calibrate: Annotated[
        str, told("Measure this model's best presets, and store them for its weights.", "MODEL", WHAT)
    ] = ""
    runs: Annotated[int, told("How often each page is read.", "R", RUN, least=1)] = 1
    max_tokens: Annotated[int, told("Longest output of a page (0: the usual limit).", "N", RUN, least=0)] = 0
    device: Annotated[str, told("Where the model runs.", "DEVICE", RUN)] = "auto"
    dtype: Annotated[str, told("Precision of the weights.", "DTYPE", RUN)] = "auto"
    seed: Annotated[int, told("Seed of drawn pages, noise and random weights.", "S", RUN)] = 0


@dataclass(frozen=True, kw_only=True)
class ReportOptions:
    """The places where the report goes besides the terminal, and the older report that it is compared with or that is
    shown."""

    json: Annotated[
        str, told("Everything as JSON, to a file or - (stdout); FILE.part while it runs.", "FILE", WRITE)
    ] = ""
    html: Annotated[str, told("Tables and plots as one file.", "FILE", WRITE)] = ""
    markdown: Annotated[str, told("Tables as Markdown, to a file or - (stdout).", "FILE", WRITE)] = ""
    report: Annotated[str, told("Show an older --json report again, and run nothing.", "OLD.json", WRITE)] = ""
    export: Annotated[str, told("What the methods wrote, as files for the official scorers.", "DIR", WRITE)] = ""
    compare: Annotated[str, told("An older --json report to compare with.", "OLD.json", WRITE)] = ""
    fail_below: Annotated[
        float, told("Exit code 1 if a number falls below this share of the older one.", "SHARE", WRITE, least=0)
    ] = 0.0
