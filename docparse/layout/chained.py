"""Things in an order: cut into runs, put under their keys, or without some of them."""

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


def without(things: Iterable[T], gone: Iterable[object]) -> list[T]:
    """Return the things in their order, but for those that are `gone`: the same objects, not equal ones."""
    ids = set(map(id, gone))
    return [thing for thing in things if id(thing) not in ids]


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
