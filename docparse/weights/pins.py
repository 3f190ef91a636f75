"""What the hub's answer is held against: names that stay in the cache, and the commit that was asked for."""

from __future__ import annotations

import re

from docparse.errors import EnvironmentProblem, UsageError
from docparse.weights.card import Card

COMMIT = re.compile(r"[0-9a-fA-F]{40}")
NAME = re.compile(r"\w[\w.+=@#-]*(/\w[\w.+=@#-]*)*")  # of a branch or tag: git allows more, but nobody uses it
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
