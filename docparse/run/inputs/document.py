"""One document of a run: where it is, what it is called, and which files of a folder are documents at all."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path

SUFFIXES = frozenset({".pdf", ".png", ".jpg", ".jpeg", ".tif", ".tiff", ".webp", ".bmp"})
OWN_IMAGE = re.compile(r"page-\d+-[a-z]+-\d+\.png")  # crops that an earlier run wrote beside its Markdown
OWN_LAYOUT = ".layout.pdf"
IMAGES_SUFFIX = "_images"


@dataclass(frozen=True)
class Input:
    """One document: where to read it (None: standard input), what to call it, and its output without a suffix.

    `name` is for people and for the journal. `output` is relative and never leaves the output folder. `problem` is
    set where it is known already that the input cannot be read. `piped` says that its bytes come through a pipe and
    can be read once. `real` is the path without links, "" where it is not known. `url` is set where the bytes are at a
    URL; `path` is then its words.
    """

    path: Path | None
    name: str
    output: Path
    problem: str = ""
    piped: bool = False
    real: str = ""
    url: str = ""


@dataclass
class Inputs:
    """The documents of a run, with what was passed over on the way."""

    documents: list[Input] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)  # a line for every file in a folder that is no document, with why


def display_name(path: str | os.PathLike[str]) -> str:
    """Return a path as one printable line of valid Unicode."""
    text = os.fsencode(path).decode("utf-8", "backslashreplace")
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def failed(path: str, error: OSError) -> Input:
    """Return the input at `path` as one that cannot be read, with the reason."""
    return Input(Path(path), display_name(path), Path(), f"cannot be read: {error.strerror or error}")


def no_document(folder: str, name: str) -> str:
    """Return why a file of this name in `folder` is passed over, as far as its name tells; "" for a document."""
    suffix = os.path.splitext(name)[1]
    if name.startswith("."):
        return "hidden"
    if suffix.lower() not in SUFFIXES:
        return f"no PDF or image, by its suffix {display_name(suffix)}" if suffix else "no suffix"
    if name.endswith(OWN_LAYOUT):
        return "a layout picture of docparse"
    if OWN_IMAGE.fullmatch(name) and folder.endswith(IMAGES_SUFFIX):
        return "a picture cut out by docparse"
    return ""


def output_stem(name: str) -> str:
    """Return `name` without the suffix of a document; whole where nothing or only dots would be left."""
    stem, suffix = os.path.splitext(name)
    return stem if suffix.lower() in SUFFIXES and stem not in ("", ".", "..") else name
