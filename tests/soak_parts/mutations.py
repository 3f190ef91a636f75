"""Damaged documents, a hundred in a run: every one has an outcome, and none costs what it should not."""

from __future__ import annotations

from collections.abc import Iterator

from soak_parts.account import read_journal
from soak_parts.mutate import mutant
from soak_parts.runs import convert
from soak_parts.trial import Context, Result

BATCH = 100  # documents of one run
OPTIONS = ("--page-timeout", "20", "--document-timeout", "40", "-vv")


def mutations(context: Context, count: int) -> Iterator[Result]:
    """Try `count` documents, damaged in as many ways."""
    for first in range(0, count, BATCH):
        room, numbers = context.room("mutations", first), range(first, min(count, first + BATCH))
        for number in numbers:
            made = mutant(context.seed, number, context.sources)
            (room.documents / made.name).write_bytes(made.data)
        result = Result(context, room, f"{len(numbers)} damaged documents")
        result.take_end(convert(room, *OPTIONS), (0, 1, 4))
        for entry in read_journal(room.journal)[0]:
            result.pages += entry["page"] is not None
            if entry["status"] == "failed" and entry["error_category"] == "internal":
                result.find("lost", f"{entry['input']}: page {entry['page']} failed: {entry['error']}")
        result.take_account()
        yield result.done()
