"""The documents in folders and those that a glob matches."""

from __future__ import annotations

import glob
import os
from collections import deque
from collections.abc import Iterable, Iterator
from pathlib import Path

from docparse.run.inputs.document import Input, Inputs, display_name, failed, no_document, output_stem
from docparse.run.inputs.places import NOTHING_THERE, Place, Places, Scan, tried


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
                scan = self.places.scan(parent)
            except OSError as error:
                yield failed(parent, error)
                continue
            if scan.real in seen or (scan.real == self.avoided and parent != folder):
                continue
            seen.add(scan.real)
            yield from self._files(parent, os.path.relpath(parent, root), scan)
            names = sorted((name for name in scan.folders if not name.startswith(".")), reverse=True)
            waiting += [_below(parent, name) for name in names]

    def _files(self, folder: str, below: str, scan: Scan) -> Iterator[Input]:
        shown, below_path = display_name(_below(folder, "")), Path(below)
        for name in sorted([*scan.files, *scan.others, *scan.failed]):
            path = _below(folder, name)
            reason = no_document(folder, name)
            if name in scan.failed and reason in ("", "no suffix"):  # which may be a folder of documents
                yield failed(path, scan.failed[name])
            elif reason or name not in scan.files:
                self._skip(path, reason or "not a regular file")
            else:
                label = shown + name if name.isascii() and name.isprintable() else display_name(path)
                yield Input(Path(path), label, below_path / output_stem(name), real=scan.files[name])

    def glob(self, pattern: str) -> Iterator[Input]:
        """Yield the documents that a glob matches; `**` crosses folders. Their tree is kept below the part without
        wildcards. A file that several paths lead to is taken once, by the shortest."""
        root = _fixed_part(pattern)
        paths = [str(Path(path)) for path in self._expanded(pattern, root)]
        paths.sort(key=lambda path: (path.count("/"), path.split("/")))
        found: dict[str, tuple[str, Place]] = {}
        for path, place in zip(paths, self.places.look(paths), strict=True):
            if isinstance(place, Place):
                found.setdefault(place.real, (path, place))
            elif place.errno in NOTHING_THERE:
                self._skip(path, no_document(*os.path.split(path)) or "not a regular file")
            else:
                yield failed(path, place)
        for path, place in sorted(found.values(), key=lambda item: item[0].split("/")):
            yield from self._match(path, place, pattern, root)
        if not paths:
            yield Input(Path(pattern), display_name(pattern), Path(), "nothing matches this pattern")

    def _match(self, path: str, place: Place, pattern: str, root: str) -> Iterator[Input]:
        folder, name = os.path.split(path)
        if place.kind == "folder":
            if not pattern.rstrip("/").endswith("**"):
                yield from self.folder(path, path if _climbs(path, root) else root)
        elif (reason := no_document(folder, name)) or place.kind != "file":
            self._skip(path, reason or "not a regular file")
        else:
            below = os.path.relpath(folder or ".", root or ".") if not _climbs(path, root) else "."
            yield Input(Path(path), display_name(path), Path(below, output_stem(name)), real=place.real)

    def _skip(self, path: str, reason: str) -> None:
        self.inputs.skipped.append(f"{display_name(path)}: {reason}")

    def _expanded(self, pattern: str, root: str) -> list[str]:
        """Return what a glob matches below its fixed part. `glob.glob` itself runs in circles where `**` meets a link
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
        places = self.places.look([path or "." for path in paths])
        return [
            path
            for path, place in zip(paths, places, strict=True)
            if isinstance(place, Place) and place.kind == "folder"
        ]

    def _folders(self, top: str) -> Iterator[str]:
        """Yield `top` and the folders below it, nearest first; hidden ones are left out, each real folder comes
        once."""
        seen: set[str] = set()
        waiting = deque([top])
        while waiting:
            folder = waiting.popleft()
            try:
                scan = self.places.scan(folder or ".")
            except OSError:
                continue  # as the shell does
            if scan.real in seen:
                continue
            seen.add(scan.real)
            yield folder
            waiting.extend(os.path.join(folder, name) for name in sorted(scan.folders) if not name.startswith("."))


def _below(folder: str, name: str) -> str:
    return name if folder == "." else os.path.join(folder, name)


def _climbs(path: str, root: str) -> bool:
    return ".." in path.removeprefix(root).split("/")


def _fixed_part(pattern: str) -> str:
    """Return the folders before the first wildcard, "" for the current one."""
    parts = Path(pattern).parts
    fixed = next(index for index, part in enumerate(parts) if glob.has_magic(part))
    return os.path.join(*parts[:fixed]) if fixed else ""
