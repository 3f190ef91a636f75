"""The settings as keywords: what a type checker and an editor know of them, and how they are checked."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, TypedDict

from docparse.errors import DocparseError, UsageError
from docparse.settings import Settings, load_settings

OF_FILES = {
    "format": "a Document has .markdown, .html and .json",
    "layout_pdf": "docparse convert --layout-pdf draws it, docparse view shows more",
}
OPTION = re.compile(r"--(?!no-)([a-z]+(?:-[a-z]+)*)")
Ranges = str | int | Iterable[int]  # "1-3,7,-1", 4 or [1, 2, 7]; pages count from 1


class Keywords(TypedDict, total=False):
    """Every setting of `docparse.settings.Settings` that is not about output files; the guide says what they mean."""

    model: str | os.PathLike[str]
    accel: str
    device: str
    dtype: Literal["auto", "float32", "bfloat16", "float16"]
    server: str
    served_model: str
    max_tokens: int | None
    rereads: int
    layout_engine: Literal["none", "paddle"]
    text_layer: Literal["auto", "off", "only"]
    hidden_text: bool
    ocr: Literal["auto", "force", "off"]
    dpi: int | None
    pages: Ranges
    password: str
    tables: Literal["auto", "gfm", "html"]
    formulas: bool
    images: Literal["none", "ref", "embed"]
    keep_headers: bool
    page_breaks: bool
    page_timeout: float | None
    document_timeout: float
    retries: int
    max_pages: int
    max_damaged: int
    workers: int
    threads: int
    devices: str
    batch: int
    ahead: int
    max_memory: str
    max_spool: str
    offline: bool
    ray: str


def settings_from(keywords: Mapping[str, Any], config: str | os.PathLike[str] | None = None) -> Settings:
    """Return the settings: a keyword before the environment before the file `config` (or `docparse.toml`) before the
    default, as on the command line. Raises `UsageError`."""
    for name in OF_FILES.keys() & keywords.keys():
        raise UsageError(f"{name} is about files that are written: {OF_FILES[name]}")
    given = {name: os.fspath(value) if isinstance(value, os.PathLike) else value for name, value in keywords.items()}
    if given.get("pages") is not None:
        given["pages"] = ranges(given["pages"])
    file = Path(config) if config is not None else None
    with told_in_python():
        return load_settings(given, file=file, written=str)


def in_python(line: str) -> str:
    """Return a message with its options as keywords: `--page-timeout` as `page_timeout`."""
    line = line.replace("--no-formulas", "formulas=False").replace("with --password", "with password=...")
    return OPTION.sub(lambda option: option[1].replace("-", "_"), line)


@contextmanager
def told_in_python() -> Iterator[None]:
    """Errors that are raised in here speak of keywords."""
    try:
        yield
    except DocparseError as error:
        error.args = (in_python(str(error)),)
        raise


def ranges(pages: Ranges) -> str:
    """Return `pages` as the command line has them. Raises `UsageError` where nothing is named, or what is no number."""
    if not isinstance(pages, str | int | Iterable):
        raise UsageError(f"pages: {pages!r} is neither a number nor several: write something like '1-3,7,-1' or [1, 2]")
    text = pages if isinstance(pages, str) else ",".join(map(str, [pages] if isinstance(pages, int) else pages))
    if not text.strip():
        raise UsageError("pages is empty: write something like '1-3,7,-1' or [1, 2, 7], or leave it out for all pages")
    return text
