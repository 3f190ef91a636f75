"""`docparse view`: what is looked at, where the file goes, and the line about it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from docparse.cli.options import Quiet, Verbose

NAME = "docparse-view.html"


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
    from docparse.run.inputs import display_name
    from docparse.sizes import shown_size
    from docparse.view.found import find
    from docparse.view.write import write_view

    found = find(out, source)
    to = to or (out / NAME if out.is_dir() else out.with_suffix(".view.html"))
    chapters = write_view(found, to, max_pages=max_pages, password=password)
    print(display_name(to))
    if quiet:
        return 0
    for line in [chapter.found.note for chapter in chapters if chapter.found.note]:
        print(line, file=sys.stderr)
    pages, left_out = sum(len(chapter.pages) for chapter in chapters), sum(chapter.left_out for chapter in chapters)
    more = f"; {left_out:,} more are not shown: raise --max-pages" if left_out else ""
    print(f"{pages:,} page{'s' * (pages != 1)}, {shown_size(to.stat().st_size)}{more}", file=sys.stderr)
    return 0
