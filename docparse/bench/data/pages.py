"""A page that a bench runs on: where it lies, what kind it is, and what is known to be true of it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice, zip_longest
from pathlib import Path
from typing import Any, TypeVar

from docparse.bench.scoring.omnidocbench import Annotated
from docparse.pdf import open_document
from docparse.pdf.content import PageContent
from docparse.types import Block

Item = TypeVar("Item")


@dataclass(frozen=True)
class BenchPage:
    """Page `number` (1-based) of the document at `path`, which its data set calls `document`.

    What is true of it, as far as somebody wrote it down: `truth` is its Markdown, `blocks` its layout in page space,
    `annotation` OmniDocBench's blocks and `tests` olmOCR-bench's tests, as their files have them. `folder` keeps a file
    that was drawn for the bench as long as a page needs it.
    """

    path: Path
    number: int
    category: str
    document: str
    truth: str | None = None
    blocks: tuple[Block, ...] | None = None
    annotation: tuple[Annotated, ...] = ()
    tests: tuple[Mapping[str, Any], ...] = ()
    folder: object = None

    @property
    def name(self) -> str:
        """Return what reports call it; no two pages of a data set have the same."""
        return f"{self.document}:{self.number}"

    @contextmanager
    def open(self) -> Iterator[PageContent]:
        """Open the page, not yet rendered. Raises `InputError`, `PageError`."""
        with open_document(self.path, name=self.document) as document:
            yield document.page(self.number)


def in_turn(
    items: Iterable[Item], category: Callable[[Item], str], max_items: int = 0, seed: int = 0
) -> Iterator[Item]:
    """Yield at most `max_items` items (0: all, as they come), one of each category after the other, so that a part of a
    data set is a mixture of it. `seed` 0 takes the first of each category, another draws them."""
    groups: dict[str, list[Item]] = {}
    for item in items if max_items else ():
        groups.setdefault(category(item), []).append(item)
    if seed:
        for group in groups.values():
            random.Random(seed).shuffle(group)
    mixed = (item for turn in zip_longest(*groups.values()) for item in turn if item is not None)
    return islice(mixed, max_items) if max_items else iter(items)
