"""Are the files on disk the published ones? Hashed against the names under which the hub's cache keeps them, or the
list of hashes beside them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from docparse.weights.store import SUMS, Snapshot, digest, published_digest


@dataclass(frozen=True)
class FileCheck:
    """One file. `unknown`: whole as far as can be seen, but no published hash is recorded (a folder of the user's)."""

    file: str
    status: Literal["ok", "wrong", "unknown"]
    text: str


def verify(snapshot: Snapshot, known: Mapping[str, str] | None = None) -> Iterator[FileCheck]:
    """Each file's finding as soon as it is hashed; weights that the index names and that are not there come last.

    `known`: file -> hash, which goes before what the cache says of a file.
    """
    lacks = dict(snapshot.lacks())
    for path in sorted(path for path in snapshot.folder.iterdir() if not path.is_dir() and path.name != SUMS):
        published = (known or {}).get(path.name) or published_digest(path)
        yield FileCheck(path.name, *_examined(path, published, lacks.pop(path.name, "")))
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
