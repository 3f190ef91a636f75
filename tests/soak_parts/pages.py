"""Undamaged documents, in rounds over the same ones: no page fails for a reason of ours, every round ends alike."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Sequence
from pathlib import Path

from soak_parts.account import contents
from soak_parts.mutations import check_run
from soak_parts.report import Result
from soak_parts.runs import Room, convert
from soak_parts.trial import Context, save_room

BATCH = 40  # documents of one run
UNFIT = frozenset({"internal", "crash", "memory", "timeout", "system"})
OPTIONS = ("--format", "md,json", "-vv")
CUT = b'"error_category":"timeout"'  # in the JSON of a page that a busy machine had no time for


class Pages:
    """At least `count` pages. A round that differs from an earlier one of this process is a finding."""

    name = "pages"

    def __init__(self, context: Context, count: int) -> None:
        self.context = context
        self.count = count
        self.seen: dict[str, str] = {}  # digests of the outputs of the first round, by their names

    def done(self, results: Sequence[Result]) -> bool:
        return sum(result.pages for result in results) >= self.count

    def carry_out(self, index: int) -> Result:
        room = self.context.room(self.name, index)
        documents = self.context.sources.own or self.context.sources.all
        batches = -(-len(documents) // BATCH)
        batch = index % batches
        for number, path in list(enumerate(documents))[batch * BATCH : (batch + 1) * BATCH]:
            shutil.copy(path, room.documents / f"{number:04d}-{path.name}")
        inputs = sorted(str(path) for path in room.documents.iterdir())
        ended = convert(room, *OPTIONS)
        result = Result(self.name, index, tried=len(inputs), seconds=ended.seconds)
        check_run(self.context, result, room, inputs, ended, UNFIT)
        self._compare(result, room)
        room.remove()
        return result

    def _compare(self, result: Result, room: Room) -> None:
        outputs = contents(room.out)
        hurried = {Path(name).stem for name, content in outputs.items() if CUT in content}
        found = {
            name: hashlib.sha256(content).hexdigest()
            for name, content in outputs.items()
            if Path(name).stem not in hurried
        }
        for name, digest in found.items():
            if self.seen.get(name, digest) != digest:
                save_room(self.context, result, room, [("torn", f"{name} is not that of an earlier round")])
        self.seen = found | self.seen
