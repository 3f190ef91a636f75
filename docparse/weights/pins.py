"""What the hub's answer is held against: names that stay in the cache, the commit that was asked for, known hashes.

A commit never changes, so its hashes are those that come with docparse, else those of the first pull, which are kept
beside the snapshot (in `models--OWNER--NAME/docparse/COMMIT`, as `sha256sum` writes them): never a newer answer's.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from docparse.errors import EnvironmentProblem, UsageError
from docparse.weights.card import Card
from docparse.weights.store import Snapshot, repository_folder

COMMIT = re.compile(r"[0-9a-fA-F]{40}")
NAME = re.compile(r"\w[\w.+=@#-]*(/\w[\w.+=@#-]*)*")  # of a branch or tag: git allows more, but nobody uses it
LINE = re.compile(r"([0-9a-f]{40}|[0-9a-f]{64})  (.+)")
LONGEST = 200  # bytes of a revision: it becomes the name of a file


def check_revision(revision: str) -> None:
    """Raise `UsageError` unless it can be a commit, tag or branch, which also names a file below the cache's `refs`."""
    legal = NAME.fullmatch(revision) and ".." not in revision and not revision.startswith("refs/")
    if not legal or len(revision.encode()) > LONGEST:
        raise UsageError(
            f"revision {revision!r} is not a commit, tag or branch: write one as the model's page shows it"
        )


def check_commit(card: Card, commit: str) -> None:
    """Raise `EnvironmentProblem` where a commit was asked for and the hub answers with another one."""
    if COMMIT.fullmatch(card.revision) and card.revision.lower() != commit:
        raise EnvironmentProblem(
            f"{card.repository}: asked for commit {card.revision[:12]}, the hub answers with {commit[:12]}: nothing is "
            "fetched; try another network, or name a commit of the model's page with --revision"
        )


def check_hashes(card: Card, commit: str, listed: Mapping[str, str]) -> None:
    """Raise `EnvironmentProblem` where `listed`, file -> hash of all files of the commit, is not what is known."""
    known = known_hashes(card, commit)
    other = sorted(name for name in known.keys() | listed.keys() if known.get(name) != listed.get(name))
    if not known or not other:
        return
    whose, advice = "that comes with docparse", "try another network, or a newer docparse"
    if commit not in card.hashes:
        whose, advice = "of the first pull", f"if the new one is right, delete {record_of(card, commit)}"
    raise EnvironmentProblem(
        f"{card.repository} at {commit[:12]}: the hub lists another hash of {other[0]} than the one {whose}: nothing "
        f"is fetched; {advice}"
    )


def known_hashes(card: Card, commit: str) -> Mapping[str, str]:
    """Return file -> hash of a commit, as docparse has them, else as the first pull recorded them; empty: unknown."""
    return card.hashes.get(commit) or _read(record_of(card, commit))


def known_of_snapshot(card: Card, snapshot: Snapshot) -> Mapping[str, str]:
    """Return the same of files on disk; nothing is known of a folder of the user's."""
    return known_hashes(card, snapshot.revision) if snapshot.revision else {}


def record(card: Card, commit: str, listed: Mapping[str, str]) -> None:
    """Keep the hashes of a first pull, under the final name only once they are whole."""
    path = record_of(card, commit)
    if known_hashes(card, commit):
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text("".join(f"{digest}  {name}\n" for name, digest in sorted(listed.items())), encoding="utf-8")
    os.replace(part, path)


def record_of(card: Card, commit: str) -> Path:
    """Return where the hashes of a first pull are kept, whether they are there or not."""
    return repository_folder(card.repository) / "docparse" / commit


def _read(path: Path) -> dict[str, str]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return {}
    except UnicodeDecodeError:
        lines = [""]
    found = [LINE.fullmatch(line) for line in lines]
    if not lines or not all(found):
        raise EnvironmentProblem(f"{path}: not a list of hashes: delete it, then pull again")
    return {match[2]: match[1] for match in found if match}
