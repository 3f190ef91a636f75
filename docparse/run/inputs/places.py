"""What lies at a path: a file, a folder, a pipe, or nothing that can be read."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeVar

Result = TypeVar("Result")
Kind = Literal["file", "folder", "pipe", "socket", "device", "link"]
NOTHING_THERE = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP)  # what a link that leads nowhere gives


class Place(NamedTuple):
    """What a path leads to, links followed. `real` is the path without links; `readable` as far as permissions say."""

    kind: Kind
    real: str
    readable: bool = True


@dataclass
class Scan:
    """The names in a folder, links followed, hidden ones included. `failed` names could not be looked at."""

    real: str
    folders: list[str] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)  # with the path without links
    others: list[str] = field(default_factory=list)  # pipes, devices, links that lead nowhere
    failed: dict[str, OSError] = field(default_factory=dict)


class Places:
    """Looks at paths. Each folder's own links are followed once."""

    def __init__(self) -> None:
        self._folders: dict[str, str] = {}

    def look(self, paths: Sequence[str]) -> list[Place | OSError]:
        """Return what is at each of the paths, in order."""
        return [tried(self._at, path) for path in paths]

    def scan(self, folder: str) -> Scan:
        """Return what is in a folder. Raises `OSError` where it cannot be listed."""
        scan, links = _listed(folder)
        for name in links:
            place = tried(_behind, os.path.join(folder, name))
            if isinstance(place, OSError):
                if place.errno in NOTHING_THERE:
                    scan.others.append(name)
                else:
                    scan.failed[name] = place
            elif place.kind == "folder":
                scan.folders.append(name)
            elif place.kind == "file":
                scan.files[name] = place.real
            else:
                scan.others.append(name)
        return scan

    def _at(self, path: str) -> Place:
        kind = _kind(os.lstat(path).st_mode)
        if kind == "link":
            return _behind(path)
        folder, name = os.path.split(path)
        if folder not in self._folders:
            self._folders[folder] = os.path.realpath(folder)
        return Place(kind, os.path.join(self._folders[folder], name), os.access(path, os.R_OK))


def tried(call: Callable[[str], Result], path: str) -> Result | OSError:
    """Return `call(path)`, or the `OSError` it ended with."""
    try:
        return call(path)
    except OSError as error:
        return error
    except ValueError:  # from Python, before the system sees the name
        return OSError(errno.EINVAL, "no file can have this name")


def _behind(path: str) -> Place:
    return Place(_kind(os.stat(path).st_mode), os.path.realpath(path), os.access(path, os.R_OK))


def _listed(folder: str) -> tuple[Scan, list[str]]:
    """Return what the folder says of its names, without a look at each, and the names of links."""
    scan, links = Scan(os.path.realpath(folder)), []
    with os.scandir(folder) as entries:
        for entry in entries:
            try:
                if entry.is_symlink():
                    links.append(entry.name)
                elif entry.is_dir(follow_symlinks=False):
                    scan.folders.append(entry.name)
                elif entry.is_file(follow_symlinks=False):
                    scan.files[entry.name] = os.path.join(scan.real, entry.name)
                else:
                    scan.others.append(entry.name)
            except OSError as error:  # a file system that does not say what its names are, and a file that is lost
                scan.failed[entry.name] = error
    return scan, links


def _kind(mode: int) -> Kind:
    kinds: dict[int, Kind] = {
        stat.S_IFREG: "file",
        stat.S_IFDIR: "folder",
        stat.S_IFLNK: "link",
        stat.S_IFIFO: "pipe",
        stat.S_IFSOCK: "socket",
    }
    return kinds.get(stat.S_IFMT(mode), "device")
