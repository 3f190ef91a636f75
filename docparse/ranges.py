"""Which pages: `1-3,7,-1` and what it means for a document of n pages."""

from __future__ import annotations

import re
from dataclasses import dataclass

from docparse.errors import InputError, UsageError
from docparse.sizes import counted

PART = re.compile(r"\s*(-?\d{1,9})\s*(?:(-)\s*(-?\d{1,9})?\s*)?")


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
        """Return the selected page numbers of a document of `count` pages, ascending, each once. A range is cut where
        the document ends. Raises `InputError` where nothing is left."""
        if not self.parts:
            return list(range(1, count + 1))
        chosen = {page for part in self.parts for page in _pages_of(part, count)}
        if not chosen:
            raise InputError(f"{self.missing(count)}; change --pages")
        return sorted(chosen)

    def missing(self, count: int) -> str:
        """Return one line about the parts that have no page in a document of `count` pages; empty where there are
        none."""
        absent = [_text(part) for part in self.parts if not _pages_of(part, count)]
        if not absent:
            return ""
        single = len(absent) == 1 and absent[0].lstrip("-").isdecimal()
        what = f"page {absent[0]} is" if single else f"pages {', '.join(absent)} are"
        return f"{what} not there: the document has {counted(count, 'page')}"


def _parse_part(part: str, text: str) -> tuple[int, int | None]:
    match = PART.fullmatch(part)
    if match is None:
        raise UsageError(f"--pages {text!r}: {part.strip()!r} is not a page; write something like 1-3,7,-1")
    first = int(match[1])
    last = first if match[2] is None else (int(match[3]) if match[3] is not None else None)
    if 0 in (first, last):
        raise UsageError(f"--pages {text!r}: pages are counted from 1, and from -1 backwards from the end")
    if last is not None and first > last and (first > 0) == (last > 0):
        raise UsageError(f"--pages {text!r}: {part.strip()!r} runs backwards; write {last}-{first}")
    return first, last


def _pages_of(part: tuple[int, int | None], count: int) -> range:
    first, last = (count if number is None else number if number > 0 else count + 1 + number for number in part)
    if part[0] == part[1]:
        return range(first, first + 1) if 1 <= first <= count else range(0)
    return range(max(first, 1), min(last, count) + 1)


def _text(part: tuple[int, int | None]) -> str:
    first, last = part
    return f"{first}" if first == last else f"{first}-{'' if last is None else last}"
