"""Which pages: `1-3,7,-1` and what it means for a document of n pages."""

from __future__ import annotations

import re
from dataclasses import dataclass

from docparse.errors import InputError, UsageError

PART = re.compile(r"\s*(-?\d+)\s*(?:(-)\s*(-?\d+)?\s*)?")


@dataclass(frozen=True)
class PageRanges:
    """First and last pages, 1-based, negative numbers from the end (-1 is the last page), None for an open end."""

    parts: tuple[tuple[int, int | None], ...] = ()

    @classmethod
    def parse(cls, text: str) -> PageRanges:
        """Read a comma-separated list of `n`, `n-m` and `n-`. An empty text means all pages. Raises `UsageError`."""
        if not text.strip():
            return cls()
        return cls(tuple(_parse_part(part, text) for part in text.split(",")))

    def select(self, count: int) -> list[int]:
        """The selected page numbers of a document of `count` pages, ascending, each once. Raises `InputError`."""
        if not self.parts:
            return list(range(1, count + 1))
        chosen: set[int] = set()
        for first, last in self.parts:
            start = _absolute(first, count)
            end = count if last is None else _absolute(last, count)
            if start > end:
                raise InputError(f"pages {first}-{last} run backwards in a document of {_pages(count)}")
            chosen.update(range(start, end + 1))
        return sorted(chosen)


def _parse_part(part: str, text: str) -> tuple[int, int | None]:
    match = PART.fullmatch(part)
    if match is None:
        raise UsageError(f"pages {text!r}: {part.strip()!r} is not a page; write something like 1-3,7,-1")
    first = int(match[1])
    last = first if match[2] is None else (int(match[3]) if match[3] is not None else None)
    if 0 in (first, last):
        raise UsageError(f"pages {text!r}: pages are counted from 1, and from -1 backwards from the end")
    if last is not None and first > last and (first > 0) == (last > 0):
        raise UsageError(f"pages {text!r}: {part.strip()!r} runs backwards; write {last}-{first}")
    return first, last


def _absolute(number: int, count: int) -> int:
    page = number if number > 0 else count + 1 + number
    if not 1 <= page <= count:
        raise InputError(f"page {number} is out of range: the document has {_pages(count)}; change --pages")
    return page


def _pages(count: int) -> str:
    return "1 page" if count == 1 else f"{count} pages"
