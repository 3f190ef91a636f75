"""How a document ended, as a status and in words."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Literal, NamedTuple

from docparse.run.output_writer import OutputSummary
from docparse.settings import Settings
from docparse.types import page_label

EMPTY = {
    "nothing": "the output is empty: no text was found",
    "only-headers": "the output is empty: only running headers and footers were found; try --keep-headers",
}


class DocumentStatus(NamedTuple):
    """`error` is one line, "" for a document that is complete."""

    status: Literal["ok", "partial", "failed"]
    error: str
    category: str


def document_status(
    pages: int, failed: Collection[int], partial: Collection[int], unread: Mapping[int, int], others: Sequence[str]
) -> DocumentStatus:
    """Return how a document ended whose outputs are there: of its `pages` some have `failed`, of some a part may be
    missing, and some were never tried (`unread`: first page to last). `others` are lines about what else
    is not as it should be, "" for none."""
    lost = [number for number in failed if number not in unread]
    counts = [f"{_count(numbers, pages)} {how}" for numbers, how in ((lost, "failed"), (partial, "partial")) if numbers]
    counts += [f"{page_label(first, last)} not read" for first, last in sorted(unread.items())]
    errors = [*counts, *filter(None, others)]
    status: Literal["ok", "partial", "failed"] = "partial" if errors else "ok"
    nothing = len(lost) + sum(last - first + 1 for first, last in unread.items()) == pages
    return DocumentStatus("failed" if nothing else status, "; ".join(errors), "page" if counts else "input")


def _count(numbers: Collection[int], pages: int) -> str:
    return f"page {min(numbers)}" if len(numbers) == 1 else f"{len(numbers)} of {pages} pages"


def emptiness(written: OutputSummary, settings: Settings) -> str:
    """The warning for an output that shows nothing, with what may find text where there was none: reading the pixels,
    unless that was done."""
    line = EMPTY.get(written.shows, "")
    if written.shows != "nothing":
        return line
    if settings.text_layer == "only" or settings.ocr == "off":
        return f"{line}; if these are scans, drop {'--ocr off' if settings.ocr == 'off' else '--text-layer only'}"
    return line if written.pixels_read else f"{line}; if these are scans, try --ocr force"
