"""What the user named becomes a list of documents, each with the place where its output belongs.

A folder keeps its tree, a glob that below its fixed part; files named one by one go to the top. Only lists are opened.
"""

from __future__ import annotations

import errno
import glob
import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import IO

from docparse.errors import UsageError
from docparse.run.inputs.document import Input, Inputs, display_name, failed, output_stem
from docparse.run.inputs.search import Places, Search, documents_at
from docparse.run.inputs.spool import MAX_LIST_BYTES, SILENCE, at_most, chunks, chunks_of, open_stream
from docparse.storage import is_url, local_path

REFUSED = {"socket": "is a socket, not a document", "device": "is a device, not a document"}
TOO_LONG = "not a list of inputs"


def resolve(
    arguments: Sequence[str], *, stdin: IO[bytes] | None = None, avoid: Path | None = None, offline: bool = False
) -> Inputs:
    """Return the documents that `arguments` name: files, folders, globs, URLs, `@list.txt`, `@-`, `-`.

    `stdin` is read for `@-`. `avoid` is the output folder: it is passed over inside an input folder. Raises
    `UsageError` where a list cannot be read and where two inputs would write the same output, `EnvironmentProblem`
    where a URL needs a package that is missing, or the network that `offline` forbids.
    """
    inputs = Inputs()
    if sum(argument in ("-", "@-") for argument in arguments) > 1:
        raise UsageError("standard input can be read only once: give `-` or `@-` one time")
    if not all(arguments):
        raise UsageError("an input has an empty name: name a file or a folder")
    search = Search(Places(), inputs, avoid)
    for argument in arguments:
        if argument == "-":
            inputs.documents.append(Input(None, "stdin", Path("stdin")))
            continue
        a_list = argument.startswith("@") and not os.path.lexists(argument)
        items = list(listed(argument, stdin)) if a_list else [argument]
        for item in map(local_path, items):
            found = documents_at(item, inputs, offline=offline) if is_url(item) else _documents(item, search)
            inputs.documents += list(found)
    inputs.documents = _without_repeats(inputs.documents)
    while (separate := _separate(inputs.documents, inputs.notes)) != inputs.documents:
        inputs.documents = separate  # a suffix that is kept may make a name that another document has
    _refuse_collisions(inputs.documents)
    return inputs


def _documents(item: str, search: Search) -> Iterator[Input]:
    """Yield the documents that `item` names, which is not standard input."""
    path = Path(item)
    place = search.places.look(str(path))
    if isinstance(place, OSError):
        if place.errno != errno.EINVAL and glob.has_magic(item):  # else a name that no file can have
            yield from search.glob(item)
        elif place.errno in (errno.ENOENT, errno.ENOTDIR):
            yield Input(path, display_name(path), Path(), "no such file")
        else:
            yield failed(str(path), place)
    elif place.kind == "folder":
        yield from search.folder(str(path), str(path))
    elif place.kind in REFUSED:
        yield Input(path, display_name(path), Path(), REFUSED[place.kind])
    else:
        problem = "" if place.readable else "cannot be read: permission denied"
        piped = place.kind == "pipe"
        yield Input(path, display_name(path), Path(output_stem(path.name)), problem, piped, place.real)


def _without_repeats(documents: Iterable[Input]) -> list[Input]:
    """Return the documents without those that were named twice."""
    unique: dict[tuple[str, Path], Input] = {}
    for document in documents:
        source = "-" if document.path is None else document.real or os.path.abspath(document.path)
        unique.setdefault((source, document.output), document)
    return list(unique.values())


def _separate(documents: list[Input], notes: list[str]) -> list[Input]:
    """Return the documents with outputs that keep the suffix where those of one folder would be the same otherwise."""
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
    return [renamed.get(id(document), document) for document in documents]


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


def listed(argument: str, stdin: IO[bytes] | None) -> Iterator[str]:
    """Yield the lines of the list `@...`, without empty lines and `#` comments. Raises `UsageError`."""
    name = argument[1:]
    try:
        if name != "-":
            content = _content(name)
        elif stdin is None:
            raise OSError(errno.EBADF, "standard input is closed")
        else:
            content = b"".join(at_most(chunks_of(stdin), MAX_LIST_BYTES, TOO_LONG))
    except (OSError, ValueError) as error:  # a name that no file can have
        reason = getattr(error, "strerror", None) or error
        raise UsageError(f"{display_name(name)}: cannot read the list of inputs: {reason}") from None
    for line in content.splitlines():
        item = os.fsdecode(line.strip())
        if item and not item.startswith("#"):
            yield item


def _content(path: str) -> bytes:
    """Return what is in a file or comes through a pipe. Raises `OSError`."""
    with os.fdopen(open_stream(path), "rb") as file:
        piped = stat.S_ISFIFO(os.fstat(file.fileno()).st_mode)
        return b"".join(at_most(chunks(file.fileno(), SILENCE) if piped else chunks_of(file), MAX_LIST_BYTES, TOO_LONG))
