"""The output formats. A new one is a file with its writer, and an entry in `FORMATS`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TextIO

from docparse.errors import UsageError
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


def by_suffix(formats: Mapping[str, Format]) -> dict[str, str]:
    """Return the name of the format that a file's suffix stands for. Raises `UsageError` for a suffix that is taken or
    does not begin with a dot."""
    found: dict[str, str] = {}
    for name, each in formats.items():
        for suffix in each.suffixes:
            if not suffix.startswith("."):
                raise UsageError(f"format {name}: the suffix {suffix!r} has no dot: suffixes are a tuple of '.text'")
            if found.setdefault(suffix, name) != name:
                raise UsageError(f"format {name}: {suffix} is a suffix of {found[suffix]} already")
    return found


FILE_SUFFIXES = by_suffix(FORMATS)
