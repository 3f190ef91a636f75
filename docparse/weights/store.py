"""Where weights lie: the hub's own cache, read without the hub's library, so models other tools pulled are found.

The layout (https://huggingface.co/docs/huggingface_hub/guides/manage-cache): `models--OWNER--NAME/` holds
`blobs/DIGEST`, `snapshots/COMMIT/FILE` (links to blobs) and `refs/BRANCH` (a commit). A blob's name is the published
hash of its content: SHA-256 for large files, git's SHA-1 of a blob for small ones.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from docparse.weights import weightfiles
from docparse.weights.card import Card

MAIN = "main"  # the branch whose head is taken where no revision is pinned
SUMS = "SHA256SUMS"  # hashes of a folder's other files, as sha256sum writes them
CHUNK = 2**20


@dataclass(frozen=True)
class Snapshot:
    """A model's files on disk: one revision in the cache, or a folder of the user's (`revision` "")."""

    folder: Path
    revision: str = ""

    def files(self) -> list[Path]:
        return sorted(path for path in self.folder.iterdir() if path.is_file())

    def size(self) -> int:
        return sum(path.stat().st_size for path in self.files())

    def lacks(self) -> list[tuple[str, str]]:
        """Name and trouble of each file without which nothing can be loaded; empty: the snapshot is whole."""
        config = [] if (self.folder / "config.json").is_file() else [("config.json", "is missing")]
        return config + list(weightfiles.damage(self.folder))


def cache_folder() -> Path:
    """HF_HUB_CACHE, HF_HOME and the rest, in the order in which the hub's library reads them."""
    home = os.environ.get("HF_HOME") or Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache", "huggingface")
    named = os.environ.get("HF_HUB_CACHE") or os.environ.get("HUGGINGFACE_HUB_CACHE") or Path(home, "hub")
    return Path(os.path.expandvars(named)).expanduser()


def repository_folder(repository: str) -> Path:
    """Return the folder of `owner/name`, whether it is there or not."""
    return cache_folder() / "--".join(["models", *repository.split("/")])


def find(card: Card) -> Snapshot | None:
    """Return the family's weights in the cache: the pinned revision where it is there, else the branch head that was
    pulled last, else any revision, also under the repository's other names; a whole one before one that lacks files.
    None: nothing is there."""
    found = list(_snapshots(card))
    return next((snapshot for snapshot in found if not snapshot.lacks()), found[0] if found else None)


def shipped(card: Card) -> Snapshot | None:
    """Return weights that are part of the package; only families without a repository have some."""
    folder = Path(__file__).parents[1] / "data" / card.name
    return Snapshot(folder) if not card.repository and (folder / "config.json").is_file() else None


def holds_models() -> bool:
    """Return whether the cache holds any model at all, ours or not: asked before families are."""
    return any(cache_folder().glob("models--*/snapshots/*"))


def _snapshots(card: Card) -> Iterator[Snapshot]:
    for repository in (card.repository, *(alias for alias in card.aliases if "/" in alias)):
        if repository and (repository_folder(repository) / "snapshots").is_dir():
            yield from _of_repository(repository_folder(repository), card.revision)


def _of_repository(folder: Path, pinned: str) -> Iterator[Snapshot]:
    """The pinned revision, the branch head, then all others, the newest first."""
    seen = set()
    for revision in (pinned, MAIN):
        commit = read_reference(folder, revision) or revision
        if revision and commit not in seen and (folder / "snapshots" / commit).is_dir():
            seen.add(commit)
            yield Snapshot(folder / "snapshots" / commit, commit)
    others = (path for path in (folder / "snapshots").iterdir() if path.is_dir() and path.name not in seen)
    for path in sorted(others, key=lambda path: path.stat().st_mtime, reverse=True):
        yield Snapshot(path, path.name)


def read_reference(folder: Path, revision: str) -> str:
    """Return the commit a branch or tag stood for when it was pulled, "" where unknown."""
    try:
        return (folder / "refs" / revision).read_text(encoding="utf-8").strip() if revision else ""
    except OSError:
        return ""


def published_digest(path: Path) -> str:
    """Return the published hash of a file, as its link or the list beside it says; "" where neither does."""
    name = Path(os.readlink(path)).name if path.is_symlink() else ""  # the first link: a blob may be one as well
    return name if re.fullmatch(r"[0-9a-f]{40}|[0-9a-f]{64}", name) else _listed(path)


def _listed(path: Path) -> str:
    try:
        lines = (path.parent / SUMS).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return ""
    found = (re.fullmatch(r"([0-9a-f]{64}) [ *](.+)", line) for line in lines)
    return next((match[1] for match in found if match and match[2] == path.name), "")


def digest(path: Path, like: str) -> str:
    """Return the content's hash of the same kind as `like`: 64 hex digits SHA-256, 40 git's SHA-1 of a blob."""
    content = hashlib.sha256() if len(like) == 64 else hashlib.sha1(b"blob %d\0" % path.stat().st_size)
    with open(path, "rb") as file:
        while piece := file.read(CHUNK):
            content.update(piece)
    return content.hexdigest()


@dataclass(frozen=True)
class FileCheck:
    """One file. `unknown`: whole as far as can be seen, but no published hash is recorded (a folder of the user's)."""

    file: str
    status: Literal["ok", "wrong", "unknown"]
    text: str


def verify(snapshot: Snapshot) -> Iterator[FileCheck]:
    """Yield each file's finding as soon as it is hashed; indexed weights that are missing come last."""
    lacks = dict(snapshot.lacks())
    for path in sorted(path for path in snapshot.folder.iterdir() if not path.is_dir() and path.name != SUMS):
        yield FileCheck(path.name, *_examined(path, published_digest(path), lacks.pop(path.name, "")))
    for name, trouble in lacks.items():
        yield FileCheck(name, "wrong", trouble)


def _examined(path: Path, published: str, trouble: str) -> tuple[Literal["ok", "wrong", "unknown"], str]:
    if not path.exists():
        return "wrong", "is missing: its link leads nowhere"
    if trouble:
        return "wrong", trouble
    if not published:
        return "unknown", "no published hash is recorded for it"
    kind = "sha256" if len(published) == 64 else "git sha1"
    if digest(path, published) != published:
        return "wrong", f"its {kind} is not the published {published[:12]}"
    return "ok", f"{kind} {published[:12]}"
