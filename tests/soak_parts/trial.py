"""A trial of one part, and what all of them share: the seed, the documents, a place for what shows a finding."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Protocol

from soak_parts.account import Entry, Miss, contents, traceback_before
from soak_parts.report import Result
from soak_parts.runs import Ended, Room
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

    def room(self, part: str, index: int, out: Path | None = None) -> Room:
        """Return new folders for a trial."""
        return Room(self.work / f"{part.replace(' ', '-')}-{index}", out)

    def save(self, path: Path, name: str, note: str) -> Path:
        """Copy a file or folder to `keep` as `name`, with `note` beside it; return the copy."""
        self.keep.mkdir(parents=True, exist_ok=True)
        target = self.keep / name
        if path.is_dir():
            shutil.copytree(path, target, dirs_exist_ok=True)
        else:
            shutil.copy(path, target)
        with open(target.with_name(f"{name}.txt"), "a", encoding="utf-8") as file:
            file.write(f"{note}\n")
        return target


class Part(Protocol):
    """Something that is tried again and again, each time with another number."""

    name: str

    def done(self, results: Sequence[Result]) -> bool:
        """Return whether that is enough."""
        ...

    def carry_out(self, index: int) -> Result:
        """Try once."""
        ...


def end_of_run(
    context: Context, result: Result, room: Room, ended: Ended, codes: Sequence[int], after: str = ""
) -> None:
    """Take in how a run ended, and what it left running. `codes` are the right exit codes `after` what was done."""
    result.parent = max(result.parent, ended.memory.parent)
    result.worker = max(result.worker, ended.memory.worker)
    found: list[tuple[str, str]] = []
    if ended.code is None:
        found.append(("stuck", f"nothing happened any more after {ended.seconds:.0f} s"))
    elif ended.code not in codes:
        last = (ended.errors.strip().splitlines() or ["no message"])[-1]
        found.append(("wrong", f"exit code {ended.code} in place of {' or '.join(map(str, codes))}: {last}"))
    found += [("lost", line) for line in ended.errors.splitlines() if line.startswith("docparse: internal error")]
    if ended.outlived:
        found.append(("leaked", f"{len(ended.outlived)} processes outlived the run"))
    save_room(context, result, room, [(kind, f"after {after}: {what}" if after else what) for kind, what in found])


def compare(context: Context, result: Result, room: Room, expected: dict[str, bytes]) -> None:
    """Take in how the outputs differ from what an undisturbed run writes."""
    written = contents(room.out)
    found = [("lost", f"{name} is missing") for name in sorted(expected.keys() - written.keys())]
    found += [("leaked", f"{name} is not of an undisturbed run") for name in sorted(written.keys() - expected.keys())]
    same = sorted(expected.keys() & written.keys())
    found += [("torn", f"{name} is not that of an undisturbed run") for name in same if expected[name] != written[name]]
    save_room(context, result, room, found)


def save_room(context: Context, result: Result, room: Room, found: Sequence[tuple[str, str]]) -> None:
    """Take in findings, each a kind and a line, that all folders of a trial are needed to understand."""
    for kind, what in found:
        kept = context.save(room.folder, room.folder.name, f"{kind}: {what}")
        result.find(kind, what, kept)


def save_misses(context: Context, result: Result, room: Room, found: Sequence[Miss]) -> None:
    """Take in what a run did not account for, with the document that shows it, or all of the trial's folders."""
    for miss in found:
        path = Path(miss.input)
        if not miss.input or not path.is_file():
            save_room(context, result, room, [(miss.kind, miss.what)])
            continue
        kept = context.save(path, f"{room.folder.name}-{path.name}", f"{miss.kind}: {miss.what}")
        result.find(miss.kind, f"{path.name}: {miss.what}", kept)


def save_failure(context: Context, result: Result, room: Room, entry: Entry, errors: str) -> None:
    """Take in a page or document that must not have failed, with its traceback."""
    path = Path(entry["input"])
    where = f"page {entry['page']}" if entry["page"] else "the document"
    trace = traceback_before(errors, entry)
    note = f"{where}: {entry['error_category']}: {entry['error']}\n{trace}"
    kept = context.save(path, f"{room.folder.name}-{path.name}", note)
    place = origin(trace)
    result.find("lost", f"{path.name}: {where} failed: {entry['error'][:120]}{f' ({place})' if place else ''}", kept)


def save_partial(context: Context, result: Result, room: Room, entry: Entry) -> None:
    """Count what a page lacks, and keep the first document that shows it."""
    what = entry["error"]
    if what not in result.partial:
        path = Path(entry["input"])
        context.save(path, f"partial-{room.folder.name}-{path.name}", f"page {entry['page']}: {what}")
    result.partial[what] = result.partial.get(what, 0) + 1


def origin(trace: str) -> str:
    """Return the innermost line of docparse in a traceback as `layout/words.py:12`; empty if there is none."""
    lines = [line.strip() for line in trace.splitlines() if line.strip().startswith("File ") and "/docparse/" in line]
    if not lines:
        return ""
    file, number = lines[-1].split('"')[1], lines[-1].split(", line ")[1].split(",")[0]
    return f"{file.rpartition('/docparse/')[2]}:{number}"
