"""Damaged documents, some hundred in a run: every one has an outcome, and none costs what it should not."""

from __future__ import annotations

from collections.abc import Container, Sequence

from soak_parts.account import misses, page_ends, read_journal
from soak_parts.mutate import mutant
from soak_parts.report import MIB, Result
from soak_parts.runs import Ended, Room, convert
from soak_parts.trial import Context, end_of_run, save_failure, save_misses, save_partial, save_room

BATCH = 100  # documents of one run
OPTIONS = ("--page-timeout", "20", "--document-timeout", "40", "-vv")


class Mutations:
    """`count` documents, damaged in as many ways. No worker may hold more than `limit` MiB, if there is a limit."""

    name = "mutations"

    def __init__(self, context: Context, count: int, limit: int | None = None) -> None:
        self.context = context
        self.count = count
        self.limit = limit

    def done(self, results: Sequence[Result]) -> bool:
        return sum(result.tried for result in results) >= self.count

    def carry_out(self, index: int) -> Result:
        room = self.context.room(self.name, index)
        numbers = range(index * BATCH, min(self.count, (index + 1) * BATCH))
        for number in numbers:
            made = mutant(self.context.seed, number, self.context.sources)
            (room.documents / made.name).write_bytes(made.data)
        inputs = sorted(str(path) for path in room.documents.iterdir())
        limit = ("--max-memory", f"{self.limit}M") if self.limit else ()
        ended = convert(room, *OPTIONS, *limit)
        result = Result(self.name, index, tried=len(numbers), seconds=ended.seconds)
        check_run(self.context, result, room, inputs, ended)
        if self.limit and result.worker > self.limit * MIB:
            held = f"a worker held {result.worker // MIB} MiB with --max-memory {self.limit}M"
            save_room(self.context, result, room, [("wrong", held)])
        room.remove()
        return result


def check_run(
    context: Context,
    result: Result,
    room: Room,
    inputs: Sequence[str],
    ended: Ended,
    unfit: Container[str] = frozenset({"internal"}),
) -> None:
    """Take in everything that must hold of a run that nobody disturbed. A page must not fail for an `unfit` reason."""
    end_of_run(context, result, room, ended, (0, 1, 4))
    entries, _ = read_journal(room.journal)
    ends = page_ends(entries)
    result.pages, result.counts = ends.total(), dict(ends)
    for entry in entries:
        if entry["status"] == "failed" and entry["error_category"] in unfit:
            save_failure(context, result, room, entry, ended.errors)
        if entry["status"] == "partial" and entry["page"] is not None:
            save_partial(context, result, room, entry)
    save_misses(context, result, room, list(misses(room, inputs)))
