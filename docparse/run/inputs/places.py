"""What lies at a path: a file, a folder, a pipe, or nothing that can be read."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from typing import NamedTuple, TypeVar

Result = TypeVar("Result")
NOTHING_THERE = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP)  # what a link that leads nowhere gives
# all else is a device
KINDS = {stat.S_IFREG: "file", stat.S_IFDIR: "folder", stat.S_IFIFO: "pipe", stat.S_IFSOCK: "socket"}


class Place(NamedTuple):
    """What a path leads to, links followed. `real` is the path without links; `readable` as far as permissions say."""

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
