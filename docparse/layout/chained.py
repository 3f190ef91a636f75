"""Things in an order, cut into runs, or put under their keys: words into rows, lines into groups."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

K = TypeVar("K")
T = TypeVar("T")


def grouped(pairs: Iterable[tuple[K, T]]) -> dict[K, list[T]]:
    """Return the things under their keys, in their order; the pairs are (key, thing)."""
    groups: dict[K, list[T]] = {}
    for key, thing in pairs:
        groups.setdefault(key, []).append(thing)
    return groups


def chained(items: Iterable[T], goes_on: Callable[[list[T], T], bool], back: int = 1) -> list[list[T]]:
    """Return the items in runs, in their order; `goes_on` says whether an item belongs to a run: to the one before it,
    or to any of the last so many, which is asked of the latest first."""
    runs: list[list[T]] = []
    for item in items:
        for run in runs[: -back - 1 : -1]:
            if goes_on(run, item):
                run.append(item)
                break
        else:
            runs.append([item])
    return runs
