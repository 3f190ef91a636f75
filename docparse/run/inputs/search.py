"""What lies at a path or a URL: the documents in a folder and those that a glob matches."""

from __future__ import annotations

import errno
import glob
import os
import posixpath
import stat
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeVar
from urllib.parse import urlsplit

from docparse.run.inputs.document import Input, Inputs, display_name, failed, no_document, output_stem
from docparse.storage import filesystem, reason, retried

Result = TypeVar("Result")
NOTHING_THERE = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP)  # what a link that leads nowhere gives
# all else is a device
KINDS = {stat.S_IFREG: "file", stat.S_IFDIR: "folder", stat.S_IFIFO: "pipe", stat.S_IFSOCK: "socket"}
WEB = ("http", "https")  # which list nothing, and have question marks that match nothing


class Place(NamedTuple):
    """The file or folder that a path leads to, links followed. `real` is the path without links; `readable` as far as
    permissions say."""

    kind: str
    real: str
    readable: bool


class Places:
    """Looks at paths. Each folder's own links are followed once."""

    def __init__(self) -> None:
        self._folders: dict[str, str] = {}

    def look(self, path: str) -> Place | OSError:
        return tried(self._at, path)

    def scan(self, folder: str) -> dict[str, Place | OSError]:
        """Return what is in a folder by its name, hidden names included. Raises `OSError` where it cannot be listed."""
        return {name: self.look(os.path.join(folder, name)) for name in os.listdir(folder)}

    def real(self, path: str) -> str:
        """Return the path without links, of something that is there or of a name in a folder."""
        if os.path.islink(path):
            return os.path.realpath(path)
        folder, name = os.path.split(path)
        if folder not in self._folders:
            self._folders[folder] = os.path.realpath(folder)
        return os.path.join(self._folders[folder], name)

    def _at(self, path: str) -> Place:
        mode = os.stat(path).st_mode
        return Place(KINDS.get(stat.S_IFMT(mode), "device"), self.real(path), os.access(path, os.R_OK))


def tried(call: Callable[[str], Result], path: str) -> Result | OSError:
    """Return `call(path)`, or the `OSError` it ended with."""
    try:
        return call(path)
    except OSError as error:
        return error
    except ValueError:  # from Python, before the system sees the name
        return OSError(errno.EINVAL, "no file can have this name")


class Search:
    """Looks for documents and notes in `inputs` what it passes over. The folder `avoid` is not entered from above."""

    def __init__(self, places: Places, inputs: Inputs, avoid: Path | None) -> None:
        self.places = places
        self.inputs = inputs
        self.avoided = os.path.realpath(avoid) if avoid else ""

    def folder(self, folder: str, root: str) -> Iterator[Input]:
        """Yield the documents below `folder` in sorted order, hidden files and folders left out; outputs are named
        from `root` on. Links to folders are followed, each real folder is entered once."""
        seen: set[str] = set()
        waiting = [folder]
        while waiting:
            parent = waiting.pop()
            try:
                found = self.places.scan(parent)
            except OSError as error:
                yield failed(parent, error)
                continue
            real = os.path.realpath(parent)
            if real in seen or (real == self.avoided and parent != folder):
                continue
            seen.add(real)
            folders = _folders_in(found)
            below = Path(os.path.relpath(parent, root))
            for name in sorted(found.keys() - folders):
                yield from self._named(_below(parent, name), found[name], below)
            waiting += [_below(parent, name) for name in sorted(folders, reverse=True) if not name.startswith(".")]

    def _named(self, path: str, place: Place | OSError, below: Path) -> Iterator[Input]:
        """Yield what a folder or a glob has at `path`, unless it is no document; its output belongs into `below`."""
        reason = no_document(*os.path.split(path))
        if isinstance(place, OSError) and place.errno not in NOTHING_THERE and reason in ("", "no suffix"):
            yield failed(path, place)  # without a suffix it may be a folder of documents
        elif reason or isinstance(place, OSError) or place.kind != "file":
            self.inputs.skipped.append(f"{display_name(path)}: {reason or 'not a regular file'}")
        else:
            yield Input(Path(path), display_name(path), below / output_stem(os.path.basename(path)), real=place.real)

    def glob(self, pattern: str) -> Iterator[Input]:
        """Yield the documents that a glob matches; `**` crosses folders. Their tree is kept below the part without
        wildcards. A file that several paths lead to is taken once, by the shortest."""
        root = _fixed_part(pattern)
        paths = [str(Path(path)) for path in self._expanded(pattern, root)]
        found: dict[str, tuple[str, Place | OSError]] = {}
        for path in sorted(paths, key=lambda path: (path.count("/"), path.split("/"))):
            place = self.places.look(path)
            found.setdefault(place.real if isinstance(place, Place) else path, (path, place))
        for path, place in sorted(found.values(), key=lambda item: item[0].split("/")):
            inside = ".." not in path.removeprefix(root).split("/")
            if _is_folder(place):
                if not pattern.rstrip("/").endswith("**"):
                    yield from self.folder(path, root if inside else path)
            else:
                below = os.path.relpath(os.path.dirname(path) or ".", root or ".") if inside else "."
                yield from self._named(path, place, Path(below))
        if not paths:
            yield Input(Path(pattern), display_name(pattern), Path(), "nothing matches this pattern")

    def _expanded(self, pattern: str, root: str) -> list[str]:
        """Return what a glob matches below its fixed part; `glob.glob` runs in circles where `**` meets a link
        upwards."""
        paths = [root]
        parts = Path(pattern).parts[len(Path(root).parts) :]
        for number, part in enumerate(parts, 1):
            if part == "**":
                paths = [folder for path in self._only_folders(paths) for folder in self._folders(path)]
                paths += self._children(paths, "*") if number == len(parts) else []
            else:
                paths = self._children(paths, part)
        return self._only_folders(paths) if pattern.endswith("/") else paths

    def _children(self, folders: Iterable[str], part: str) -> list[str]:
        found: list[str] = []
        for folder in folders:
            matches = tried(lambda within: glob.glob(os.path.join(glob.escape(within), part)), folder)
            if isinstance(matches, OSError):
                self.inputs.documents.append(failed(folder, matches))
            else:
                found += matches
        return found

    def _only_folders(self, paths: list[str]) -> list[str]:
        return [path for path in paths if _is_folder(self.places.look(path or "."))]

    def _folders(self, top: str) -> Iterator[str]:
        """Yield `top` and the folders below it, nearest first, without hidden ones; each real folder comes once."""
        seen: set[str] = set()
        waiting = deque([top])
        while waiting:
            folder = waiting.popleft()
            try:
                found = self.places.scan(folder or ".")
            except OSError:
                continue  # as the shell does
            real = os.path.realpath(folder or ".")
            if real not in seen:
                seen.add(real)
                yield folder
                names = (name for name in sorted(_folders_in(found)) if not name.startswith("."))
                waiting.extend(os.path.join(folder, name) for name in names)


def _below(folder: str, name: str) -> str:
    return name if folder == "." else os.path.join(folder, name)


def _is_folder(place: Place | OSError) -> bool:
    return isinstance(place, Place) and place.kind == "folder"


def _folders_in(found: Mapping[str, Place | OSError]) -> set[str]:
    return {name for name, place in found.items() if _is_folder(place)}


def _fixed_part(pattern: str) -> str:
    """Return the folders before the first wildcard, "" for the current one."""
    parts = Path(pattern).parts
    fixed = next(index for index, part in enumerate(parts) if glob.has_magic(part))
    return os.path.join(*parts[:fixed]) if fixed else ""


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
