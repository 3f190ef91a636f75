"""Two requests to the Hugging Face hub: what a repository holds, and the bytes of one of its files. The hub's library
makes them, with a time limit; every way in which they fail becomes one line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any
from urllib.parse import quote

import msgspec

from docparse import __version__
from docparse.errors import one_line
from docparse.weights.weightfiles import is_file_name

HASH = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")  # they become names of files
PASSING = frozenset({408, 429})  # and everything from 500 on: the server's trouble, not ours


class Refused(Exception):
    """A request that failed: `str(error)` says why. `passing`: another try may well succeed; `final`: none will."""

    def __init__(self, reason: str, *, passing: bool = False, final: bool = False) -> None:
        super().__init__(reason)
        self.passing = passing
        self.final = final


@dataclass(frozen=True)
class Remote:
    """A published file: `digest` is the SHA-256 of its content for large files, git's SHA-1 of a blob for others."""

    name: str
    size: int
    digest: str


class Large(msgspec.Struct):
    """The hub's entry of a file that is kept outside git."""

    sha256: str
    size: int


class RepositoryFile(msgspec.Struct):
    """A file of the hub's listing, under the names the hub gives."""

    rfilename: str
    size: int | None = None
    blobId: str | None = None
    lfs: Large | None = None


class RepositoryListing(msgspec.Struct):
    """https://huggingface.co/docs/hub/api: `/api/models/{repository}/revision/{revision}?blobs=true`."""

    sha: str
    siblings: list[RepositoryFile]


@dataclass(frozen=True)
class Hub:
    """One repository. `timeout`: seconds without a byte after which a connection counts as dead."""

    repository: str
    timeout: float

    def listing(self, revision: str) -> tuple[str, list[Remote]]:
        """Return the commit that `revision` stands for, and the files of its top folder. Raises `Refused`."""
        from huggingface_hub import constants, get_session
        from huggingface_hub.utils import hf_raise_for_status

        url = f"{constants.ENDPOINT}/api/models/{self.repository}/revision/{quote(revision, safe='')}"
        with self._one_line(revision):
            response = get_session().get(url, params={"blobs": True}, headers=_headers(), timeout=self.timeout)
            hf_raise_for_status(response)
        try:
            info = msgspec.json.decode(response.content, type=RepositoryListing)
        except msgspec.DecodeError as error:
            raise Refused(f"{url}: not the answer of a Hugging Face hub: {error}") from None
        files = [file for file in map(_remote, info.siblings) if file is not None]
        if not HASH.fullmatch(info.sha) or not files:
            raise Refused(f"{self.repository}: the hub lists no files at {revision}")
        return info.sha, files

    @contextmanager
    def reading(self, file: Remote, commit: str, start: int) -> Iterator[tuple[bool, Iterator[bytes]]]:
        """Yield whether the bytes begin at `start` (else at 0), and the bytes. Raises `Refused`, also in the block."""
        from huggingface_hub import get_session, hf_hub_url
        from huggingface_hub.utils import hf_raise_for_status

        url = hf_hub_url(self.repository, file.name, revision=commit)
        headers = _headers() | {"Accept-Encoding": "identity"} | ({"Range": f"bytes={start}-"} if start else {})
        with (
            self._one_line(commit),
            get_session().stream("GET", url, headers=headers, timeout=self.timeout) as response,
        ):
            hf_raise_for_status(response)
            yield not start or response.status_code == 206, response.iter_bytes()

    @contextmanager
    def _one_line(self, revision: str) -> Iterator[None]:
        from huggingface_hub.errors import HfHubHTTPError

        try:
            yield
        except (HfHubHTTPError, _transport_error()) as error:
            raise self._refusal(error, revision) from None

    def _refusal(self, error: Any, revision: str) -> Refused:
        from huggingface_hub import constants
        from huggingface_hub.errors import GatedRepoError, RepositoryNotFoundError, RevisionNotFoundError

        host, page = constants.ENDPOINT, f"{constants.ENDPOINT}/{self.repository}"
        login = "log in with `hf auth login` or set HF_TOKEN"
        if isinstance(error, GatedRepoError):
            return Refused(f"{self.repository} is gated: accept its terms at {page} and {login}")
        if isinstance(error, RepositoryNotFoundError):
            return Refused(f"{self.repository} is not on {host}, or not for everybody: look at {page} and {login}")
        if isinstance(error, RevisionNotFoundError):
            advice = f"look at {page}; `--revision main` takes the newest"
            return Refused(f"{self.repository} has no revision {revision}: {advice}", final=True)
        status = getattr(getattr(error, "response", None), "status_code", None)
        reason = f"status {status}" if status else _reason(error, self.timeout)
        passing = status is None or status >= 500 or status in PASSING
        return Refused(f"{self.repository} cannot be fetched from {host}: {reason}", passing=passing)


def _remote(entry: RepositoryFile) -> Remote | None:
    """None for what lies in a folder or has no hash."""
    digest, size = (entry.lfs.sha256, entry.lfs.size) if entry.lfs else (entry.blobId, entry.size)
    if size is None or size < 0 or not HASH.fullmatch(digest or "") or not is_file_name(entry.rfilename):
        return None
    return Remote(entry.rfilename, size, digest or "")


def _headers() -> dict[str, str]:
    """Who asks, and the token where there is one. The library's own headers tell more about the machine, and making
    them may take a request of its own."""
    from huggingface_hub import get_token

    token = get_token()
    return {"User-Agent": f"docparse/{__version__}"} | ({"Authorization": f"Bearer {token}"} if token else {})


def _transport_error() -> type[Exception]:
    """Return what the library's HTTP client raises: older versions use httpx, newer ones its successor."""
    from huggingface_hub import get_session

    client = next(kind for kind in type(get_session()).__mro__ if kind.__name__ == "Client")
    return import_module(client.__module__.partition(".")[0]).HTTPError


def _reason(error: Exception, timeout: float) -> str:
    if "Timeout" in type(error).__name__:
        return f"nothing came for {timeout:g} s"
    return one_line(error, 120) or type(error).__name__
