"""`docparse view`: what is looked at, where the file goes, and the line about it."""

from __future__ import annotations

import sys
from pathlib import Path

from docparse.errors import ExitCode
from docparse.run.inputs import display_name
from docparse.sizes import shown_size
from docparse.view.found import find
from docparse.view.write import write_view

NAME = "docparse-view.html"


def view_run(
    out: Path, to: Path | None, source: Path | None, *, max_pages: int, password: str, quiet: bool
) -> ExitCode:
    """Write the view, print its path, and say what it lacks. Raises `DocparseError`."""
    found = find(out, source)
    to = to or (out / NAME if out.is_dir() else out.with_suffix(".view.html"))
    chapters = write_view(found, to, max_pages=max_pages, password=password)
    print(display_name(to))
    if quiet:
        return ExitCode.OK
    for line in [chapter.found.note for chapter in chapters if chapter.found.note]:
        print(line, file=sys.stderr)
    pages, left_out = sum(len(chapter.pages) for chapter in chapters), sum(chapter.left_out for chapter in chapters)
    more = f"; {left_out:,} more are not shown: raise --max-pages" if left_out else ""
    print(f"{pages:,} page{'s' * (pages != 1)}, {shown_size(to.stat().st_size)}{more}", file=sys.stderr)
    return ExitCode.OK
