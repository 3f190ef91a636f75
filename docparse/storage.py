"""Places with a URL (`s3://`, `gs://`, ...), through fsspec: what is there, reading it, writing whole files.

Whatever a storage answers by chance is asked again a few times; what it would answer again is one line.
"""

from __future__ import annotations

import errno
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from docparse.errors import EnvironmentProblem, UsageError, one_line
from docparse.network import forbidden_by

URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
FILE = re.compile(r"file://(?=/)", re.IGNORECASE)
HERE = frozenset({"local", "memory"})  # protocols that need no network
PACKAGES = {"s3": "s3fs", "s3a": "s3fs", "gs": "gcsfs", "gcs": "gcsfs", "abfs": "adlfs", "az": "adlfs"}
PACKAGES |= {"http": "aiohttp", "https": "aiohttp", "hdfs": "pyarrow", "sftp": "paramiko", "ssh": "paramiko"}
WHOLE = frozenset({"s3", "s3a", "gs", "gcs", "abfs", "az", "memory"})  # a file is there when all of it is
PART = ".docparse-part"  # elsewhere, a file while it is being written
LASTING = (FileNotFoundError, PermissionError, IsADirectoryError, NotADirectoryError, ImportError)
LASTING_NUMBERS = (errno.ENOSPC, errno.EDQUOT, errno.EROFS)
PAUSES = (0.5, 2.0, 8.0)  # seconds before each further attempt
CHUNK = 2**20


def is_url(text: str) -> bool:
    """Return whether `text` names a place by URL; `file://` is one until `local_path` has seen it."""
    return URL.match(text) is not None


def local_path(text: str) -> str:
    """Return the path that a `file://` URL names, and anything else as it is."""
    return FILE.sub("", text, count=1)


def filesystem(url: str, *, offline: bool = False) -> tuple[Any, str]:
    """Return fsspec's file system for `url`, and the path there.

    Raises `UsageError` for a protocol that nobody knows, `EnvironmentProblem` where its package is missing, and where
    `offline` forbids it.
    """
    protocol = url.partition("://")[0].lower()
    if offline and protocol not in HERE:
        raise EnvironmentProblem(f"{forbidden_by()} forbids the connection to {url}: leave it out to allow it")
    try:
        from fsspec.core import url_to_fs

        fs, path = url_to_fs(url)
        fs.invalidate_cache()  # of listings, which outlive the object
    except ImportError as error:
        wanted = PACKAGES.get(protocol, "") if "fsspec" not in str(error) else "fsspec"
        advice = f"run `pip install {wanted}`" if wanted else str(error)
        raise EnvironmentProblem(f"{url}: {protocol}:// needs a package that is not installed: {advice}") from None
    except ValueError as error:
        raise UsageError(f"{url}: {one_line(error)}") from None
    except Exception as error:  # of a back end that connects at once
        raise EnvironmentProblem(f"{url}: cannot be reached: {reason(error)}") from None
    return fs, str(path)


def retried(call: Callable[..., Any], *arguments: Any, **more: Any) -> Any:
    """Return `call(*arguments)`, tried a few times; a lasting error is raised at once, another one in the end."""
    for pause in PAUSES:
        try:
            return call(*arguments, **more)
        except LASTING:
            raise
        except Exception as error:  # back ends raise errors of their own
            if getattr(error, "errno", None) in LASTING_NUMBERS:
                raise
            time.sleep(pause)
    return call(*arguments, **more)


def reason(error: Exception) -> str:
    """Return what a back end says of an error, as one line."""
    if isinstance(error, FileNotFoundError):
        return "no such file"
    return one_line(getattr(error, "strerror", None) or str(error) or type(error).__name__, 300)


def pieces(url: str, wanted: Callable[[], bool] = lambda: True) -> Iterator[bytes]:
    """Yield what is at `url`. Raises `OSError`, also where it is not `wanted` any more."""
    fs, path = filesystem(url)
    try:
        with retried(fs.open, path, "rb") as file:
            while piece := retried(file.read, CHUNK):
                if not wanted():
                    raise InterruptedError(errno.EINTR, "not wanted any more")
                yield piece
    except InterruptedError:
        raise
    except Exception as error:  # back ends raise errors of their own
        raise OSError(errno.EIO, reason(error)) from error


class Storage:
    """A folder at `url`. Every method raises `EnvironmentProblem` where the storage refuses."""

    def __init__(self, url: str, *, offline: bool = False) -> None:
        self.url = url.rstrip("/")
        self.fs, self.root = filesystem(self.url, offline=offline)
        self.whole = self.url.partition("://")[0].lower() in WHOLE

    def names(self) -> frozenset[str]:
        """Return the files below, from the folder on."""
        found = self._asked("listed", self.fs.find, self.root)
        return frozenset(str(path).removeprefix(self.root).lstrip("/") for path in found)

    def fetch(self, name: str, target: Path) -> None:
        """Copy the file `name` to `target`, if it is there."""
        path = f"{self.root}/{name}"
        if self._asked("read", self.fs.exists, path):
            self._asked("read", self.fs.get_file, path, str(target))

    def put(self, source: Path, name: str) -> None:
        """Copy `source` to the file `name`, which is whole or, after an error, as it was before."""
        self._asked("written", self._put, str(source), f"{self.root}/{name}")

    def _put(self, source: str, path: str) -> None:
        self.fs.makedirs(path.rpartition("/")[0], exist_ok=True)
        if self.whole:
            self.fs.put_file(source, path)
            return
        try:
            self.fs.put_file(source, path + PART)
            self.fs.mv(path + PART, path)
        except Exception:
            if self.fs.exists(path + PART):
                self.fs.rm_file(path + PART)
            raise

    def _asked(self, what: str, call: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return retried(call, *arguments)
        except Exception as error:
            advice = "" if what == "read" else "; run again with --resume when it can be, or choose another -o"
            raise EnvironmentProblem(f"{self.url}: cannot be {what}: {reason(error)}{advice}") from error
