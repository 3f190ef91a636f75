"""The output formats. A new one is a file with its writer, and an entry in `FORMATS`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TextIO

from docparse.render.html import write_html
from docparse.render.jsonform import write_json
from docparse.render.markdown import write_markdown
from docparse.render.options import RenderOptions
from docparse.types import DocumentInfo, Page


@dataclass(frozen=True)
class Format:
    """`write` prints a document, one page in memory at a time; a block that has words must not be left out.
    `suffixes` are those of its files: docparse gives the first one and understands all of them."""

    write: Callable[[DocumentInfo, Iterable[Page], TextIO, RenderOptions], None]
    suffixes: tuple[str, ...]


FORMATS = {  # by the name that `--format` takes
    "md": Format(lambda _, pages, out, options: write_markdown(pages, out, options), (".md", ".markdown", ".txt")),
    "html": Format(write_html, (".html", ".htm")),
    "json": Format(write_json, (".json",)),
}
FILE_SUFFIXES = {suffix: name for name, each in FORMATS.items() for suffix in each.suffixes}
