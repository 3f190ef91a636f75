"""How a document ended, as a status and in words."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, NamedTuple

from docparse.jobs.write import Written
from docparse.settings import Settings

EMPTY = {
    "nothing": "the output is empty: no text was found",
    "only-headers": "the output is empty: only running headers and footers were found; try --keep-headers",
}


class Verdict(NamedTuple):
    """`error` is one line, "" for a document that is complete."""

    status: Literal["ok", "partial", "failed"]
    error: str
    category: str


def verdict(pages: int, failed: Collection[int], partial: Collection[int], missing: str) -> Verdict:
    """On a document whose outputs are there: of its `pages` some have failed, some may have lost their end; `missing`
    is what was asked for and is not in it, as a line."""
    counts = [f"{_count(numbers, pages)} {how}" for numbers, how in ((failed, "failed"), (partial, "cut")) if numbers]
    errors = counts + [missing] * bool(missing)
    status: Literal["ok", "partial", "failed"] = "partial" if errors else "ok"
    return Verdict("failed" if len(failed) == pages else status, "; ".join(errors), "page" if counts else "input")


def _count(numbers: Collection[int], pages: int) -> str:
    return f"page {min(numbers)}" if len(numbers) == 1 else f"{len(numbers)} of {pages} pages"


def emptiness(written: Written, settings: Settings) -> str:
    """The warning for an output that shows nothing, with what may find text where there was none: reading the pixels,
    unless that was done."""
    line = EMPTY.get(written.shows, "")
    if written.shows != "nothing":
        return line
    if settings.text_layer == "only" or settings.ocr == "off":
        return f"{line}; if these are scans, drop {'--ocr off' if settings.ocr == 'off' else '--text-layer only'}"
    return line if written.pixels_read else f"{line}; if these are scans, try --ocr force"
