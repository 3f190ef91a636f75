"""Things in an order, cut into runs: words into rows, lines into groups, strokes into places."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

T = TypeVar("T")


def chained(items: Iterable[T], goes_on: Callable[[list[T], T], bool], back: int = 1) -> list[list[T]]:
    """Return the items in runs, in their order; `goes_on` says whether an item belongs to a run: to the one before it,
    or to any of the last so many, which is asked of the latest first."""
    runs: list[list[T]] = []
    for item in items:
        run = next((run for run in reversed(runs[-back:]) if goes_on(run, item)), None)
        if run is None:
            runs.append([item])
        else:
            run.append(item)
    return runs
