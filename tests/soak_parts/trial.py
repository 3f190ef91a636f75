"""A trial, and what all of them share: the seed, the documents, a place for what shows a finding."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from soak_parts.account import contents, misses
from soak_parts.runs import Ended, Room, convert
from soak_parts.sources import Sources


@dataclass(frozen=True)
class Context:
    """`work` is thrown away at the end; `keep` is not."""

    seed: int
    work: Path
    keep: Path
    sources: Sources

    def random(self, part: str, index: int) -> Random:
        """Return the source of chance of one trial: the same in every run with this seed."""
        return Random(f"{self.seed}/{part}/{index}")

    def room(self, part: str, index: int, documents: Iterable[Path] = (), out: Path | None = None) -> Room:
        """Return new folders for a trial, with copies of `documents`."""
        room = Room(self.work / f"{part.replace(' ', '-')}-{index}", out)
        for path in documents:
            shutil.copy(path, room.documents)
        return room


@dataclass
class Result:
    """What came of one trial; `pages` counts those that the journal has."""

    context: Context
    room: Room
    what: str
    pages: int = 0
    findings: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return "\n".join([f"{self.room.folder.name}: {self.what}, {self.pages} pages", *self.findings])

    def find(self, kind: str, what: str) -> None:
        """Add a finding: something that was `lost`, `repeated`, `torn`, `leaked`, is `stuck` or `wrong`."""
        self.findings.append(f"  {kind}: {what}")

    def take_end(self, ended: Ended, codes: Sequence[int]) -> None:
        """Take in how a run ended, and what it left running; `codes` are the right exit codes."""
        last = (ended.errors.strip().splitlines() or ["no message"])[-1]
        if ended.code is None:
            self.find("stuck", f"nothing happened any more: {last}")
        elif ended.code not in codes:
            self.find("wrong", f"exit code {ended.code} in place of {' or '.join(map(str, codes))}: {last}")
        if "docparse: internal error" in ended.errors:
            self.find("lost", ended.errors)
        if ended.outlived:
            self.find("leaked", f"{len(ended.outlived)} processes outlived the run")

    def take_account(self, *, resumed: bool = False) -> None:
        """Take in what the run did not account for."""
        for miss in misses(self.room, self.room.inputs, resumed=resumed):
            self.find(miss.kind, f"{Path(miss.input).name}: {miss.what}")

    def compare(self, expected: dict[str, bytes]) -> None:
        """Take in how the outputs differ from what an undisturbed run writes."""
        written = contents(self.room.out)
        for name in sorted(expected.keys() | written.keys()):
            if name not in written:
                self.find("lost", f"{name} is missing")
            elif name not in expected:
                self.find("leaked", f"{name} is not of an undisturbed run")
            elif expected[name] != written[name]:
                self.find("torn", f"{name} is not that of an undisturbed run")

    def done(self) -> Result:
        """Remove the trial's folders, and keep a copy where they show a finding."""
        if self.findings:
            shutil.copytree(self.room.folder, self.context.keep / self.room.folder.name, dirs_exist_ok=True)
        self.room.remove()
        return self


def undisturbed(context: Context, part: str, documents: Iterable[Path], *options: str) -> tuple[Room, Ended]:
    """Convert documents to the end. Raises `RuntimeError` where not everything went well."""
    room = context.room(part, -1, documents)
    ended = convert(room, *options)
    if ended.code != 0:
        raise RuntimeError(f"a run that nobody disturbed ended with exit code {ended.code}: {ended.errors.strip()}")
    return room, ended
