"""Things in an order, cut into runs: words into rows, lines into groups, strokes into places."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

T = TypeVar("T")


def chained(items: Iterable[T], goes_on: Callable[[list[T], T], bool]) -> list[list[T]]:
    """Return the items in runs, in their order; `goes_on` says whether an item belongs to the run before it."""
    runs: list[list[T]] = []
    for item in items:
        if runs and goes_on(runs[-1], item):
            runs[-1].append(item)
        else:
            runs.append([item])
    return runs
