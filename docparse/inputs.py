"""What the user named becomes a list of documents, each with the place where its output belongs.

A folder keeps its tree below the output folder, and so does a glob below its fixed part; files named one by one go
to the top. Nothing is opened here except lists, so a file that is missing or is not a document fails by itself later.
"""

from __future__ import annotations

import glob
import os
import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO

from docparse.errors import UsageError

SUFFIXES = frozenset({".pdf", ".png", ".jpg", ".jpeg", ".tif", ".tiff", ".webp", ".bmp"})
OWN_IMAGE = re.compile(r"page-\d+-[a-z]+-\d+\.png")  # crops that an earlier run wrote beside its Markdown
OWN_LAYOUT = ".layout.pdf"
IMAGES_SUFFIX = "_images"


@dataclass(frozen=True)
class Input:
    """One document: where to read it (None: standard input), what to call it, and its output without a suffix.

    `name` is for people and for the journal. `output` is relative and never leaves the output folder. `problem` is
    set where it is known already that the input cannot be read.
    """

    path: Path | None
    name: str
    output: Path
    problem: str = ""


@dataclass
class Inputs:
    """The documents of a run, with what was passed over on the way."""

    documents: list[Input] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)  # a line for every file in a folder that is no document, with why


def resolve(arguments: Sequence[str], *, stdin: IO[bytes] | None = None, avoid: Path | None = None) -> Inputs:
    """The documents that `arguments` name: files, folders, globs, `@list.txt`, `@-`, `-`.

    `stdin` is read for `@-`. `avoid` is the output folder: it is passed over inside an input folder. Raises
    `UsageError` where a list cannot be read and where two inputs would write the same output.
    """
    inputs = Inputs()
    if sum(argument in ("-", "@-") for argument in arguments) > 1:
        raise UsageError("standard input can be read only once: give `-` or `@-` one time")
    if not all(arguments):
        raise UsageError("an input has an empty name: name a file or a folder")
    for argument in arguments:
        for item in _listed(argument, stdin):
            inputs.documents += list(_documents(item, inputs, avoid, alone=item is argument))
    inputs.documents = _without_twins(inputs.documents)
    inputs.documents, notes = _separate(inputs.documents)
    inputs.notes += notes
    return inputs


def display_name(path: str | os.PathLike[str]) -> str:
    """A path as one printable line of valid Unicode."""
    text = os.fsencode(path).decode("utf-8", "backslashreplace")
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def _listed(argument: str, stdin: IO[bytes] | None) -> Iterator[str]:
    """The argument itself, or the lines of the list it names; empty lines and `#` comments do not count."""
    if not argument.startswith("@") or os.path.lexists(argument):
        yield argument
        return
    try:
        if argument == "@-":
            content = stdin.read() if stdin is not None else b""
        else:
            content = Path(argument[1:]).read_bytes()
    except OSError as error:
        reason = error.strerror or error
        raise UsageError(f"{display_name(argument[1:])}: cannot read the list of inputs: {reason}") from None
    for line in content.splitlines():
        name = os.fsdecode(line.strip())
        if name and not name.startswith("#"):
            yield name


def _documents(item: str, inputs: Inputs, avoid: Path | None, *, alone: bool) -> Iterator[Input]:
    path = Path(item)
    if item == "-" and alone:
        yield Input(None, "stdin", Path("stdin"))
    elif os.path.isdir(path):  # not Path.is_dir: a name may be longer than a name can be
        yield from _in_folder(path, path, inputs, avoid)
    elif os.path.lexists(path) or not glob.has_magic(item):
        yield _single(path)
    else:
        yield from _matching(item, inputs, avoid)


def _single(path: Path) -> Input:
    problem = ""
    if not os.path.exists(path):
        problem = "no such file"
    elif not os.access(path, os.R_OK):  # not opened: a named pipe can be read only once
        problem = "cannot be read: permission denied"
    return Input(path, display_name(path), Path(_stem(path)), problem)


def _in_folder(folder: Path, root: Path, inputs: Inputs, avoid: Path | None) -> Iterator[Input]:
    """Documents below `folder` in sorted order, hidden files and folders left out. Links to folders are followed,
    each real folder is entered once."""
    seen: set[str] = set()
    avoided = os.path.realpath(avoid) if avoid else ""
    for parent, folders, files in os.walk(folder, followlinks=True, onerror=lambda error: _unreadable(error, inputs)):
        real = os.path.realpath(parent)
        if real in seen or (real == avoided and parent != str(folder)):
            folders.clear()
            continue
        seen.add(real)
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            path = Path(parent, name)
            if reason := _no_document(path):
                inputs.skipped.append(f"{display_name(path)}: {reason}")
            else:
                yield Input(path, display_name(path), path.relative_to(root).with_name(_stem(path)))


def _unreadable(error: OSError, inputs: Inputs) -> None:
    inputs.documents.append(
        Input(Path(error.filename), display_name(error.filename), Path(), f"cannot be read: {error.strerror}")
    )


def _no_document(path: Path) -> str:
    """Why a file found in a folder is passed over; empty where it is a document."""
    if path.name.startswith("."):
        return "hidden"
    if path.suffix.lower() not in SUFFIXES:
        return f"no PDF or image, by its suffix {display_name(path.suffix)}" if path.suffix else "no suffix"
    if path.name.endswith(OWN_LAYOUT):
        return "a layout picture of docparse"
    if OWN_IMAGE.fullmatch(path.name) and path.parent.name.endswith(IMAGES_SUFFIX):
        return "a picture cut out by docparse"
    return "" if path.is_file() else "not a regular file"


def _matching(pattern: str, inputs: Inputs, avoid: Path | None) -> Iterator[Input]:
    """Documents that match a glob; `**` crosses folders. Their tree is kept below the part without wildcards. A file
    that several paths lead to is taken once, by the shortest."""
    root = _fixed_part(pattern)
    found: dict[str, Path] = {}
    for path in sorted(_expanded(pattern, root), key=lambda path: (len(path.parts), path)):
        found.setdefault(os.path.realpath(path), path)
    for path in sorted(found.values()):
        if path.is_dir():
            if not pattern.rstrip("/").endswith("**"):
                yield from _in_folder(path, root, inputs, avoid)
        elif reason := _no_document(path):
            inputs.skipped.append(f"{display_name(path)}: {reason}")
        else:
            below = path.relative_to(root)
            below = Path(path.name) if ".." in below.parts else below
            yield Input(path, display_name(path), below.with_name(_stem(path)))
    if not found:
        yield Input(Path(pattern), display_name(pattern), Path(), "nothing matches this pattern")


def _expanded(pattern: str, root: Path) -> list[Path]:
    """What a glob matches below its fixed part. `glob.glob` itself runs in circles where `**` meets a link upwards."""
    paths = [root]
    parts = Path(pattern).parts[len(root.parts) :]
    for number, part in enumerate(parts, 1):
        if part == "**":
            paths = [folder for path in paths if path.is_dir() for folder in _folders(path)]
            paths += _children(paths, "*") if number == len(parts) else []
        else:
            paths = _children(paths, part)
    return [path for path in paths if path.is_dir()] if pattern.endswith("/") else paths


def _children(folders: Iterable[Path], part: str) -> list[Path]:
    return [Path(name) for folder in folders for name in glob.glob(os.path.join(glob.escape(str(folder)), part))]


def _folders(top: Path) -> Iterator[Path]:
    """`top` and the folders below it, nearest first; hidden ones are left out, each real folder comes once."""
    seen: set[str] = set()
    waiting = deque([top])
    while waiting:
        folder = waiting.popleft()
        if (real := os.path.realpath(folder)) in seen:
            continue
        seen.add(real)
        yield folder
        waiting.extend(sorted(path for path in _children([folder], "*") if path.is_dir()))


def _fixed_part(pattern: str) -> Path:
    parts = Path(pattern).parts
    fixed = next(index for index, part in enumerate(parts) if glob.has_magic(part))
    return Path(*parts[:fixed])


def _stem(path: Path) -> str:
    """The name without the suffix of a document; whole where nothing or only dots would be left."""
    return path.stem if path.suffix.lower() in SUFFIXES and path.stem not in ("", ".", "..") else path.name


def _without_twins(documents: Iterable[Input]) -> list[Input]:
    """Drop an input that was named twice."""
    unique: dict[tuple[str, Path], Input] = {}
    for document in documents:
        source = "-" if document.path is None else os.path.realpath(document.path)
        unique.setdefault((source, document.output), document)
    return list(unique.values())


def _separate(documents: list[Input]) -> tuple[list[Input], list[str]]:
    """Give inputs of one folder that differ only in their suffix outputs that keep it. Raises `UsageError` where two
    inputs would still write the same output."""
    notes: list[str] = []
    groups: dict[Path, list[Input]] = {}
    for document in documents:
        if not document.problem:
            groups.setdefault(document.output, []).append(document)
    renamed: dict[int, Input] = {}
    for output, group in groups.items():
        if len(group) > 1 and len({item.path and item.path.parent for item in group}) == 1:
            for item in group:
                assert item.path is not None  # one parent folder: none of them is standard input
                renamed[id(item)] = replace(item, output=output.with_name(item.path.name))
            names = ", ".join(item.path.name for item in group if item.path)
            notes.append(f"{names}: the outputs keep these suffixes, because the names are otherwise the same")
    result = [renamed.get(id(document), document) for document in documents]
    _refuse_collisions(result)
    return result, notes


def _refuse_collisions(documents: list[Input]) -> None:
    taken: dict[Path, Input] = {}
    for document in documents:
        if document.problem:
            continue
        other = taken.setdefault(document.output, document)
        if other is not document:
            raise UsageError(
                f"{other.name} and {document.name} would both write {document.output.name}: give the folder that holds "
                "both (its tree is kept), or convert them with different -o"
            )
