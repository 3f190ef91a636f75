"""Documents at a URL: one, those of a folder, or those that a glob matches."""

from __future__ import annotations

import glob
import posixpath
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from docparse.run.inputs.document import Input, Inputs, display_name, no_document, output_stem
from docparse.storage import filesystem, reason, retried

WEB = ("http", "https")  # which list nothing, and have question marks that match nothing


def documents_at(url: str, inputs: Inputs, *, offline: bool = False) -> Iterator[Input]:
    """Yield the documents that `url` names, and note in `inputs` what is passed over. Raises `EnvironmentProblem` where
    the protocol's package is missing or `offline` forbids it."""
    fs, path = filesystem(url, offline=offline)
    if url.partition("://")[0].lower() in WEB:
        yield _document(url, posixpath.basename(urlsplit(url).path) or "document")
        return
    try:
        found, root = _found(fs, path)
    except Exception as error:  # back ends raise errors of their own
        yield Input(Path(url), display_name(url), Path(), f"cannot be read: {reason(error)}")
        return
    if found is None:
        yield _document(url, posixpath.basename(path))
        return
    for file in sorted(found, key=lambda file: file.split("/")):
        below = file.removeprefix(root).lstrip("/")
        folder, name = posixpath.split(below)
        if any(part.startswith(".") for part in folder.split("/")):
            continue
        if why := no_document(posixpath.dirname(file), name):
            inputs.skipped.append(f"{display_name(fs.unstrip_protocol(file))}: {why}")
        else:
            yield _document(fs.unstrip_protocol(file), below)
    if not found:
        nothing = "nothing matches this pattern" if glob.has_magic(path) else "no such file, and no folder with files"
        yield Input(Path(url), display_name(url), Path(), nothing)


def _found(fs: Any, path: str) -> tuple[list[str] | None, str]:
    """Return the files at `path`, None for one that is named itself, and the folder that their outputs begin at."""
    if not glob.has_magic(path):
        if not retried(fs.isdir, path):
            return None, ""
        return [*retried(fs.find, path)], path
    matches: dict[str, dict[str, Any]] = retried(fs.glob, path, detail=True)
    files = [name for name, info in matches.items() if info["type"] == "file"]
    if not path.rstrip("/").endswith("**"):
        folders = [name for name, info in matches.items() if info["type"] == "directory"]
        files += [file for folder in folders for file in retried(fs.find, folder)]
    fixed = path[: next(index for index, character in enumerate(path) if character in "*?[")]
    return sorted(set(files)), posixpath.dirname(fixed)


def _document(url: str, below: str) -> Input:
    folder, name = posixpath.split(below)
    return Input(Path(url), display_name(url), Path(folder, output_stem(name)), piped=True, real=url, url=url)
